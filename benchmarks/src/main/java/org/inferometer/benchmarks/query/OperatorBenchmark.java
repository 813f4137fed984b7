package org.inferometer.benchmarks.query;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.store.Appender;
import org.inferometer.store.MetadataSource;
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
 * How long each kind of operator takes, alone over its selector: 30 replicas over an hour of
 * samples every 15 s, at one time and over the hour at a step of 15 s.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class OperatorBenchmark {
  private static final int REPLICAS = 30;
  private static final int ENGINES = 2;
  private static final int BUCKETS = 23;
  private static final long STEP_MS = 15_000;
  private static final int STEPS = 240;
  private static final int LEAD_STEPS = 30;
  private static final long SEED = 20261129;

  private static final Map<String, String> QUERIES =
      Map.ofEntries(
          Map.entry("selector", "g"),
          Map.entry("regex selector", "x_bucket{instance=~\"replica-(1|2).*\",le!~\"0.*\"}"),
          Map.entry("rate", "rate(c_total[5m])"),
          Map.entry("increase of many", "increase(x_bucket[5m])"),
          Map.entry("max_over_time", "max_over_time(g[5m])"),
          Map.entry("quantile_over_time", "quantile_over_time(0.9, g[5m])"),
          Map.entry("sum by", "sum by (instance) (x_bucket)"),
          Map.entry("quantile", "quantile(0.9, g)"),
          Map.entry("topk", "topk(3, g)"),
          Map.entry("one-to-one", "g / c_total"),
          Map.entry("group_left", "c_total * on (instance) group_left () sum by (instance) (g)"),
          Map.entry("and", "g and c_total > 10"),
          Map.entry("scalar arithmetic", "g * 100 > bool 50"),
          Map.entry("histogram_quantile", "histogram_quantile(0.99, x_bucket)"),
          Map.entry("subquery", "max_over_time(rate(c_total[5m])[10m:1m])"),
          Map.entry("label_replace", "label_replace(g, \"n\", \"$1\", \"instance\", \".*-(.*)\")"),
          Map.entry("absent", "absent(g)"),
          Map.entry("sort", "sort_desc(g)"));

  @Param({
    "selector",
    "regex selector",
    "rate",
    "increase of many",
    "max_over_time",
    "quantile_over_time",
    "sum by",
    "quantile",
    "topk",
    "one-to-one",
    "group_left",
    "and",
    "scalar arithmetic",
    "histogram_quantile",
    "subquery",
    "label_replace",
    "absent",
    "sort"
  })
  public String operator = "";

  private final int workers = Runtime.getRuntime().availableProcessors();
  private final ExecutorService pool = Executors.newFixedThreadPool(workers);
  private final Head head = new Head(HeadOptions.defaults(), () -> (STEPS + LEAD_STEPS) * STEP_MS);
  private final QueryService queries =
      new LocalQueryService(
          head,
          MetadataSource.none(),
          EngineOptions.DEFAULT,
          Ticker.system(),
          Runnable::run,
          pool,
          workers);
  private String query = "";

  @Setup(Level.Trial)
  public void load() {
    query = QUERIES.getOrDefault(operator, operator);
    SplittableRandom random = new SplittableRandom(SEED);
    double[] counts = new double[REPLICAS * ENGINES * (BUCKETS + 1)];
    for (int step = 0; step < STEPS + LEAD_STEPS; step++) {
      Appender appender = head.appender();
      for (int replica = 0; replica < REPLICAS; replica++) {
        for (int engine = 0; engine < ENGINES; engine++) {
          append(appender, step * STEP_MS, replica, engine, counts, random);
        }
      }
      appender.commit();
    }
  }

  private static void append(
      Appender appender,
      long timeMs,
      int replica,
      int engine,
      double[] counts,
      SplittableRandom random) {
    Labels common =
        Labels.of(
            "instance", "replica-" + replica, "engine", Integer.toString(engine), "job", "vllm");
    int first = (replica * ENGINES + engine) * (BUCKETS + 1);
    double below = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      int at = first + bucket;
      counts[at] = Math.max(counts[at], below) + random.nextInt(3);
      below = counts[at];
      String le = bucket == BUCKETS - 1 ? "+Inf" : Double.toString(bucket / 10.0);
      append(appender, common.with("le", le), "x_bucket", timeMs, counts[at]);
    }
    counts[first + BUCKETS] += random.nextInt(100);
    append(appender, common, "c_total", timeMs, counts[first + BUCKETS]);
    append(appender, common, "g", timeMs, random.nextDouble());
  }

  private static void append(
      Appender appender, Labels labels, String name, long timeMs, double value) {
    appender.append(appender.series(labels.with(Labels.NAME, name)), timeMs, value);
  }

  @TearDown(Level.Trial)
  public void close() {
    pool.shutdown();
  }

  @Benchmark
  public QueryResult instant() throws QueryException {
    return queries.instant(new InstantQuery(query, (STEPS + LEAD_STEPS - 1) * STEP_MS));
  }

  @Benchmark
  public QueryResult range() throws QueryException {
    return queries.range(
        new RangeQuery(query, LEAD_STEPS * STEP_MS, (STEPS + LEAD_STEPS - 1) * STEP_MS, STEP_MS));
  }
}
