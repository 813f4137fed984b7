package org.inferometer.tsdb.chunk;

import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.store.SampleColumns;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HistogramChunk} in the making.
 *
 * <p>The buckets of its first histogram make its layout. A later one that counts something in other
 * buckets makes the builder give way to another one with these in its layout, which encodes the
 * samples again; one that misses buckets of the layout counts nothing in them. A chunk of counters
 * has no reset behind its first sample.
 */
final class HistogramChunkBuilder extends ChunkBuilder {
  /** A chunk is full with as many bytes, if it has {@link #SAMPLES_MIN}; as in Prometheus. */
  static final int BYTES_TARGET = 1_024;

  static final int SAMPLES_MIN = 10;

  /** A layout isn't widened beyond this: samples would have to carry too many empty buckets. */
  private static final int WIDENED_MAX = 512;

  /** Bytes of the object, its writer and array without the data. */
  private static final int OVERHEAD_BYTES = 48 + WRITER_BYTES;

  private static final int CAPACITY_FIRST = 96;

  private enum Fit {
    AS_IT_IS,
    WITH_MORE_BUCKETS,
    NOT
  }

  private final HistogramState state;
  private ChunkStart start;
  private long lastDelta;

  private HistogramChunkBuilder(
      HistogramState state, ChunkStart start, long timestampMs, NativeHistogram h) {
    super(timestampMs, CAPACITY_FIRST);
    this.state = state;
    this.start = start;
    out.writeBits(0, 8);
    state.layout().write(out);
    out.writeVarbit(timestampMs);
    state.write(out, h, true);
  }

  /** A builder that begins with a histogram, by what is known of the sample before. */
  static HistogramChunkBuilder after(
      @Nullable ChunkBuilder before, long timestampMs, NativeHistogram h) {
    return begin(start(before, h), timestampMs, h);
  }

  /** A builder that begins with a histogram that began a chunk before. */
  static HistogramChunkBuilder again(long timestampMs, NativeHistogram h) {
    return begin(ChunkStart.ofHint(h.resetHint()), timestampMs, h);
  }

  private static HistogramChunkBuilder begin(
      ChunkStart start, long timestampMs, NativeHistogram h) {
    HistogramState state =
        HistogramState.of(HistogramLayout.of(h), !WholeHistogramState.canHold(h));
    return new HistogramChunkBuilder(state, start, timestampMs, h);
  }

  /** That there was no reset is believed of the numbers only. */
  private static ChunkStart start(@Nullable ChunkBuilder before, NativeHistogram h) {
    if (h.isGauge() || h.resetHint() == ResetHint.RESET) {
      return ChunkStart.ofHint(h.resetHint());
    }
    return before instanceof HistogramChunkBuilder histograms && !histograms.isGauge()
        ? histograms.startOfNext(h)
        : ChunkStart.UNKNOWN;
  }

  private ChunkStart startOfNext(NativeHistogram h) {
    if (isResetInTotals(h)) {
      return ChunkStart.RESET_SEEN;
    }
    if (!state.layout().suits(h)) {
      return ChunkStart.UNKNOWN;
    }
    return fitOfBuckets(h) == Fit.NOT ? ChunkStart.RESET_SEEN : ChunkStart.NOT_RESET;
  }

  private boolean isGauge() {
    return start == ChunkStart.GAUGE;
  }

  /** The newest sample, without a hint. */
  private NativeHistogram last() {
    HistogramLayout layout = state.layout();
    return new NativeHistogram(
        layout.schema(),
        state.count(),
        state.sum(),
        layout.zeroThreshold(),
        state.zeroCount(),
        buckets(layout.positive(), 0),
        buckets(layout.negative(), layout.positive().length),
        layout.customBounds(),
        ResetHint.UNKNOWN);
  }

  private Buckets buckets(int[] indexes, int firstPlace) {
    double[] counts = new double[indexes.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = state.bucket(firstPlace + i);
    }
    return Buckets.of(indexes, counts);
  }

  @Override
  public boolean isFull() {
    return size() >= Chunk.SAMPLES_MAX
        || (size() >= SAMPLES_MIN && out.byteCount() >= BYTES_TARGET);
  }

  @Override
  boolean isOverfull() {
    return size() > Chunk.SAMPLES_MAX
        || (size() >= 2 * SAMPLES_MIN && out.byteCount() >= 2 * BYTES_TARGET);
  }

  @Override
  public boolean endsWith(double value, @Nullable NativeHistogram histogram) {
    return histogram != null && last().sameAs(histogram);
  }

  @Override
  public void forgetPast() {
    start = start.withoutPast();
  }

  @Override
  public int memoryBytes() {
    return OVERHEAD_BYTES + out.bytes().length + state.memoryBytes() + state.layout().memoryBytes();
  }

  @Override
  public @Nullable ChunkBuilder with(
      long timestampMs, double value, @Nullable NativeHistogram histogram) {
    if (histogram == null) {
      return null;
    }
    return switch (fit(histogram)) {
      case AS_IT_IS -> add(timestampMs, histogram);
      case WITH_MORE_BUCKETS -> widened(timestampMs, histogram);
      case NOT -> null;
    };
  }

  private Fit fit(NativeHistogram h) {
    if (h.isGauge() != isGauge()
        || !state.layout().suits(h)
        || (state instanceof WholeHistogramState && !WholeHistogramState.canHold(h))
        || (!isGauge() && isResetInTotals(h))) {
      return Fit.NOT;
    }
    return fitOfBuckets(h);
  }

  private Fit fitOfBuckets(NativeHistogram h) {
    HistogramLayout layout = state.layout();
    Fit positive = fit(layout.positive(), h.positive(), 0);
    return positive == Fit.NOT
        ? Fit.NOT
        : wider(positive, fit(layout.negative(), h.negative(), layout.positive().length));
  }

  private static Fit wider(Fit a, Fit b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private boolean isResetInTotals(NativeHistogram h) {
    return h.resetHint() == ResetHint.RESET
        || h.count() < state.count()
        || h.zeroCount() < state.zeroCount();
  }

  /** Goes through the layout's buckets of one sign and a histogram's side by side. */
  private Fit fit(int[] indexes, Buckets buckets, int firstPlace) {
    Fit fit = Fit.AS_IT_IS;
    int i = 0;
    int b = 0;
    while (i < indexes.length || b < buckets.size()) {
      boolean isOurs =
          b == buckets.size() || (i < indexes.length && indexes[i] <= buckets.index(b));
      boolean isTheirs =
          i == indexes.length || (b < buckets.size() && buckets.index(b) <= indexes[i]);
      double count = isTheirs ? buckets.count(b++) : 0;
      if (!isOurs && count != 0) {
        fit = Fit.WITH_MORE_BUCKETS;
      } else if (isOurs && !isGauge() && count < state.bucket(firstPlace + i)) {
        return Fit.NOT;
      }
      i += isOurs ? 1 : 0;
    }
    return fit;
  }

  private HistogramChunkBuilder add(long timestampMs, NativeHistogram h) {
    long delta = timestampMs - maxMs();
    out.writeVarbit(delta - lastDelta);
    lastDelta = delta;
    state.write(out, h, false);
    grew(timestampMs);
    return this;
  }

  private @Nullable HistogramChunkBuilder widened(long timestampMs, NativeHistogram h) {
    HistogramLayout layout = state.layout().widened(h);
    if (layout.size() > WIDENED_MAX) {
      return null;
    }
    SampleColumns samples = new SampleColumns(size());
    view().read(minMs(), maxMs(), samples);
    HistogramChunkBuilder wide =
        new HistogramChunkBuilder(
            HistogramState.of(layout, state instanceof FloatHistogramState),
            start,
            minMs(),
            histogramAt(samples, 0));
    for (int i = 1; i < samples.size(); i++) {
      wide.add(samples.timestampMs(i), histogramAt(samples, i));
    }
    return wide.add(timestampMs, h);
  }

  private static NativeHistogram histogramAt(SampleColumns samples, int index) {
    NativeHistogram histogram = samples.histogram(index);
    if (histogram == null) {
      throw new IllegalStateException("expected a histogram at " + samples.timestampMs(index));
    }
    return histogram;
  }

  @Override
  HistogramChunk chunk(byte[] bytes) {
    return new HistogramChunk(
        state instanceof FloatHistogramState,
        start,
        bytes,
        out.byteCount(),
        size(),
        minMs(),
        maxMs());
  }
}
