package org.inferometer.promql;

import org.jspecify.annotations.Nullable;

/**
 * Finds the end of a number ({@code 12}, {@code 1_000}, {@code 0x1F}, {@code .5}, {@code 1e-3}) or
 * a duration ({@code 1h30m}) in a text, and reads numbers. Whether the digits fit is found out when
 * the number is read. Not thread-safe.
 */
final class NumberScanner {
  private static final String DECIMAL = "0123456789";
  private static final String HEXADECIMAL = "0123456789abcdefABCDEF";

  private final String text;
  private int position;

  NumberScanner(String text, int start) {
    this.text = text;
    this.position = start;
  }

  /** After what was accepted, or after the first character that couldn't be. */
  int position() {
    return position;
  }

  /** NUMBER, DURATION, or null if it is neither. */
  @Nullable TokenType scan() {
    if (scanNumber()) {
      return TokenType.NUMBER;
    }
    return scanUnits() ? TokenType.DURATION : null;
  }

  private boolean scanNumber() {
    String digits = scanHexadecimalPrefix() ? HEXADECIMAL : DECIMAL;
    boolean dotSeen = accept(".");
    acceptRun(digits);
    boolean exponentSeen = false;
    while (is(digits + "._eE")) {
      if (is(".")) {
        position++;
        if (dotSeen || digits.equals(HEXADECIMAL) || accept("_.")) {
          return false;
        }
        dotSeen = true;
      } else if (is("eE") && digits.equals(DECIMAL)) {
        position++;
        if (exponentSeen || !acceptExponentSign()) {
          return false;
        }
        exponentSeen = true;
      } else if (accept("_")) {
        if (accept("._eE") || position == text.length()) {
          return false;
        }
      } else {
        acceptRun(digits);
      }
    }
    return !isAlphaNumericNext();
  }

  private boolean scanHexadecimalPrefix() {
    if (text.startsWith("0x", position) || text.startsWith("0X", position)) {
      position += 2;
      accept("_");
      return true;
    }
    return false;
  }

  private boolean acceptExponentSign() {
    accept("+-");
    return !accept("._eE") && position < text.length();
  }

  /** The units of a duration, from where a number couldn't go on. */
  private boolean scanUnits() {
    if (!accept("smhdwy")) {
      return false;
    }
    accept("s");
    while (accept(DECIMAL)) {
      acceptRun(DECIMAL);
      if (!accept("smhdw")) {
        return false;
      }
      accept("s");
    }
    if (isAlphaNumericNext()) {
      position++;
      return false;
    }
    return true;
  }

  private boolean isAlphaNumericNext() {
    return position < text.length() && Lexer.isAlphaNumeric(text.charAt(position));
  }

  private boolean is(String valid) {
    return position < text.length() && valid.indexOf(text.charAt(position)) >= 0;
  }

  private boolean accept(String valid) {
    boolean accepted = is(valid);
    if (accepted) {
      position++;
    }
    return accepted;
  }

  private void acceptRun(String valid) {
    while (is(valid)) {
      position++;
    }
  }

  /**
   * The value of a number as Go reads it: an integer with its prefix (0x, 0 for octal) if it is
   * one, else a decimal.
   *
   * @throws NumberFormatException with a message for the user
   */
  static double read(String number) {
    String lower = number.toLowerCase(java.util.Locale.ROOT);
    if (lower.equals("inf")) {
      return Double.POSITIVE_INFINITY;
    }
    if (lower.equals("nan")) {
      return Double.NaN;
    }
    if (!areUnderscoresBetweenDigits(lower)) {
      throw unreadable(number, "invalid syntax");
    }
    Double integer = readPrefixed(lower.replace("_", ""));
    return integer != null ? integer : readDecimal(number, lower.replace("_", ""));
  }

  private static @Nullable Double readPrefixed(String digits) {
    try {
      if (digits.startsWith("0x")) {
        return (double) Long.parseLong(digits.substring(2), 16);
      }
      boolean octal = digits.length() > 1 && digits.charAt(0) == '0';
      return octal ? (double) Long.parseLong(digits, 8) : null;
    } catch (NumberFormatException notAnInteger) {
      return null;
    }
  }

  private static double readDecimal(String number, String digits) {
    if (digits.startsWith("0x")) {
      throw unreadable(number, "invalid syntax");
    }
    double value;
    try {
      value = Double.parseDouble(digits);
    } catch (NumberFormatException e) {
      throw unreadable(number, "invalid syntax");
    }
    if (Double.isInfinite(value)) {
      throw unreadable(number, "value out of range");
    }
    return value;
  }

  private static boolean areUnderscoresBetweenDigits(String number) {
    int from = number.startsWith("0x") ? 2 : 0;
    for (int i = from; i < number.length(); i++) {
      if (number.charAt(i) == '_') {
        boolean before = i > 0 && (i == from || isHexDigit(number.charAt(i - 1)));
        boolean after = i + 1 < number.length() && isHexDigit(number.charAt(i + 1));
        if (!before || !after) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isHexDigit(char c) {
    return HEXADECIMAL.indexOf(c) >= 0;
  }

  private static NumberFormatException unreadable(String number, String why) {
    return new NumberFormatException(
        "error parsing number: strconv.ParseFloat: parsing " + GoText.quote(number) + ": " + why);
  }
}
