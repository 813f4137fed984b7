package org.inferometer.benchmarks.tsdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.wal.Wal;
import org.inferometer.tsdb.wal.WalOptions;
import org.inferometer.tsdb.wal.WalReader;
import org.inferometer.tsdb.wal.WalRecord;
import org.inferometer.tsdb.wal.WalSamples;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does a sample take to be logged, as one of a scrape of 1,000 series, and to be read back
 * at a start?
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class WalBenchmark {
  private static final int SERIES = 1_000;
  private static final int SCRAPES = 1_000;
  private static final long START_MS = 1_700_000_000_000L;

  @Param({"true", "false"})
  public boolean compress;

  private final Random random = new Random(1);
  private final double[] counters = new double[SERIES];
  private final WalSamples scrape = new WalSamples();
  private final List<WalRecord> records = List.of(new WalRecord.Samples(scrape));
  private long nowMs = START_MS;
  private Path folder = Path.of("");
  private @Nullable Wal written;

  /** A log of a million samples to read, and another to write. */
  @Setup
  public void open() throws IOException {
    folder = Files.createTempDirectory("wal");
    try (Wal wal = Wal.open(Disk.real(), folder.resolve("read"), options())) {
      for (int i = 0; i < SCRAPES; i++) {
        scrape();
        wal.log(records);
      }
    }
    written = Wal.open(Disk.real(), folder.resolve("written"), options());
  }

  private WalOptions options() {
    return new WalOptions(WalOptions.defaults().segmentBytes(), compress);
  }

  /** Half of the series are as they were, the others count on or go up and down. */
  private void scrape() {
    scrape.clear();
    nowMs += 5_000;
    for (int i = 0; i < SERIES; i++) {
      counters[i] += i % 2 == 0 ? 0 : random.nextInt(50);
      double value = i % 10 == 1 ? random.nextDouble() : counters[i];
      scrape.add(i + 1, nowMs, value);
    }
  }

  @Setup(Level.Iteration)
  public void removeWritten() throws IOException {
    Wal wal = Objects.requireNonNull(written);
    wal.removeBefore(wal.cutSegment());
  }

  @TearDown
  public void close() throws IOException {
    Objects.requireNonNull(written).close();
    Disk.real().delete(folder);
  }

  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void log() throws IOException {
    Objects.requireNonNull(written).log(records);
  }

  @Benchmark
  @OperationsPerInvocation(SERIES * SCRAPES)
  public long read() throws IOException {
    long sum = 0;
    try (WalReader in = WalReader.open(Disk.real(), folder.resolve("read"))) {
      for (WalRecord next = in.next(); next != null; next = in.next()) {
        sum += next instanceof WalRecord.Samples samples ? samples.samples().size() : 0;
      }
    }
    return sum;
  }
}
