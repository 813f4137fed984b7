package org.inferometer.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes bits into a growing byte array, the highest bit first. Not thread-safe, but what was
 * written stays as it is: bytes behind the position may change while another thread reads the same
 * array, the bits before it never do.
 *
 * <p>The array is always longer than what is written by {@link #PADDING} bytes at least, so that a
 * reader may load eight bytes at any position.
 */
public final class BitWriter {
  /** Spare bytes behind the last one written. */
  public static final int PADDING = 8;

  /** With the bits of a byte that was begun, these fit into eight bytes. */
  private static final int AT_ONCE_MAX = 57;

  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int bitCount;

  /**
   * @param capacity bytes that fit before the array has to grow
   */
  public BitWriter(int capacity) {
    bytes = new byte[capacity + PADDING];
  }

  /** The backing array; it is replaced when it grows. */
  public byte[] bytes() {
    return bytes;
  }

  public int bitCount() {
    return bitCount;
  }

  /** Bytes begun. */
  public int byteCount() {
    return (bitCount + 7) >>> 3;
  }

  /** Writes the lowest bits of a number, 1 to 64 of them. */
  public void writeBits(long value, int count) {
    if (count > AT_ONCE_MAX) {
      writeAtOnce(value >>> 32, count - 32);
      writeAtOnce(value, 32);
    } else {
      writeAtOnce(value, count);
    }
  }

  private void writeAtOnce(long value, int count) {
    int index = bitCount >>> 3;
    if (index + PADDING + Long.BYTES > bytes.length) {
      reserve(Long.BYTES);
    }
    long begun = (long) (bytes[index] & 0xff) << 56;
    long shifted = (value << (64 - count)) >>> (bitCount & 7);
    LONG.set(bytes, index, begun | shifted);
    bitCount += count;
  }

  /** Makes room for so many bytes more, and for more than that if the array has to grow. */
  public void reserve(int byteCount) {
    int needed = (bitCount >>> 3) + PADDING + byteCount;
    if (needed > bytes.length) {
      int grown = bytes.length + Math.max(16, bytes.length >> 1);
      bytes = Arrays.copyOf(bytes, Math.max(needed, grown));
    }
  }

  /** Writes seven bits a byte, the lowest first, with the highest bit set on all but the last. */
  public void writeUnsignedVarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      writeBits((rest & 0x7f) | 0x80, 8);
      rest >>>= 7;
    }
    writeBits(rest, 8);
  }

  /** Writes a varint with the sign in the lowest bit. */
  public void writeVarint(long value) {
    writeUnsignedVarint((value << 1) ^ (value >> 63));
  }

  /**
   * Writes a number in 1 bit if it is 0, else as so many ones that tell which of {@link
   * VarbitSizes} its length is, a zero (missing after eight ones), and its lowest bits. It is
   * Prometheus's varbit, from {@code tsdb/chunkenc/varbit.go}: in {@code n} bits are {@code
   * -(2^(n-1) - 1)} to {@code 2^(n-1)}, one more above zero than below.
   */
  public void writeVarbit(long value) {
    writeInSize(value, VarbitSizes.signed(value));
  }

  /** The same for an unsigned number: in {@code n} bits are 0 to {@code 2^n - 1}. */
  public void writeUnsignedVarbit(long value) {
    writeInSize(value, VarbitSizes.unsigned(value));
  }

  private void writeInSize(long value, int ones) {
    if (ones == VarbitSizes.LARGEST) {
      writeBits((1 << VarbitSizes.LARGEST) - 1, VarbitSizes.LARGEST);
      writeBits(value, Long.SIZE);
      return;
    }
    int size = VarbitSizes.bits(ones);
    long prefix = (2L << ones) - 2;
    writeBits((prefix << size) | (value & ((1L << size) - 1)), ones + 1 + size);
  }
}
