package org.inferometer.lint;

import java.util.Arrays;

/**
 * The lines of a text as YAML 1.1 counts them: carriage returns and the line breaks of Unicode end
 * lines as well, and a byte order mark takes no column.
 */
final class YamlLines {
  private static final char MARK = '\ufeff';

  private final String text;
  private int[] starts = new int[64];
  private int count = 1;

  YamlLines(String text) {
    this.text = text;
    for (int i = 0; i < text.length(); i++) {
      if (isBreak(i)) {
        add(i + 1);
      }
    }
  }

  private void add(int start) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
    }
    starts[count++] = start;
  }

  private boolean isBreak(int i) {
    return switch (text.charAt(i)) {
      case '\n', '\u0085', '\u2028', '\u2029' -> true;
      case '\r' -> i + 1 == text.length() || text.charAt(i + 1) != '\n';
      default -> false;
    };
  }

  /** The offset of a line and a column, both from 1, the column in characters; kept in bounds. */
  int offset(int line, int column) {
    int at = starts[Math.clamp(line - 1L, 0, count - 1)];
    int end = line < count ? starts[Math.max(line, 1)] : text.length();
    for (int left = column - 1; at < end && (left > 0 || text.charAt(at) == MARK); ) {
      left -= text.charAt(at) == MARK ? 0 : 1;
      at += Character.charCount(text.codePointAt(at));
    }
    return at;
  }
}
