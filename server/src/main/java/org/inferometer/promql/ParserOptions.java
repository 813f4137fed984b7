package org.inferometer.promql;

import java.util.Collection;
import java.util.List;

/**
 * Which parts of the language that Prometheus keeps behind feature flags are allowed.
 *
 * @param experimentalFunctions {@code promql-experimental-functions}: functions and aggregations
 * @param durationExpressions {@code promql-duration-expr}: arithmetic in ranges and offsets
 * @param extendedRangeSelectors {@code promql-extended-range-selectors}: {@code anchored} and
 *     {@code smoothed}
 * @param fillModifiers {@code promql-binop-fill-modifiers}: {@code fill} and its relatives
 */
public record ParserOptions(
    boolean experimentalFunctions,
    boolean durationExpressions,
    boolean extendedRangeSelectors,
    boolean fillModifiers) {
  /** As Prometheus without feature flags. */
  public static final ParserOptions STABLE = new ParserOptions(false, false, false, false);

  /** The whole language. */
  public static final ParserOptions ALL = new ParserOptions(true, true, true, true);

  public static final List<String> FEATURES =
      List.of(
          "promql-experimental-functions",
          "promql-duration-expr",
          "promql-extended-range-selectors",
          "promql-binop-fill-modifiers");

  /**
   * What Prometheus's {@code --enable-feature} would allow; other features are none of the
   * parser's.
   */
  public static ParserOptions ofFeatures(Collection<String> features) {
    return new ParserOptions(
        features.contains(FEATURES.get(0)),
        features.contains(FEATURES.get(1)),
        features.contains(FEATURES.get(2)),
        features.contains(FEATURES.get(3)));
  }
}
