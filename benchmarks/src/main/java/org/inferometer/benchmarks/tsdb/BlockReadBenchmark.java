package org.inferometer.benchmarks.tsdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockWriter;
import org.inferometer.tsdb.block.CorruptBlockException;
import org.inferometer.tsdb.block.Ulid;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.ChunkRuns;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does one core take to find and decode what a P99 over six hours reads of a block: 30
 * replicas with 46 buckets each, scraped every 15 s, so 1,380 series of 1,440 samples? {@code
 * decodeAlone} is what of it the chunks cost if they were in memory.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BlockReadBenchmark {
  private static final int REPLICAS = 30;
  private static final int BUCKETS = 46;
  private static final int SCRAPES = 1_440;
  private static final long STEP_MS = 15_000;
  private static final long START_MS = 1_700_000_000_000L;
  private static final long END_MS = START_MS + SCRAPES * STEP_MS;

  private final List<Chunk> chunks = new ArrayList<>();
  private final SampleColumns columns = new SampleColumns(SCRAPES);

  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Block block;

  @Setup
  public void fill() throws IOException, CorruptBlockException {
    folder = Files.createTempDirectory("block");
    Ulid ulid = Ulid.of(START_MS, new Random(1));
    try (BlockWriter writer = new BlockWriter(Disk.real(), folder, ulid)) {
      for (SeriesChunks series : series()) {
        writer.add(series);
      }
      writer.finish(BlockWriter.ofHead(ulid, START_MS, END_MS, List.of()));
    }
    block = Block.open(Disk.real(), folder.resolve(ulid.toString()));
  }

  @TearDown
  public void remove() throws IOException {
    block.close();
    Disk.real().delete(folder);
  }

  private List<SeriesChunks> series() {
    Random random = new Random(1);
    Map<Labels, List<Chunk>> series = new TreeMap<>();
    for (int replica = 0; replica < REPLICAS; replica++) {
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        List<Chunk> counts = counts(random, bucket);
        chunks.addAll(counts);
        series.put(Buckets.labels("bucket", replica, bucket), counts);
        series.put(Buckets.labels("other", replica, bucket), counts);
      }
    }
    return series.entrySet().stream().map(s -> new SeriesChunks(s.getKey(), s.getValue())).toList();
  }

  /** A bucket as a busy replica counts: each scrape adds some requests, spread over the buckets. */
  private static List<Chunk> counts(Random random, int bucket) {
    List<Chunk> sealed = new ArrayList<>();
    double count = 0;
    SampleColumns samples = new SampleColumns(Chunk.SAMPLES_MAX);
    for (int scrape = 0; scrape < SCRAPES; scrape++) {
      count += Math.floorDiv(random.nextInt(40) * bucket, BUCKETS);
      samples.add(START_MS + scrape * STEP_MS + random.nextInt(3), count);
      if (samples.size() == Chunk.SAMPLES_MAX) {
        ChunkRuns.of(samples).stream().map(ChunkBuilder::seal).forEach(sealed::add);
        samples.clear();
      }
    }
    return sealed;
  }

  @Benchmark
  public int find() {
    try (Querier querier = block.querier(START_MS, END_MS)) {
      return Buckets.select(querier).size();
    }
  }

  @Benchmark
  public double findAndDecode() {
    double sum = 0;
    try (Querier querier = block.querier(START_MS, END_MS)) {
      for (Series series : Buckets.select(querier)) {
        columns.clear();
        series.read(START_MS, END_MS, columns);
        sum += columns.value(columns.size() - 1) + columns.size();
      }
    }
    return sum;
  }

  @Benchmark
  public double decodeAlone() {
    double sum = 0;
    for (Chunk chunk : chunks) {
      columns.clear();
      chunk.read(START_MS, END_MS, columns);
      sum += columns.value(columns.size() - 1) + columns.size();
    }
    return sum;
  }
}
