package org.inferometer.histogram;

import org.inferometer.model.FloatFormat;

/** A histogram in words: {@code {count:3, sum:4.5, (1,2]:3}}. */
final class HistogramText {
  private HistogramText() {}

  static String of(NativeHistogram h) {
    StringBuilder text = new StringBuilder();
    text.append("{count:").append(FloatFormat.general(h.count()));
    text.append(", sum:").append(FloatFormat.general(h.sum()));
    for (int i = h.negative().size() - 1; i >= 0; i--) {
      append(h.negativeBucket(i), text);
    }
    append(h.zeroBucket(), text);
    for (int i = 0; i < h.positive().size(); i++) {
      append(h.positiveBucket(i), text);
    }
    return text.append('}').toString();
  }

  private static void append(Bucket b, StringBuilder text) {
    if (b.count() == 0) {
      return;
    }
    text.append(b.lowerInclusive() ? ", [" : ", (")
        .append(FloatFormat.general(b.lower()))
        .append(',')
        .append(FloatFormat.general(b.upper()))
        .append(b.upperInclusive() ? "]:" : "):")
        .append(FloatFormat.general(b.count()));
  }
}
