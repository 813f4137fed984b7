package org.inferometer.app;

/** Texts that come from outside: what a terminal would obey is shown as an escape. */
final class Printable {
  private Printable() {}

  static String of(String text) {
    if (text.chars().noneMatch(Character::isISOControl)) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                out.append("\\x%02x".formatted(c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }
}
