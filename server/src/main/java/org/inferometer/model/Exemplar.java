package org.inferometer.model;

/**
 * One observation that stands for many, with labels that lead to it, usually a trace's id.
 *
 * @param labels its own, not those of the series
 */
public record Exemplar(Labels labels, double value, long timestampMs) {
  /** Characters in names and values of its labels, as OpenMetrics bounds them. */
  public static final int LABEL_CHARACTERS_MAX = 128;

  /** Characters in names and values of labels. */
  public static int characters(Labels labels) {
    int count = 0;
    for (int i = 0; i < labels.size(); i++) {
      String name = labels.name(i);
      String value = labels.value(i);
      count += name.codePointCount(0, name.length()) + value.codePointCount(0, value.length());
    }
    return count;
  }
}
