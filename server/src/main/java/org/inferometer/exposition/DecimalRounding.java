package org.inferometer.exposition;

import java.math.BigInteger;

/**
 * Rounds an integer of up to 64 bits times a power of ten to the nearest float64 without big
 * numbers: the integer is multiplied with the first 128 bits of the power of five, and the bits
 * above the float's 53 say how to round.
 *
 * <p>After D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience
 * 51 (8), 2021, and N. Mushtak and D. Lemire, "Fast number parsing without fallback", 2023, which
 * shows that 128 bits decide every case.
 */
final class DecimalRounding {
  /** The answer if the result is subnormal or smaller; no float64 that is positive has it. */
  static final long UNDECIDED = -1;

  private static final int LEAST_POWER = -342;
  private static final int GREATEST_POWER = 308;

  private static final long INFINITY = 0x7ffL << 52;

  /** 5^q, its highest bit moved to bit 127: upper and lower half. */
  private static final long[] UPPER = new long[GREATEST_POWER - LEAST_POWER + 1];

  private static final long[] LOWER = new long[GREATEST_POWER - LEAST_POWER + 1];

  static {
    for (int power = LEAST_POWER; power <= GREATEST_POWER; power++) {
      BigInteger bits = first128Bits(power);
      UPPER[power - LEAST_POWER] = bits.shiftRight(64).longValue();
      LOWER[power - LEAST_POWER] = bits.longValue();
    }
  }

  private DecimalRounding() {}

  /** Cut off; small reciprocals are rounded up, so that exact halves are seen as such. */
  private static BigInteger first128Bits(int power) {
    BigInteger five = BigInteger.valueOf(5).pow(Math.abs(power));
    if (power >= 0) {
      return five.shiftLeft(128).shiftRight(five.bitLength());
    }
    BigInteger reciprocal = BigInteger.ONE.shiftLeft(five.bitLength() + 127).divide(five);
    return power >= -27 ? reciprocal.add(BigInteger.ONE) : reciprocal;
  }

  /**
   * The bits of the float64 nearest to {@code digits * 10^power}, ties to even; those of infinity
   * if it is too big.
   *
   * @param digits unsigned, not 0
   */
  static long bits(long digits, int power) {
    if (power < LEAST_POWER) {
      return UNDECIDED;
    }
    if (power > GREATEST_POWER) {
      return INFINITY;
    }
    int shift = Long.numberOfLeadingZeros(digits);
    long factor = digits << shift;
    long upper = UPPER[power - LEAST_POWER];
    long low = factor * upper;
    long high = Math.unsignedMultiplyHigh(factor, upper);
    if ((high & 0x1ff) == 0x1ff) {
      long more = Math.unsignedMultiplyHigh(factor, LOWER[power - LEAST_POWER]);
      low += more;
      if (Long.compareUnsigned(low, more) < 0) {
        high++;
      }
    }
    return round(high, low, power, shift);
  }

  private static long round(long high, long low, int power, int shift) {
    int top = (int) (high >>> 63);
    // 217706 / 2^16 is log2(10) closely enough for these powers.
    long exponent = ((217_706L * power) >> 16) + 63 + top - shift + 1023;
    if (exponent <= 0) {
      return UNDECIDED;
    }
    long mantissa = high >>> (top + 9);
    boolean halfway = Long.compareUnsigned(low, 1) <= 0 && power >= -4 && power <= 23;
    if (halfway && (mantissa & 3) == 1 && mantissa << (top + 9) == high) {
      mantissa--;
    }
    mantissa = (mantissa + (mantissa & 1)) >>> 1;
    if (mantissa == 1L << 53) {
      mantissa = 1L << 52;
      exponent++;
    }
    return exponent >= 0x7ff ? INFINITY : (exponent << 52) | (mantissa & ((1L << 52) - 1));
  }
}
