package org.inferometer.promql;

import java.util.ArrayList;
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
  static final String EXPERIMENTAL_FUNCTIONS = "promql-experimental-functions";
  static final String DURATION_EXPRESSIONS = "promql-duration-expr";
  static final String EXTENDED_RANGE_SELECTORS = "promql-extended-range-selectors";
  static final String FILL_MODIFIERS = "promql-binop-fill-modifiers";

  /** As Prometheus without feature flags. */
  public static final ParserOptions STABLE = new ParserOptions(false, false, false, false);

  /** The whole language. */
  public static final ParserOptions ALL = new ParserOptions(true, true, true, true);

  public static final List<String> FEATURES =
      List.of(
          EXPERIMENTAL_FUNCTIONS, DURATION_EXPRESSIONS, EXTENDED_RANGE_SELECTORS, FILL_MODIFIERS);

  /**
   * What Prometheus's {@code --enable-feature} would allow; other features are none of the
   * parser's.
   */
  public static ParserOptions ofFeatures(Collection<String> features) {
    return new ParserOptions(
        features.contains(EXPERIMENTAL_FUNCTIONS),
        features.contains(DURATION_EXPRESSIONS),
        features.contains(EXTENDED_RANGE_SELECTORS),
        features.contains(FILL_MODIFIERS));
  }

  /** The features allowed here, by their names. */
  public List<String> features() {
    List<String> allowed = new ArrayList<>();
    if (experimentalFunctions) {
      allowed.add(EXPERIMENTAL_FUNCTIONS);
    }
    if (durationExpressions) {
      allowed.add(DURATION_EXPRESSIONS);
    }
    if (extendedRangeSelectors) {
      allowed.add(EXTENDED_RANGE_SELECTORS);
    }
    if (fillModifiers) {
      allowed.add(FILL_MODIFIERS);
    }
    return allowed;
  }

  /** What an error says after Prometheus's words: how to allow it. */
  static String allowedBy(String feature) {
    return "; --enable-feature=" + feature + " allows it";
  }
}
