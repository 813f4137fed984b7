package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;
import org.inferometer.model.StalenessMarker;

/**
 * Reads a float64 from bytes by the rules of Go's {@code strconv.ParseFloat} as the exposition
 * formats use it: decimal digits with a point and an exponent, {@code inf} and {@code infinity}
 * with or without a sign, {@code nan} without one, in any case. Hexadecimal and {@code _} are
 * refused, and so is what rounds to infinity. Every NaN becomes {@link StalenessMarker#NORMAL_NAN}.
 *
 * <p>Nothing is allocated for numbers of up to 19 significant digits outside of the subnormal
 * range, nor for nearly all longer ones. Not thread-safe.
 *
 * <p>Three ways, from quick to slow:
 *
 * <ol>
 *   <li>At most 2^53 as an integer and a power of ten that a double holds exactly: one
 *       multiplication or division, which rounds once. W. Clinger, "How to read floating point
 *       numbers accurately", 1990.
 *   <li>{@link DecimalRounding}: 19 digits times a 128-bit power of five.
 *   <li>{@link Double#parseDouble}, if digits were cut off and matter, or the result is subnormal.
 * </ol>
 */
final class FloatReader {
  static final String NOT_A_NUMBER = "not a number";
  static final String TOO_BIG = "number too big for a float64";
  static final String TOO_LONG = "number longer than 4096 characters";
  static final String SIGNED_NAN = "NaN with a sign";
  static final String HEXADECIMAL = "hexadecimal, octal or binary number";
  static final String UNDERSCORE = "underscore in a number";

  private static final int MAX_LENGTH = 4096;

  /** As many decimal digits as always fit 64 bits. */
  private static final int MAX_DIGITS = 19;

  /** Far beyond any float64, far from the end of an int. */
  private static final int EXPONENT_CAP = 100_000;

  private static final long EXACT = 1L << 53;

  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private double value;
  private String problem = "";

  /** The significant digits read so far as an unsigned integer, at most 19 of them. */
  private long digits;

  private int digitCount;

  /** The power of ten that {@link #digits} is to be multiplied with. */
  private int exponent;

  /** Whether digits other than 0 didn't fit. */
  private boolean truncated;

  /** The number read last. */
  double value() {
    return value;
  }

  /** Why the last {@link #read} failed. */
  String problem() {
    return problem;
  }

  /** Reads a number that fills a range; false if it isn't one. */
  boolean read(byte[] text, int from, int to) {
    digits = 0;
    digitCount = 0;
    exponent = 0;
    truncated = false;
    int start = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
    int i = whole(text, start, to);
    int digitsSeen = i - start;
    if (i < to && text[i] == '.') {
      int point = i;
      i = fraction(text, i + 1, to);
      digitsSeen += i - point - 1;
    }
    if (digitsSeen == 0) {
      return word(text, from, to);
    }
    if (i < to && (text[i] | 0x20) == 'e') {
      i = exponent(text, i + 1, to);
    }
    return i == to ? convert(text, from, to) : notANumber(text, from, to);
  }

  private int whole(byte[] text, int from, int to) {
    int i = from;
    for (; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      if (digitCount < MAX_DIGITS) {
        push(digit);
      } else {
        exponent++;
        truncated |= digit != 0;
      }
    }
    return i;
  }

  private int fraction(byte[] text, int from, int to) {
    int i = from;
    for (; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      if (digitCount < MAX_DIGITS) {
        push(digit);
        exponent--;
      } else {
        truncated |= digit != 0;
      }
    }
    return i;
  }

  private void push(int digit) {
    digits = digits * 10 + digit;
    if (digits != 0) {
      digitCount++;
    }
  }

  /** The end of an exponent, or -1 if there is no digit in it. */
  private int exponent(byte[] text, int from, int to) {
    boolean negative = from < to && text[from] == '-';
    int start = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
    int read = 0;
    int i = start;
    for (; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      read = Math.min(EXPONENT_CAP, read * 10 + digit);
    }
    exponent += negative ? -read : read;
    return i == start ? -1 : i;
  }

  private boolean convert(byte[] text, int from, int to) {
    if (to - from > MAX_LENGTH) {
      problem = TOO_LONG;
      return false;
    }
    double size = size(text, from, to);
    value = text[from] == '-' ? -size : size;
    if (size == Double.POSITIVE_INFINITY) {
      problem = TOO_BIG;
      return false;
    }
    return true;
  }

  private double size(byte[] text, int from, int to) {
    if (!truncated && digits >= 0 && digits <= EXACT) {
      if (exponent <= 0 && exponent >= -22) {
        return digits / POWERS_OF_TEN[-exponent];
      }
      if (exponent > 0 && exponent <= 22) {
        return digits * POWERS_OF_TEN[exponent];
      }
    }
    if (digits == 0) {
      return 0;
    }
    long bits = DecimalRounding.bits(digits, exponent);
    if (truncated && bits != DecimalRounding.bits(digits + 1, exponent)) {
      bits = DecimalRounding.UNDECIDED;
    }
    return bits == DecimalRounding.UNDECIDED
        ? Math.abs(
            Double.parseDouble(new String(text, from, to - from, StandardCharsets.ISO_8859_1)))
        : Double.longBitsToDouble(bits);
  }

  private boolean word(byte[] text, int from, int to) {
    boolean signed = from < to && (text[from] == '-' || text[from] == '+');
    int start = signed ? from + 1 : from;
    if (same(text, start, to, "inf") || same(text, start, to, "infinity")) {
      value = text[from] == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      return true;
    }
    if (same(text, start, to, "nan")) {
      value = StalenessMarker.NORMAL_NAN;
      problem = SIGNED_NAN;
      return !signed;
    }
    return notANumber(text, from, to);
  }

  private static boolean same(byte[] text, int from, int to, String lowerCase) {
    if (to - from != lowerCase.length()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if ((text[i] | 0x20) != lowerCase.charAt(i - from)) {
        return false;
      }
    }
    return true;
  }

  private boolean notANumber(byte[] text, int from, int to) {
    int start = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
    problem = NOT_A_NUMBER;
    if (start + 1 < to && text[start] == '0' && "xXoObB".indexOf(text[start + 1]) >= 0) {
      problem = HEXADECIMAL;
    } else if (start < to && text[start] >= '0' && text[start] <= '9') {
      for (int i = start; i < Math.min(to, start + MAX_LENGTH); i++) {
        if (text[i] == '_') {
          problem = UNDERSCORE;
        }
      }
    }
    return false;
  }
}
