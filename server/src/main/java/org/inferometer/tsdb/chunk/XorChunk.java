package org.inferometer.tsdb.chunk;

import java.util.Arrays;
import org.inferometer.io.BitReader;
import org.inferometer.io.BitWriter;
import org.inferometer.store.SampleColumns;

/**
 * A compressed run of float samples in Prometheus's XOR encoding.
 *
 * <pre>
 * chunk     count (2 bytes, big-endian)  first  second  other*
 * first     timestamp (varint)  value (8 bytes)
 * second    delta (unsigned varint)  xor
 * other     delta of delta  xor
 * delta of delta   0                     0
 *                  10   + 14 bits        -8,191 ... 8,192
 *                  110  + 17 bits        -65,535 ... 65,536
 *                  1110 + 20 bits        -524,287 ... 524,288
 *                  1111 + 64 bits        any
 * xor              0                     the same bits as before
 *                  10 + bits             what differs, within the window of the last one
 *                  11 + leading zeros (5 bits) + length (6 bits, 0 means 64) + bits
 * </pre>
 *
 * Bits are written from the highest to the lowest, timestamps are in milliseconds. The format is
 * that of prometheus/prometheus {@code tsdb/chunkenc/xor.go}, the method that of Pelkonen et al.,
 * "Gorilla: a fast, scalable, in-memory time series database", VLDB 2015.
 */
public final class XorChunk extends Chunk {
  /** Bytes of the object and its array without the data, with compressed references. */
  static final int OVERHEAD_BYTES = 40 + 16 + 4;

  /** Bits of a peek that mean something. */
  private static final int PEEKED = 57;

  XorChunk(byte[] bytes, int byteCount, int size, long minMs, long maxMs, int gapMaxMs) {
    super(bytes, byteCount, size, minMs, maxMs, gapMaxMs);
  }

  /**
   * A chunk from bytes that may be anything.
   *
   * @throws CorruptChunkException if its samples can't be read
   */
  static XorChunk parse(byte[] encoded) {
    byte[] padded = Arrays.copyOf(encoded, encoded.length + BitWriter.PADDING);
    int size = sizeOf(encoded, encoded.length);
    XorCheck check = new XorCheck(padded, encoded.length, size);
    check.walk();
    return new XorChunk(
        padded, encoded.length, size, check.minMs(), check.maxMs(), check.gapMaxMs());
  }

  @Override
  public Encoding encoding() {
    return Encoding.XOR;
  }

  @Override
  int overheadBytes() {
    return OVERHEAD_BYTES;
  }

  @Override
  public XorChunk withoutPast() {
    return this;
  }

  @Override
  void decode(long fromMs, long toMs, SampleColumns into) {
    int start = into.size();
    try {
      decode(toMs, into);
      if (!gapIsKnown()) {
        check(toMs, start, into);
      }
    } catch (IndexOutOfBoundsException | IllegalStateException e) {
      into.resize(start);
      throw new CorruptChunkException(
          "expected %d samples in %d bytes, but they end early: %s"
              .formatted(size(), byteCount(), e.getMessage()),
          e);
    }
    if (fromMs > minMs() || !gapIsKnown()) {
      into.remove(start, into.firstAtOrAfter(fromMs, start));
    }
  }

  /** Looks at samples of which only a checksum has told anything so far. */
  private void check(long toMs, int start, SampleColumns decoded) {
    for (int i = start + 1; i < decoded.size(); i++) {
      if (decoded.timestampMs(i) <= decoded.timestampMs(i - 1)) {
        long before = decoded.timestampMs(i - 1);
        decoded.resize(start);
        throw new CorruptChunkException("expected a later timestamp than " + before);
      }
    }
    if (decoded.timestampMs(start) > toMs) {
      decoded.resize(start);
    }
  }

  /**
   * Appends the samples up to a time. The inner loop of every range query: it keeps its state in
   * locals, and most samples, whose time comes as expected and whose value changes little, take one
   * load of eight bytes.
   */
  private void decode(long toMs, SampleColumns into) {
    int size = size();
    into.reserve(size);
    long[] timestamps = into.timestampsMs();
    double[] values = into.values();
    int n = into.size();
    BitReader in = new BitReader(bytes(), 16);
    long t = in.readVarint();
    long bits = in.readBits(64);
    timestamps[n] = t;
    values[n++] = Double.longBitsToDouble(bits);
    long delta = 0;
    int window = 0;
    for (int i = 1; i < size; i++) {
      long next;
      int known;
      if (i > 1 && (next = in.peek()) >= 0) {
        next <<= 1;
        known = PEEKED - 1;
        in.skip(1);
      } else {
        delta = i == 1 ? in.readUnsignedVarint() : delta + readDeltaOfDelta(in);
        next = in.peek();
        known = PEEKED;
      }
      t += delta;
      if (t > toMs) {
        break;
      }
      if (next >= 0) {
        in.skip(1);
      } else {
        int prefix = 2;
        if ((next & (1L << 62)) != 0) {
          prefix = 13;
          window = (int) (next >>> 51) & 0x7ff;
        }
        int length = ((window - 1) & 0x3f) + 1;
        int trailing = 64 - (window >>> 6) - length;
        long difference;
        if (prefix + length <= known) {
          in.skip(prefix + length);
          difference = (next << prefix) >>> (64 - length);
        } else {
          in.skip(prefix);
          difference = in.readBits(length);
        }
        bits ^= difference << trailing;
      }
      timestamps[n] = t;
      values[n++] = Double.longBitsToDouble(bits);
    }
    if (in.position() > byteCount() * 8) {
      throw new IllegalStateException("they reach to bit " + in.position());
    }
    into.resize(n);
  }

  private static long readDeltaOfDelta(BitReader in) {
    long next = in.peek();
    if (next >= 0) {
      in.skip(1);
      return 0;
    }
    return switch (Long.numberOfLeadingZeros(~next)) {
      case 1 -> signed(in, next, 2, 14);
      case 2 -> signed(in, next, 3, 17);
      case 3 -> signed(in, next, 4, 20);
      default -> {
        in.skip(4);
        yield in.readBits(64);
      }
    };
  }

  /** The bits behind a prefix: the number with only the highest set is positive. */
  private static long signed(BitReader in, long next, int prefix, int count) {
    in.skip(prefix + count);
    long value = (next << prefix) >>> (64 - count);
    return value > 1L << (count - 1) ? value - (1L << count) : value;
  }
}
