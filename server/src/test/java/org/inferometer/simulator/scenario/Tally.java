package org.inferometer.simulator.scenario;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.simulator.measure.Distribution;

/**
 * What was measured in a stretch of a run, by part and quantity; the empty part is all of them
 * together. Counts are sums, gauges have a mean and a maximum, distributions a mean and quantiles.
 */
final class Tally {
  private final Map<String, Double> counts = new TreeMap<>();
  private final Map<String, Gauge> gauges = new TreeMap<>();
  private final Map<String, Spread> spreads = new TreeMap<>();

  private static final class Gauge {
    private double sum;
    private int times;
    private double max = Double.NEGATIVE_INFINITY;
    private double last;

    void add(double value) {
      sum += value;
      times++;
      max = Math.max(max, value);
      last = value;
    }
  }

  /**
   * The values of a stretch, by the upper edges of their buckets; engines have edges of their own.
   */
  private static final class Spread {
    private final Map<Double, Double> counts = new TreeMap<>();
    private double count;
    private double sum;

    void add(Distribution of, double[] now, double[] was) {
      int buckets = of.bucketCount();
      for (int i = 0; i < buckets; i++) {
        if (now[i] != was[i]) {
          counts.merge(of.edge(i), now[i] - was[i], Double::sum);
        }
      }
      count += now[buckets] - was[buckets];
      sum += now[buckets + 1] - was[buckets + 1];
    }

    /** The upper edge of the bucket in which the quantile lies. */
    double quantile(double q) {
      double seen = 0;
      for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
        seen += bucket.getValue();
        if (seen >= q * count) {
          return bucket.getKey();
        }
      }
      return Double.NaN;
    }
  }

  private static String key(String part, String what) {
    return part + "/" + what;
  }

  void count(String part, String what, double amount) {
    counts.merge(key(part, what), amount, Double::sum);
    if (!part.isEmpty()) {
      counts.merge(key("", what), amount, Double::sum);
    }
  }

  /** The names of all counts with labels, of all parts together. */
  List<String> labelled() {
    return counts.keySet().stream()
        .filter(
            key ->
                key.startsWith("/client.ended")
                    || key.startsWith("/gateway.requests")
                    || key.startsWith("/engine.finished")
                    || key.startsWith("/gateway.routed")
                    || key.startsWith("/gpu.xids")
                    || key.startsWith("/gateway.failures"))
        .map(key -> key.substring(1))
        .toList();
  }

  void gauge(String part, String what, double value) {
    gauges.computeIfAbsent(key(part, what), name -> new Gauge()).add(value);
    if (!part.isEmpty()) {
      gauges.computeIfAbsent(key("", what), name -> new Gauge()).add(value);
    }
  }

  /** What a distribution holds now: its buckets, then count and sum. */
  static double[] counts(Distribution of) {
    int buckets = of.bucketCount();
    double[] counts = new double[buckets + 2];
    for (int i = 0; i < buckets; i++) {
      counts[i] = of.inBucket(i);
    }
    counts[buckets] = of.count();
    counts[buckets + 1] = of.sum();
    return counts;
  }

  /** Adds what a distribution has now and hadn't before. */
  void spread(String part, String what, Distribution of, double[] now, double[] was) {
    spreads.computeIfAbsent(key(part, what), name -> new Spread()).add(of, now, was);
    if (!part.isEmpty()) {
      spreads.computeIfAbsent(key("", what), name -> new Spread()).add(of, now, was);
    }
  }

  /**
   * A value by its name: of a count itself, of a gauge its mean, of a distribution its mean; with
   * {@code _max}, {@code _last}, {@code _p50}, {@code _p99} or {@code _count} what that says.
   * {@code a:b} is a count through another.
   */
  double value(String part, String what) {
    int through = what.indexOf(':');
    if (through > 0) {
      return value(part, what.substring(0, through)) / value(part, what.substring(through + 1));
    }
    Gauge gauge = gauges.get(key(part, what));
    if (gauge != null) {
      return gauge.sum / gauge.times;
    }
    Spread spread = spreads.get(key(part, what));
    if (spread != null) {
      return spread.sum / spread.count;
    }
    int last = what.lastIndexOf('_');
    return last > 0 && !counts.containsKey(key(part, what))
        ? aspect(key(part, what.substring(0, last)), what.substring(last + 1))
        : counts.getOrDefault(key(part, what), 0.0);
  }

  private double aspect(String key, String aspect) {
    Gauge gauge = gauges.get(key);
    Spread spread = spreads.get(key);
    return switch (aspect) {
      case "max" -> gauge == null ? 0 : gauge.max;
      case "last" -> gauge == null ? 0 : gauge.last;
      case "p50" -> spread == null ? Double.NaN : spread.quantile(0.5);
      case "p95" -> spread == null ? Double.NaN : spread.quantile(0.95);
      case "p99" -> spread == null ? Double.NaN : spread.quantile(0.99);
      case "count" -> spread == null ? 0 : spread.count;
      default -> 0;
    };
  }
}
