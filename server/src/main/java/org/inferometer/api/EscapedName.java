package org.inferometer.api;

/**
 * Label names as they stand in URLs: a name that isn't plain is written with the prefix {@code
 * U__}, each odd character as its code point in hex between underscores, an underscore doubled.
 */
final class EscapedName {
  private static final String PREFIX = "U__";

  private EscapedName() {}

  /** The name meant; text that isn't a well-formed escape stands for itself. */
  static String decode(String text) {
    if (!text.startsWith(PREFIX)) {
      return text;
    }
    StringBuilder name = new StringBuilder(text.length());
    for (int i = PREFIX.length(); i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '_') {
        name.append(c);
        continue;
      }
      int end = text.indexOf('_', i + 1);
      if (end == i + 1) {
        name.append('_');
      } else if (!appendCodePoint(name, text, i + 1, end)) {
        return text;
      }
      i = end;
    }
    return name.toString();
  }

  private static boolean appendCodePoint(StringBuilder name, String text, int start, int end) {
    if (end < 0 || end - start > 6) {
      return false;
    }
    int codePoint = 0;
    for (int i = start; i < end; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        return false;
      }
      codePoint = codePoint * 16 + digit;
    }
    if (!Character.isValidCodePoint(codePoint)
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE)) {
      return false;
    }
    name.appendCodePoint(codePoint);
    return true;
  }
}
