package org.inferometer.model;

/** Which strings are metric and label names, and how a string is quoted in a query. */
public final class Names {
  private Names() {}

  /** Whether a name needs no quotes: {@code [a-zA-Z_:][a-zA-Z0-9_:]*}. */
  public static boolean isLegacyMetricName(String name) {
    if (name.isEmpty()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(isLetter(c) || c == ':' || (i > 0 && isDigit(c)))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a label name needs no quotes: {@code [a-zA-Z_][a-zA-Z0-9_]*}. */
  public static boolean isLegacyLabelName(String name) {
    return isLegacyMetricName(name) && name.indexOf(':') < 0;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Appends text in double quotes with Go's escapes, as Prometheus prints it. */
  public static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7f) {
        out.append(c);
      } else {
        int codePoint = text.codePointAt(i);
        quote(codePoint, out);
        i += Character.charCount(codePoint) - 1;
      }
    }
    out.append('"');
  }

  private static void quote(int codePoint, StringBuilder out) {
    int letter = codePoint <= 0x0d ? "\u0007\b\t\n\u000b\f\r".indexOf(codePoint) : -1;
    if (letter >= 0) {
      out.append('\\').append("abtnvfr".charAt(letter));
    } else if (isPrintable(codePoint)) {
      out.appendCodePoint(codePoint);
    } else {
      String form = codePoint <= 0x7f ? "\\x%02x" : codePoint <= 0xffff ? "\\u%04x" : "\\U%08x";
      out.append(String.format(form, codePoint));
    }
  }

  /** Letters, marks, numbers, punctuation and symbols are; of spaces only that of ASCII is. */
  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SPACE_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  public static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    quote(text, out);
    return out.toString();
  }
}
