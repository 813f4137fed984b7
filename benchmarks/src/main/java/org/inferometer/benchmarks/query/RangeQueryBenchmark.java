package org.inferometer.benchmarks.query;

import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.store.Appender;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Queryable;
import org.inferometer.time.Ticker;
import org.inferometer.tsdb.Head;
import org.inferometer.tsdb.HeadOptions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a heavy range query takes: 30 replicas with 46 buckets each, so 1,380 series, over six
 * hours of samples every 15 s at a step of 15 s.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RangeQueryBenchmark {
  private static final int REPLICAS = 30;
  private static final int BUCKETS = 46;
  private static final int STEPS = 1_440;
  private static final long STEP_MS = 15_000;
  private static final long LEAD_STEPS = 20;
  private static final long SEED = 20260801;

  /** Where the samples are: plain arrays, or the encoded chunks of the head. */
  @Param({"arrays", "head"})
  public String store = "head";

  @Param({
    "histogram_quantile(0.99, sum by (le) (rate(x_bucket[5m])))",
    "rate(x_bucket[5m])",
    "x_bucket",
    "max_over_time(x_bucket[5m])"
  })
  public String query = "";

  private final int workers = Runtime.getRuntime().availableProcessors();
  private final ExecutorService pool = Executors.newFixedThreadPool(workers);
  private Queryable data = new MemorySeries();

  @Setup(Level.Trial)
  public void load() {
    if (store.equals("head")) {
      Head head = new Head(HeadOptions.defaults(), () -> (STEPS + LEAD_STEPS) * STEP_MS);
      data = head;
      fill(head);
    } else {
      MemorySeries series = new MemorySeries();
      data = series;
      forEachScrape((timeMs, labels, counts) -> addAll(series, timeMs, labels, counts));
    }
  }

  @TearDown(Level.Trial)
  public void close() {
    pool.shutdown();
  }

  @Benchmark
  public QueryResult range() throws QueryException {
    return new LocalQueryService(
            data,
            MetadataSource.none(),
            EngineOptions.DEFAULT,
            Ticker.system(),
            pool,
            pool,
            workers)
        .range(
            new RangeQuery(
                query, LEAD_STEPS * STEP_MS, (LEAD_STEPS + STEPS - 1) * STEP_MS, STEP_MS));
  }

  /** What one scrape of all replicas finds. */
  @FunctionalInterface
  private interface Scrape {
    void take(long timeMs, Labels[] labels, double[] counts);
  }

  private static void fill(Head head) {
    long[] refs = new long[REPLICAS * BUCKETS];
    forEachScrape(
        (timeMs, labels, counts) -> {
          Appender appender = head.appender();
          for (int i = 0; i < labels.length; i++) {
            if (timeMs == 0) {
              refs[i] = appender.series(labels[i]);
            }
            appender.append(refs[i], timeMs, counts[i]);
          }
          appender.commit();
        });
  }

  private static void addAll(MemorySeries series, long timeMs, Labels[] labels, double[] counts) {
    for (int i = 0; i < labels.length; i++) {
      series.add(labels[i], timeMs, counts[i]);
    }
  }

  private static void forEachScrape(Scrape scrape) {
    SplittableRandom random = new SplittableRandom(SEED);
    Labels[] labels = labels();
    double[] counts = new double[labels.length];
    for (int step = 0; step < STEPS + LEAD_STEPS; step++) {
      scrape.take(step * STEP_MS, labels, counts);
      for (int i = 0; i < labels.length; i++) {
        // Buckets are cumulative, so each is at least the one below.
        double below = i % BUCKETS == 0 ? 0 : counts[i - 1];
        counts[i] = Math.max(counts[i], below) + random.nextInt(3);
      }
    }
  }

  private static Labels[] labels() {
    Labels[] labels = new Labels[REPLICAS * BUCKETS];
    for (int i = 0; i < labels.length; i++) {
      int bucket = i % BUCKETS;
      labels[i] =
          Labels.of(
              Labels.NAME,
              "x_bucket",
              "job",
              "vllm",
              "model_name",
              "some/model-8b",
              "instance",
              "10.0.0." + i / BUCKETS + ":8000",
              "le",
              bucket == BUCKETS - 1 ? "+Inf" : String.valueOf(0.001 * Math.pow(1.3, bucket)));
    }
    return labels;
  }
}
