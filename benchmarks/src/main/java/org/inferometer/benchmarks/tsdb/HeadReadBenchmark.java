package org.inferometer.benchmarks.tsdb;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.Head;
import org.inferometer.tsdb.HeadOptions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does one core take to find and decode what a P99 over six hours reads: 30 replicas with
 * 46 buckets each, scraped every 15 s, so 1,380 series of 1,440 samples?
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HeadReadBenchmark {
  private static final int REPLICAS = 30;
  private static final int BUCKETS = 46;
  private static final int SCRAPES = 1_440;
  private static final long START_MS = 1_700_000_000_000L;

  private final AtomicLong now = new AtomicLong(START_MS);
  private final Head head =
      new Head(HeadOptions.defaults().withRetentionMs(24 * 3_600_000L), now::get);
  private final SampleColumns columns = new SampleColumns(SCRAPES);

  /** Buckets as a busy replica counts: each scrape adds some requests, spread over the buckets. */
  @Setup
  public void fill() {
    Random random = new Random(1);
    double[][] counts = new double[REPLICAS][BUCKETS];
    for (int scrape = 0; scrape < SCRAPES; scrape++) {
      for (int replica = 0; replica < REPLICAS; replica++) {
        Appender appender = head.appender();
        int requests = random.nextInt(40);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
          counts[replica][bucket] += Math.floorDiv(requests * bucket, BUCKETS);
          long jitterMs = random.nextInt(3);
          appender.append(
              appender.series(Buckets.labels("bucket", replica, bucket)),
              now.get() + jitterMs,
              counts[replica][bucket]);
          appender.append(
              appender.series(Buckets.labels("other", replica, bucket)), now.get(), bucket);
        }
        appender.commit();
      }
      now.addAndGet(15_000);
    }
  }

  @Benchmark
  public int find() {
    try (Querier querier = head.querier(START_MS, now.get())) {
      return Buckets.select(querier).size();
    }
  }

  @Benchmark
  public double findAndDecode() {
    double sum = 0;
    try (Querier querier = head.querier(START_MS, now.get())) {
      for (Series series : Buckets.select(querier)) {
        columns.clear();
        series.read(START_MS, now.get(), columns);
        sum += columns.value(columns.size() - 1) + columns.size();
      }
    }
    return sum;
  }
}
