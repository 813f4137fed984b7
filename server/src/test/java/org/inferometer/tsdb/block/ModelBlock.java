package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.ChunkRuns;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.inferometer.tsdb.chunk.SeriesChunks;

/** Series from a seed, in memory as the model, and as a block. */
final class ModelBlock {
  static final long START_MS = 1_700_000_000_000L;
  static final long END_MS = START_MS + 7_200_000;

  private static final List<Matcher.Type> TYPES =
      List.of(
          Matcher.Type.EQUAL, Matcher.Type.NOT_EQUAL, Matcher.Type.REGEX, Matcher.Type.NOT_REGEX);

  private final TreeMap<Labels, SampleColumns> samples = new TreeMap<>();
  private final Random random;

  ModelBlock(long seed) {
    this(seed, 1 + new Random(seed).nextInt(60));
  }

  ModelBlock(long seed, int seriesCount) {
    random = new Random(seed);
    for (int i = 0; i < seriesCount; i++) {
      samples.put(randomLabels(i), randomSamples());
    }
  }

  private Labels randomLabels(int i) {
    Labels.Builder labels = Labels.EMPTY.toBuilder().set("id", "" + i);
    labels.set("__name__", random.nextInt(6) == 0 ? "" : "metric_" + random.nextInt(4));
    labels.set("zone", List.of("", "a", "b", "größe", "\ud83d\ude00").get(random.nextInt(5)));
    if (random.nextInt(8) == 0) {
      labels.set("long", "x".repeat(random.nextInt(1, 400)));
    }
    return labels.build();
  }

  private SampleColumns randomSamples() {
    SampleColumns columns = new SampleColumns();
    long timeMs = START_MS + random.nextInt(3_600_000);
    boolean isHistogram = random.nextInt(5) == 0;
    RandomHistograms histograms = new RandomHistograms(random);
    int count = 1 + random.nextInt(random.nextBoolean() ? 10 : 400);
    double value = 0;
    for (int i = 0; i < count && timeMs < END_MS; i++) {
      value += random.nextInt(3) == 0 ? random.nextDouble() : random.nextInt(5);
      if (random.nextInt(50) == 0) {
        columns.add(timeMs, StalenessMarker.VALUE);
      } else if (isHistogram) {
        columns.add(timeMs, histograms.next());
      } else {
        columns.add(timeMs, value);
      }
      timeMs += random.nextInt(30) == 0 ? random.nextInt(1, 900_000) : 15_000;
    }
    return columns;
  }

  Map<Labels, SampleColumns> samples() {
    return samples;
  }

  /** A series with the chunks that a head would make. */
  static SeriesChunks series(Labels labels, SampleColumns columns) {
    return new SeriesChunks(labels, chunks(columns));
  }

  static List<Chunk> chunks(SampleColumns columns) {
    return ChunkRuns.of(columns).stream().map(ChunkBuilder::seal).toList();
  }

  BlockMeta write(Disk disk, Path parent, long chunkFileBytesMax) throws IOException {
    Ulid ulid = Ulid.of(START_MS, random);
    try (BlockWriter writer = new BlockWriter(disk, parent, ulid, chunkFileBytesMax)) {
      for (var series : samples.entrySet()) {
        writer.add(series(series.getKey(), series.getValue()));
      }
      BlockMeta meta = writer.finish(BlockWriter.ofHead(ulid, START_MS, END_MS, List.of()));
      return Objects.requireNonNull(meta);
    }
  }

  /** What a querier should give. */
  List<String> select(List<Matcher> matchers, long minMs, long maxMs) {
    List<String> selected = new ArrayList<>();
    samples.forEach(
        (labels, columns) -> {
          String text = text(columns, minMs, maxMs);
          if (!text.isEmpty() && matchers.stream().allMatch(m -> m.matches(labels))) {
            selected.add(labels + text);
          }
        });
    return selected;
  }

  /** What a querier gives. */
  static List<String> read(Querier querier, List<Matcher> matchers) {
    List<String> selected = new ArrayList<>();
    for (Series series : querier.select(matchers)) {
      SampleColumns columns = new SampleColumns();
      series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      selected.add(series.labels() + text(columns, Long.MIN_VALUE, Long.MAX_VALUE));
    }
    return selected;
  }

  static String text(SampleColumns columns, long minMs, long maxMs) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.timestampMs(i) >= minMs && columns.timestampMs(i) <= maxMs) {
        text.append(' ').append(columns.timestampMs(i)).append(' ').append(value(columns, i));
      }
    }
    return text.toString();
  }

  private static String value(SampleColumns columns, int i) {
    var histogram = columns.histogram(i);
    return histogram == null
        ? Long.toHexString(Double.doubleToRawLongBits(columns.value(i)))
        : histogram.withHint(ResetHint.UNKNOWN).toString();
  }

  /** Matchers of which some pass something. */
  List<Matcher> randomMatchers(Random random) {
    List<Matcher> matchers = new ArrayList<>();
    List<String> values = List.of("", "a", "b", "größe", "metric_1", "a|b", "metric_.*", ".+", "7");
    for (int i = random.nextInt(3); i >= 0; i--) {
      matchers.add(
          new Matcher(
              TYPES.get(random.nextInt(4)),
              List.of("zone", "__name__", "id", "none").get(random.nextInt(4)),
              values.get(random.nextInt(values.size()))));
    }
    return matchers;
  }
}
