package org.inferometer.remote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;
import org.inferometer.io.ProtoWriter;

/**
 * The message {@code Histogram} of remote write and read, the same in both versions. Source:
 * prometheus/prometheus, {@code prompb/types.proto} and {@code prompb/io/prometheus/write/v2}.
 */
final class HistogramProto {
  /** More than any schema gives for what is observed; each bucket takes a byte of a request. */
  private static final int BUCKETS_MAX = 65_536;

  /** No float64 lies in a bucket beyond, in the finest schema. */
  private static final int INDEX_MAX = 1 << 20;

  private static final List<ResetHint> HINTS =
      List.of(ResetHint.UNKNOWN, ResetHint.RESET, ResetHint.NOT_RESET, ResetHint.GAUGE);

  /** A histogram and when it was taken. */
  record Timed(long timestampMs, NativeHistogram histogram) {}

  /** The buckets of one sign while they are read: neighbours in spans, counts as such or deltas. */
  private static final class Side {
    private final List<int[]> spans = new ArrayList<>();
    private final Doubles counts = new Doubles();
    private double last;

    void span(ProtoReader span) throws ProtoException {
      int offset = 0;
      int length = 0;
      while (span.next()) {
        switch (span.field()) {
          case 1 -> offset = (int) span.zigzag();
          case 2 -> length = span.varint32();
          default -> {}
        }
      }
      if (spans.size() >= BUCKETS_MAX) {
        throw new IllegalArgumentException("more than " + BUCKETS_MAX + " spans");
      }
      spans.add(new int[] {offset, length});
    }

    void delta(long delta) {
      last += delta;
      counts.add(last);
    }

    Buckets buckets() {
      int[] indexes = new int[counts.size];
      int n = 0;
      int next = 0;
      for (int[] span : spans) {
        next = Math.addExact(next, span[0]);
        if (span[1] < 0 || span[1] > indexes.length - n) {
          throw new IllegalArgumentException(
              "spans need more buckets than the " + indexes.length + " there are");
        }
        for (int i = 0; i < span[1]; i++) {
          requireIndex(next);
          indexes[n++] = next;
          next = Math.addExact(next, 1);
        }
      }
      if (n < indexes.length) {
        throw new IllegalArgumentException("spans need " + n + " buckets, got " + indexes.length);
      }
      return Buckets.of(indexes, counts.toArray());
    }
  }

  private static void requireIndex(int index) {
    if (index < -INDEX_MAX || index > INDEX_MAX) {
      throw new IllegalArgumentException(
          "expected bucket indexes from -" + INDEX_MAX + " to " + INDEX_MAX + ", got " + index);
    }
  }

  /** A growing array with a limit. */
  private static final class Doubles {
    private double[] values = new double[8];
    private int size;

    void add(double value) {
      if (size == BUCKETS_MAX) {
        throw new IllegalArgumentException("more than " + BUCKETS_MAX + " buckets");
      }
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    double[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }

  private double count;
  private double sum;
  private int schema;
  private double zeroThreshold;
  private double zeroCount;
  private final Side negative = new Side();
  private final Side positive = new Side();
  private final Doubles customBounds = new Doubles();
  private ResetHint hint = ResetHint.UNKNOWN;
  private long timestampMs;

  private HistogramProto() {}

  /**
   * @throws ProtoException if it isn't a message
   * @throws IllegalArgumentException if what it says isn't a histogram
   */
  static Timed read(ProtoReader reader) throws ProtoException {
    HistogramProto read = new HistogramProto();
    while (reader.next()) {
      read.field(reader);
    }
    try {
      return new Timed(read.timestampMs, read.histogram());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("a bucket index beyond 32 bits", e);
    }
  }

  private void field(ProtoReader reader) throws ProtoException {
    switch (reader.field()) {
      case 1 -> count = ProtoReader.unsigned(reader.varint());
      case 2 -> count = reader.float64();
      case 3 -> sum = reader.float64();
      case 4 -> schema = (int) reader.zigzag();
      case 5 -> zeroThreshold = reader.float64();
      case 6 -> zeroCount = ProtoReader.unsigned(reader.varint());
      case 7 -> zeroCount = reader.float64();
      case 8 -> negative.span(reader.message());
      case 9 -> reader.zigzags(negative::delta);
      case 10 -> reader.float64s(negative.counts::add);
      case 11 -> positive.span(reader.message());
      case 12 -> reader.zigzags(positive::delta);
      case 13 -> reader.float64s(positive.counts::add);
      case 14 -> hint = hint(reader.varint());
      case 15 -> timestampMs = reader.varint();
      case 16 -> reader.float64s(customBounds::add);
      default -> {}
    }
  }

  private static ResetHint hint(long number) {
    return number >= 0 && number < HINTS.size() ? HINTS.get((int) number) : ResetHint.UNKNOWN;
  }

  private static void requireCounts(Buckets buckets) {
    for (int i = 0; i < buckets.size(); i++) {
      if (!(buckets.count(i) >= 0)) {
        throw new IllegalArgumentException("a bucket that counts " + buckets.count(i));
      }
    }
  }

  private NativeHistogram histogram() {
    Buckets above = positive.buckets();
    Buckets below = negative.buckets();
    requireCounts(above);
    requireCounts(below);
    if (!(count >= 0) || !(zeroCount >= 0)) {
      throw new IllegalArgumentException("a count of " + count + ", of zero " + zeroCount);
    }
    boolean custom = schema == NativeHistogram.CUSTOM_SCHEMA;
    if (!custom && customBounds.size > 0) {
      throw new IllegalArgumentException("custom bounds with schema " + schema);
    }
    return new NativeHistogram(
        schema, count, sum, zeroThreshold, zeroCount, above, below, customBounds.toArray(), hint);
  }

  /** Writes the fields, counts as floats. */
  static void write(ProtoWriter writer, long timestampMs, NativeHistogram histogram) {
    writer
        .float64(2, histogram.count())
        .float64(3, histogram.sum())
        .zigzag(4, histogram.schema())
        .float64(5, histogram.zeroThreshold())
        .float64(7, histogram.zeroCount());
    spans(writer, 8, histogram.negative());
    writer.float64s(10, counts(histogram.negative()));
    spans(writer, 11, histogram.positive());
    writer.float64s(13, counts(histogram.positive()));
    writer
        .varint(14, HINTS.indexOf(histogram.resetHint()))
        .varint(15, timestampMs)
        .float64s(16, histogram.customBounds());
  }

  private static void spans(ProtoWriter writer, int field, Buckets buckets) {
    int next = 0;
    int i = 0;
    while (i < buckets.size()) {
      int first = buckets.index(i);
      int length = 1;
      while (i + length < buckets.size() && buckets.index(i + length) == first + length) {
        length++;
      }
      int offset = first - next;
      int spanLength = length;
      writer.message(field, span -> span.zigzag(1, offset).varint(2, spanLength));
      next = first + length;
      i += length;
    }
  }

  private static double[] counts(Buckets buckets) {
    double[] counts = new double[buckets.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets.count(i);
    }
    return counts;
  }
}
