package org.inferometer.io;

/** How many bits the numbers of a varbit take, by the number of ones that announce the size. */
final class VarbitSizes {
  /** Ones before the largest size; no zero comes after these. */
  static final int LARGEST = 8;

  private static final int[] BITS = {0, 3, 6, 9, 12, 18, 25, 56, 64};

  private VarbitSizes() {}

  static int bits(int ones) {
    return BITS[ones];
  }

  /** The ones for the smallest size that holds a signed number. */
  static int signed(long value) {
    int ones = 0;
    while (ones < LARGEST && !fitsSigned(value, BITS[ones])) {
      ones++;
    }
    return ones;
  }

  private static boolean fitsSigned(long value, int bits) {
    long half = bits == 0 ? 0 : 1L << (bits - 1);
    return bits == 0 ? value == 0 : 1 - half <= value && value <= half;
  }

  /** The same for an unsigned number. */
  static int unsigned(long value) {
    int needed = Long.SIZE - Long.numberOfLeadingZeros(value);
    int ones = 0;
    while (BITS[ones] < needed) {
      ones++;
    }
    return ones;
  }
}
