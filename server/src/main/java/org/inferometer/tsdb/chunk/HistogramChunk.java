package org.inferometer.tsdb.chunk;

import java.util.Arrays;
import java.util.function.Consumer;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.BitReader;
import org.inferometer.io.BitWriter;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.SampleColumns;

/**
 * A compressed run of native histograms that share a {@link HistogramLayout}, in one of
 * Prometheus's two encodings for them: counts are whole, or any numbers.
 *
 * <pre>
 * chunk     count (2 bytes, big-endian)  flags (1 byte)  layout  sample*
 * flags     0x00 unknown, 0x80 reset, 0x40 not reset since the sample before, 0xc0 gauge
 *
 * with whole counts
 * first     timestamp (varbit)  count, zero count (unsigned varbit)  sum (8 bytes)
 *           buckets (varbit each, as the difference from the bucket before)
 * other     the same but the change of the change of each (varbit), and the sum as {@link XorCode}
 *
 * with any counts
 * first     timestamp (varbit)  count, zero count, sum, buckets (8 bytes each)
 * other     change of the change of the timestamp (varbit), the others as {@link XorCode}
 * </pre>
 *
 * Buckets are the positive ones and then the negative ones, those that count nothing included. A
 * sample whose sum is the staleness marker has no buckets, unless it is the first; it is read as a
 * float marker. The format is that of prometheus/prometheus {@code tsdb/chunkenc/histogram.go} and
 * {@code float_histogram.go}, described in {@code tsdb/docs/format/chunks.md}.
 */
public final class HistogramChunk extends Chunk {
  /** Bytes of the object and its array without the data, with compressed references. */
  private static final int OVERHEAD_BYTES = 48 + 16 + 4;

  /** Where the layout begins. */
  private static final int LAYOUT_BIT = 24;

  private static final int FLAGS_BYTE = 2;

  private final boolean isFloat;
  private final ChunkStart start;

  /**
   * @param bytes the encoded samples and {@link BitWriter#PADDING} bytes more; count and flags
   *     aren't read
   * @param start what it says of its first sample
   */
  HistogramChunk(
      boolean isFloat,
      ChunkStart start,
      byte[] bytes,
      int byteCount,
      int size,
      long minMs,
      long maxMs) {
    super(bytes, byteCount, size, minMs, maxMs, Integer.MAX_VALUE);
    this.isFloat = isFloat;
    this.start = start;
  }

  /**
   * A chunk from bytes that may be anything.
   *
   * @param encoded as {@link #toBytes} gives it
   * @throws CorruptChunkException if its samples can't be read
   */
  static HistogramChunk parse(boolean isFloat, byte[] encoded) {
    byte[] padded = Arrays.copyOf(encoded, encoded.length + BitWriter.PADDING);
    int size = sizeOf(encoded, encoded.length);
    HistogramChunk chunk =
        of(isFloat, padded, encoded.length, size, Long.MIN_VALUE, Long.MAX_VALUE);
    return chunk.within(chunk.times());
  }

  /** A chunk from bytes that hold the flags too. */
  static HistogramChunk of(
      boolean isFloat, byte[] padded, int byteCount, int size, long minMs, long maxMs) {
    ChunkStart start = ChunkStart.ofFlags(padded[FLAGS_BYTE]);
    return new HistogramChunk(isFloat, start, padded, byteCount, size, minMs, maxMs);
  }

  private HistogramChunk within(long[] times) {
    return new HistogramChunk(
        isFloat, start, bytes(), byteCount(), size(), times[0], times[times.length - 1]);
  }

  /** The time of each sample, after a look at all else of it. */
  private long[] times() {
    long[] times = new long[size()];
    SampleColumns sample = new SampleColumns(1);
    walk(
        Long.MAX_VALUE,
        cursor -> {
          times[cursor.number - 1] = cursor.timestampMs;
          cursor.addTo(sample);
          sample.clear();
        });
    return times;
  }

  boolean isFloat() {
    return isFloat;
  }

  ChunkStart start() {
    return start;
  }

  @Override
  public Encoding encoding() {
    return isFloat ? Encoding.FLOAT_HISTOGRAM : Encoding.HISTOGRAM;
  }

  @Override
  int overheadBytes() {
    return OVERHEAD_BYTES;
  }

  @Override
  public byte[] toBytes() {
    byte[] encoded = super.toBytes();
    encoded[FLAGS_BYTE] = start.flags();
    return encoded;
  }

  @Override
  public HistogramChunk withoutPast() {
    return start.withoutPast() == start
        ? this
        : new HistogramChunk(
            isFloat, start.withoutPast(), bytes(), byteCount(), size(), minMs(), maxMs());
  }

  @Override
  void decode(long fromMs, long toMs, SampleColumns into) {
    walk(
        toMs,
        cursor -> {
          if (cursor.timestampMs >= fromMs) {
            cursor.addTo(into);
          }
        });
  }

  /** Stops at each sample up to a time. */
  private void walk(long toMs, Consumer<Cursor> visitor) {
    Cursor cursor = null;
    try {
      cursor = new Cursor(this);
      while (cursor.next() && cursor.timestampMs <= toMs) {
        visitor.accept(cursor);
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
      String place = cursor == null ? "layout" : "sample " + cursor.number;
      throw new CorruptChunkException(
          "expected a histogram chunk of %d samples in %d bytes, but its %s is malformed: %s"
              .formatted(size(), byteCount(), place, e.getMessage()),
          e);
    }
  }

  /** Goes through the samples of a chunk. */
  private static final class Cursor {
    private final HistogramChunk chunk;
    private final BitReader in;
    private final int endBit;
    private final HistogramState state;
    private final Buckets positive;
    private final Buckets negative;
    private long timestampMs;
    private long deltaMs;

    /** Samples read. */
    private int number;

    Cursor(HistogramChunk chunk) {
      this.chunk = chunk;
      in = new BitReader(chunk.bytes(), LAYOUT_BIT);
      endBit = chunk.byteCount() * 8;
      HistogramLayout layout = HistogramLayout.read(in, endBit);
      state = HistogramState.of(layout, chunk.isFloat);
      positive = Buckets.of(layout.positive(), new double[layout.positive().length]);
      negative = Buckets.of(layout.negative(), new double[layout.negative().length]);
    }

    /** Goes to the next sample; false if there is none. */
    boolean next() {
      if (number == chunk.size()) {
        return false;
      }
      readTimestamp();
      state.read(in, number == 0);
      if (in.position() > endBit) {
        throw new IllegalArgumentException(
            "expected it to end at bit %d, it reaches to %d".formatted(endBit, in.position()));
      }
      number++;
      return true;
    }

    private void readTimestamp() {
      if (number == 0) {
        timestampMs = in.readVarbit();
        return;
      }
      deltaMs += in.readVarbit();
      if (deltaMs == 0 || timestampMs + deltaMs < timestampMs) {
        throw new IllegalArgumentException("expected a later timestamp than " + timestampMs);
      }
      timestampMs += deltaMs;
    }

    void addTo(SampleColumns columns) {
      if (state.isStale()) {
        columns.add(timestampMs, StalenessMarker.VALUE);
      } else {
        columns.add(timestampMs, histogram());
      }
    }

    private NativeHistogram histogram() {
      int places = positive.size();
      return new NativeHistogram(
          state.layout().schema(),
          state.count(),
          state.sum(),
          state.layout().zeroThreshold(),
          state.zeroCount(),
          positive.withCounts(state::bucket),
          negative.withCounts(i -> state.bucket(places + i)),
          state.layout().customBounds(),
          hint());
    }

    private ResetHint hint() {
      return number == 1 || chunk.start == ChunkStart.GAUGE
          ? chunk.start.hint()
          : ResetHint.NOT_RESET;
    }
  }
}
