package org.inferometer.app;

/** Texts that come from outside: what a terminal would obey is shown as an escape. */
final class Printable {
  private Printable() {}

  static String of(String text) {
    if (text.codePoints().noneMatch(Printable::isObeyed)) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (isObeyed(c)) {
                out.append((c < 0x100 ? "\\x%02x" : "\\u%04x").formatted(c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  /** Controls, and what turns, hides or breaks the text after it without being seen itself. */
  private static boolean isObeyed(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  /** The same of a text that may be endless, such as a name that a page gives. */
  static String shortened(String text, int length) {
    return of(
        text.codePointCount(0, text.length()) <= length
            ? text
            : text.substring(0, text.offsetByCodePoints(0, length - 3)) + "...");
  }
}
