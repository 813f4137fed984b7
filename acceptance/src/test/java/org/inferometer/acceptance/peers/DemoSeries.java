package org.inferometer.acceptance.peers;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.inferometer.model.Labels;

/**
 * Series of the names that the compliance suite asks for: three instances, a sample every five
 * seconds for two hours, 3.7 s off whole minutes.
 *
 * <p>Prometheus 2.x includes a window's left edge, so no sample may lie on one; and it extrapolates
 * counters near zero in another way, so counters begin high.
 */
final class DemoSeries {
  static final long START_MS = 1_700_000_000_000L / 60_000 * 60_000;
  static final long LENGTH_MS = 7_200_000;
  private static final long INTERVAL_MS = 5_000;
  private static final int SAMPLES = (int) (LENGTH_MS / INTERVAL_MS);

  private final SplittableRandom random;
  private final Map<Labels, SortedMap<Long, Double>> data = new TreeMap<>();

  DemoSeries(long seed) {
    this.random = new SplittableRandom(seed);
  }

  Map<Labels, SortedMap<Long, Double>> make() {
    for (int port = 10000; port <= 10002; port++) {
      instance(List.of("instance", "demo.promlabs.com:" + port, "job", "demo"), port - 10000);
    }
    return data;
  }

  private void instance(List<String> labels, int number) {
    for (String type : List.of("buffers", "cached", "free", "used")) {
      double base = 1e9 * (1 + random.nextInt(8));
      series("demo_memory_usage_bytes", labels, walk(base, base / 50), "type", type);
    }
    series("demo_num_cpus", labels, i -> 4 + number);
    for (String mode : List.of("idle", "system", "user")) {
      IntToDoubleFunction usage = counter(1_000_000, 4, number == 1 ? SAMPLES * 5 / 6 : -1);
      series("demo_cpu_usage_seconds_total", labels, usage, "mode", mode);
    }
    series("demo_disk_usage_bytes", labels, walk(5e10, 1e7));
    series("demo_disk_total_bytes", labels, i -> 2.5e11);
    series(
        "demo_batch_last_success_timestamp_seconds",
        labels,
        i -> START_MS / 1000.0 + i / 40 * 200 - 30 * number);
    for (String path : List.of("/api/foo", "/api/bar")) {
      for (String method : List.of("GET", "POST")) {
        durations(labels, path, method, "200");
      }
      durations(labels, path, "GET", "500");
    }
    series("demo_intermittent_metric", labels, i -> i / 30 % 3 == number ? Double.NaN : 1 + i % 7);
    data.values().forEach(samples -> samples.values().removeIf(v -> Double.isNaN(v)));
  }

  private void durations(List<String> labels, String path, String method, String status) {
    String[] more = {"path", path, "method", method, "status", status};
    double[] perStep = new double[12];
    for (int b = 1; b < perStep.length; b++) {
      perStep[b] = perStep[b - 1] + random.nextInt(5);
    }
    for (int b = 0; b < perStep.length; b++) {
      double bound = 0.0001 * Math.pow(2, b);
      String le = b == perStep.length - 1 ? "+Inf" : Double.toString(bound);
      double rate = perStep[b];
      Labels bucket = labels("demo_api_request_duration_seconds_bucket", labels, more);
      put(bucket.with("le", le), i -> 100_000 * (rate + 1) + i * rate + (i % 3) * (rate / 4));
    }
    double rate = perStep[perStep.length - 1];
    series("demo_api_request_duration_seconds_count", labels, i -> 100_000 + i * rate, more);
    series("demo_api_request_duration_seconds_sum", labels, i -> 500 + i * rate * 0.011, more);
  }

  private void series(
      String name, List<String> labels, IntToDoubleFunction values, String... more) {
    put(labels(name, labels, more), values);
  }

  private static Labels labels(String name, List<String> labels, String... more) {
    Labels all = Labels.of(Labels.NAME, name);
    for (int i = 0; i < labels.size(); i += 2) {
      all = all.with(labels.get(i), labels.get(i + 1));
    }
    for (int i = 0; i < more.length; i += 2) {
      all = all.with(more[i], more[i + 1]);
    }
    return all;
  }

  private void put(Labels labels, IntToDoubleFunction values) {
    SortedMap<Long, Double> samples = new TreeMap<>();
    for (int i = 0; i < SAMPLES; i++) {
      samples.put(START_MS + 3_700 + i * INTERVAL_MS, values.applyAsDouble(i));
    }
    data.put(labels, samples);
  }

  private IntToDoubleFunction walk(double base, double step) {
    double[] values = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      values[i] = (i == 0 ? base : values[i - 1]) + Math.rint(step * (random.nextDouble() - 0.5));
    }
    return i -> values[i];
  }

  /** Begins again at an index. */
  private IntToDoubleFunction counter(double base, double step, int resetAt) {
    double[] values = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      double before = i == 0 ? base : i == resetAt ? 0 : values[i - 1];
      values[i] = before + step * random.nextDouble();
    }
    return i -> values[i];
  }
}
