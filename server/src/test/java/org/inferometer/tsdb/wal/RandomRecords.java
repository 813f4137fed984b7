package org.inferometer.tsdb.wal;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.inferometer.model.StalenessMarker;
import org.inferometer.tsdb.chunk.RandomHistograms;

/** Records of every kind, from a seed: like those of scrapes, and with extreme numbers. */
final class RandomRecords {
  private static final long START_MS = 1_700_000_000_000L;

  private final Random random;
  private final RandomHistograms histograms;

  private final int entriesMax;

  RandomRecords(long seed) {
    this(seed, 3_000);
  }

  /**
   * @param entriesMax how many a record may have
   */
  RandomRecords(long seed, int entriesMax) {
    this.entriesMax = entriesMax;
    random = new Random(seed);
    histograms = new RandomHistograms(random);
  }

  List<WalRecord> list(int count) {
    return several(count, this::next);
  }

  private static <E> List<E> several(int count, Supplier<E> supplier) {
    List<E> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(supplier.get());
    }
    return List.copyOf(list);
  }

  WalRecord next() {
    int count = random.nextInt(20) == 0 ? 1 + random.nextInt(entriesMax) : 1 + random.nextInt(12);
    return switch (random.nextInt(8)) {
      case 0 -> new WalRecord.Series(several(count, this::series));
      case 1 -> new WalRecord.Tombstones(several(count, this::tombstone));
      case 2 -> new WalRecord.Exemplars(several(count, this::exemplar));
      case 3 -> new WalRecord.Metadata(several(count, this::metadata));
      case 4 -> histogramsOfOneKind();
      default -> new WalRecord.Samples(samples(count));
    };
  }

  private long ref() {
    return random.nextInt(50) == 0 ? random.nextLong() : 1 + random.nextInt(5_000);
  }

  private long timeMs() {
    return random.nextInt(50) == 0 ? random.nextLong() : START_MS + random.nextInt(60_000);
  }

  private double value() {
    return switch (random.nextInt(10)) {
      case 0 -> StalenessMarker.VALUE;
      case 1 -> Double.longBitsToDouble(random.nextLong());
      case 2 -> random.nextGaussian();
      default -> random.nextInt(1_000);
    };
  }

  Labels labels() {
    Labels.Builder builder = new Labels.Builder();
    for (int i = random.nextInt(6); i > 0; i--) {
      builder.set(word(), word());
    }
    return builder.build();
  }

  private String word() {
    return switch (random.nextInt(12)) {
      case 0 -> "größe€" + random.nextInt(9);
      case 1 -> new String(Character.toChars(0x1f600 + random.nextInt(20)));
      case 2 -> "x".repeat(random.nextInt(400));
      default -> "label_" + random.nextInt(100);
    };
  }

  private WalRecord.NewSeries series() {
    return new WalRecord.NewSeries(ref(), labels());
  }

  private WalRecord.Deletion tombstone() {
    return new WalRecord.Deletion(ref(), timeMs(), timeMs());
  }

  private WalRecord.SeriesExemplar exemplar() {
    double finite = random.nextGaussian();
    return new WalRecord.SeriesExemplar(ref(), new Exemplar(labels(), finite, timeMs()));
  }

  private WalRecord.SeriesMetadata metadata() {
    MetricType[] types = MetricType.values();
    return new WalRecord.SeriesMetadata(
        ref(), new MetricMetadata(types[random.nextInt(types.length)], word(), word()));
  }

  /** One record comes back as one only if all have the same type. */
  private WalRecord.Histograms histogramsOfOneKind() {
    List<WalRecord.HistogramSample> all = several(1 + random.nextInt(20), this::histogram);
    int type = HistogramCodec.type(all.getFirst().histogram());
    return new WalRecord.Histograms(
        all.stream().filter(h -> HistogramCodec.type(h.histogram()) == type).toList());
  }

  WalRecord.HistogramSample histogram() {
    return new WalRecord.HistogramSample(ref(), timeMs(), histograms.next());
  }

  WalSamples samples(int count) {
    WalSamples samples = new WalSamples();
    long timestampMs = timeMs();
    for (int i = 0; i < count; i++) {
      samples.add(ref(), random.nextInt(9) == 0 ? timeMs() : timestampMs, value());
    }
    return samples;
  }
}
