package org.inferometer.config;

import java.util.List;

/**
 * One step of relabeling. Source: prometheus/prometheus, {@code model/relabel/relabel.go}.
 *
 * @param sourceLabels whose values are joined by the separator
 * @param regex RE2, anchored at both ends
 * @param modulus of {@code HASHMOD}; unsigned
 */
public record RelabelRule(
    List<String> sourceLabels,
    String separator,
    String regex,
    long modulus,
    String targetLabel,
    String replacement,
    Action action) {
  public static final String DEFAULT_SEPARATOR = ";";
  public static final String DEFAULT_REGEX = "(.*)";
  public static final String DEFAULT_REPLACEMENT = "$1";

  /** What a rule does. */
  public enum Action {
    REPLACE,
    KEEP,
    DROP,
    KEEPEQUAL,
    DROPEQUAL,
    HASHMOD,
    LABELMAP,
    LABELDROP,
    LABELKEEP,
    LOWERCASE,
    UPPERCASE
  }

  public RelabelRule {
    sourceLabels = List.copyOf(sourceLabels);
  }
}
