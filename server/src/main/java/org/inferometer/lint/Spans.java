package org.inferometer.lint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as they are written in files and in sentences. */
final class Spans {
  private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d|w|y)");

  private Spans() {}

  /** In milliseconds; 0 if it isn't a length of time. */
  static long parseMs(String text) {
    if (text.length() > 60) {
      return 0;
    }
    Matcher part = PART.matcher(text);
    long sum = 0;
    int at = 0;
    while (at < text.length() && part.region(at, text.length()).lookingAt()) {
      sum += Long.parseLong(part.group(1)) * unitMs(part.group(2));
      at = part.end();
    }
    return at == text.length() ? sum : 0;
  }

  private static long unitMs(String unit) {
    return switch (unit) {
      case "ms" -> 1L;
      case "s" -> 1000L;
      case "m" -> 60_000L;
      case "h" -> 3_600_000L;
      case "d" -> 86_400_000L;
      case "w" -> 604_800_000L;
      default -> 31_536_000_000L;
    };
  }

  static String words(long ms) {
    if (ms % 1000 != 0) {
      return ms + " ms";
    }
    long seconds = ms / 1000;
    return seconds % 60 == 0 && seconds >= 60 ? seconds / 60 + " min" : seconds + " s";
  }
}
