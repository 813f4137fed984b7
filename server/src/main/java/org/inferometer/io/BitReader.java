package org.inferometer.io;

/**
 * Reads bits from a byte array that has {@link BitWriter#PADDING} spare bytes behind its data, the
 * highest bit of a byte first. Reading beyond the array throws {@link IndexOutOfBoundsException}.
 * Not thread-safe.
 */
public final class BitReader {
  private final byte[] bytes;
  private int position;

  /**
   * @param position the bit to begin at
   */
  public BitReader(byte[] bytes, int position) {
    this.bytes = bytes;
    this.position = position;
  }

  /** The bit that is read next. */
  public int position() {
    return position;
  }

  public void skip(int bits) {
    position += bits;
  }

  /** The next bits in the highest places of a number; the lowest seven of it mean nothing. */
  public long peek() {
    return (long) BitWriter.LONG.get(bytes, position >>> 3) << (position & 7);
  }

  /** The next 1 to 64 bits as an unsigned number. */
  public long readBits(int count) {
    if (count > 57) {
      long high = readBits(count - 32);
      return (high << 32) | readBits(32);
    }
    long bits = peek() >>> (64 - count);
    position += count;
    return bits;
  }

  /**
   * @throws IllegalStateException if it takes more than ten bytes
   */
  public long readUnsignedVarint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      long next = readBits(8);
      value |= (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new IllegalStateException("expected a varint of ten bytes at most");
  }

  public long readVarint() {
    long value = readUnsignedVarint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number as {@link BitWriter#writeVarbit} writes it. */
  public long readVarbit() {
    long next = peek();
    if (next >= 0) {
      position++;
      return 0;
    }
    int ones = Math.min(VarbitSizes.LARGEST, Long.numberOfLeadingZeros(~next));
    int size = VarbitSizes.bits(ones);
    long value = readInSize(ones, size);
    return size < Long.SIZE && value > 1L << (size - 1) ? value - (1L << size) : value;
  }

  /** A number as {@link BitWriter#writeUnsignedVarbit} writes it. */
  public long readUnsignedVarbit() {
    long next = peek();
    if (next >= 0) {
      position++;
      return 0;
    }
    int ones = Math.min(VarbitSizes.LARGEST, Long.numberOfLeadingZeros(~next));
    return readInSize(ones, VarbitSizes.bits(ones));
  }

  private long readInSize(int ones, int size) {
    position += Math.min(ones + 1, VarbitSizes.LARGEST);
    return readBits(size);
  }
}
