package org.inferometer.tsdb.chunk;

import org.inferometer.io.BitReader;
import org.inferometer.io.BitWriter;

/**
 * The code of a number's bits as the difference from the last one's: a 0 if there is none; 10 and
 * the bits within the window of the last difference; or 11, leading zeros (5 bits), length (6 bits,
 * 0 means 64) and bits, which opens a window. A window is kept as leading zeros times 256 plus
 * trailing zeros.
 */
final class XorCode {
  static final short NO_WINDOW = -1;

  private static final int LEADING_MAX = 31;

  private XorCode() {}

  /** Writes a difference and returns the window that the next one may use. */
  static short write(BitWriter out, long difference, short window) {
    if (difference == 0) {
      out.writeBits(0, 1);
      return window;
    }
    int leading = Math.min(LEADING_MAX, Long.numberOfLeadingZeros(difference));
    int trailing = Long.numberOfTrailingZeros(difference);
    if (window != NO_WINDOW && leading >= leading(window) && trailing >= trailing(window)) {
      out.writeBits(0b10, 2);
      out.writeBits(difference >>> trailing(window), length(window));
      return window;
    }
    int length = Long.SIZE - leading - trailing;
    out.writeBits((0b11L << 11) | ((long) leading << 6) | (length & 0x3f), 13);
    out.writeBits(difference >>> trailing, length);
    return window(leading, trailing);
  }

  /**
   * Reads the difference from one of the numbers, and sets that number and its window.
   *
   * @throws IllegalArgumentException if there is no window within 64 bits
   */
  static void read(BitReader in, long[] bits, short[] windows, int index) {
    long next = in.peek();
    if (next >= 0) {
      in.skip(1);
      return;
    }
    if ((next & (1L << 62)) == 0) {
      in.skip(2);
    } else {
      in.skip(13);
      windows[index] = window((int) (next >>> 51));
    }
    short window = windows[index];
    if (window == NO_WINDOW) {
      throw new IllegalArgumentException("expected a window before its first use");
    }
    bits[index] ^= in.readBits(length(window)) << trailing(window);
  }

  private static short window(int code) {
    int leading = (code >>> 6) & 0x1f;
    int length = (code & 0x3f) == 0 ? Long.SIZE : code & 0x3f;
    if (leading + length > Long.SIZE) {
      throw new IllegalArgumentException(
          "expected a window within 64 bits, got %d after %d".formatted(length, leading));
    }
    return window(leading, Long.SIZE - leading - length);
  }

  private static short window(int leading, int trailing) {
    return (short) ((leading << 8) | trailing);
  }

  private static int leading(short window) {
    return window >>> 8;
  }

  private static int trailing(short window) {
    return window & 0xff;
  }

  private static int length(short window) {
    return Long.SIZE - leading(window) - trailing(window);
  }
}
