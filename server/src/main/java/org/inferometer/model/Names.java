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
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < 0x20 || c == 0x7f) {
            out.append(String.format("\\x%02x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  public static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    quote(text, out);
    return out.toString();
  }
}
