package org.inferometer.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/**
 * An evaluator of a part of the language that goes step by step and does everything in the most
 * obvious way: it filters all samples for each window and keeps vectors as maps. What it says is
 * what the product's evaluator has to say.
 */
final class StepByStep {
  private final Map<Labels, SortedMap<Long, Double>> data;
  private final long startMs;
  private final long endMs;
  private final long stepMs;

  StepByStep(Map<Labels, SortedMap<Long, Double>> data, long startMs, long endMs, long stepMs) {
    this.data = data;
    this.startMs = startMs;
    this.endMs = endMs;
    this.stepMs = stepMs;
  }

  /** A value with its time. */
  private record Sample(long timeMs, double value) {}

  /** Points by label set and time. */
  Map<Labels, SortedMap<Long, Double>> range(Expr expr) {
    Map<Labels, SortedMap<Long, Double>> results = new TreeMap<>();
    for (long t = startMs; t <= endMs; t += stepMs) {
      long time = t;
      vector(expr, t)
          .forEach(
              (labels, value) ->
                  results.computeIfAbsent(labels, l -> new TreeMap<>()).put(time, value));
    }
    return results;
  }

  private Map<Labels, Double> vector(Expr expr, long t) {
    return switch (expr) {
      case Expr.NumberLiteral n -> Map.of(Labels.EMPTY, n.value());
      case Expr.Paren p -> vector(p.inner(), t);
      case Expr.VectorSelector s -> instant(s, t);
      case Expr.Aggregate a -> aggregate(a, t);
      case Expr.Binary b -> binary(b, t);
      case Expr.Call c -> call(c, t);
      case Expr other -> throw new IllegalArgumentException("expected less than " + other);
    };
  }

  private Map<Labels, Double> instant(Expr.VectorSelector s, long t) {
    long at = shifted(s.shift(), t);
    Map<Labels, Double> found = new TreeMap<>();
    data.forEach(
        (labels, samples) -> {
          if (s.matchers().stream().allMatch(m -> m.matches(labels))) {
            List<Sample> window = window(samples, at - 300_000, at);
            if (!window.isEmpty() && !StalenessMarker.is(window.getLast().value())) {
              found.put(labels, window.getLast().value());
            }
          }
        });
    return found;
  }

  private long shifted(Expr.TimeShift shift, long t) {
    long at =
        switch (shift.at()) {
          case null -> t;
          case Expr.At.Instant i -> i.timestampMs();
          case Expr.At.Start s -> startMs;
          case Expr.At.End e -> endMs;
        };
    return at - (shift.offset() == null ? 0 : shift.offset().resolveMs(stepMs, endMs - startMs));
  }

  private static List<Sample> window(SortedMap<Long, Double> samples, long afterMs, long untilMs) {
    List<Sample> window = new ArrayList<>();
    samples.forEach(
        (time, value) -> {
          if (time > afterMs && time <= untilMs) {
            window.add(new Sample(time, value));
          }
        });
    return window;
  }

  private Map<Labels, Double> call(Expr.Call c, long t) {
    Expr argument = c.arguments().getLast();
    Map<Labels, Double> results = new TreeMap<>();
    if (argument instanceof Expr.MatrixSelector m) {
      long end = shifted(m.selector().shift(), t);
      long length = m.range().resolveMs(stepMs, endMs - startMs);
      data.forEach(
          (labels, samples) -> {
            if (m.selector().matchers().stream().allMatch(x -> x.matches(labels))) {
              List<Sample> window = window(samples, end - length, end);
              put(results, c, labels, window, end - length, end);
            }
          });
    } else if (argument instanceof Expr.Subquery s) {
      long end = shifted(s.shift(), t);
      long length = s.range().resolveMs(stepMs, endMs - startMs);
      long every = s.step() == null ? 60_000 : s.step().resolveMs(stepMs, endMs - startMs);
      Map<Labels, SortedMap<Long, Double>> inner = new TreeMap<>();
      for (long k = (end - length) / every - 1; k * every <= end; k++) {
        long time = k * every;
        if (time > end - length) {
          vector(s.inner(), time)
              .forEach(
                  (labels, value) ->
                      inner.computeIfAbsent(labels, l -> new TreeMap<>()).put(time, value));
        }
      }
      inner.forEach(
          (labels, samples) ->
              put(results, c, labels, window(samples, end - length, end), end - length, end));
    } else {
      vector(argument, t)
          .forEach(
              (labels, value) -> results.put(labels.without(Labels.NAME), elementwise(c, value)));
    }
    return results;
  }

  private static double elementwise(Expr.Call c, double value) {
    return switch (c.function().name()) {
      case "abs" -> Math.abs(value);
      case "sqrt" -> Math.sqrt(value);
      default -> throw new IllegalArgumentException(c.function().name());
    };
  }

  private static void put(
      Map<Labels, Double> results,
      Expr.Call c,
      Labels labels,
      List<Sample> window,
      long afterMs,
      long untilMs) {
    List<Sample> samples = window.stream().filter(s -> !StalenessMarker.is(s.value())).toList();
    double[] values = samples.stream().mapToDouble(Sample::value).toArray();
    if (values.length == 0) {
      return;
    }
    Labels named =
        c.function().name().equals("last_over_time") ? labels : labels.without(Labels.NAME);
    double parameter =
        c.arguments().getFirst() instanceof Expr.NumberLiteral n ? n.value() : Double.NaN;
    Double value =
        switch (c.function().name()) {
          case "rate" -> extrapolated(samples, afterMs, untilMs, true, true);
          case "increase" -> extrapolated(samples, afterMs, untilMs, true, false);
          case "delta" -> extrapolated(samples, afterMs, untilMs, false, false);
          case "sum_over_time" -> Arrays.stream(values).sum();
          case "avg_over_time" -> Arrays.stream(values).sum() / values.length;
          case "count_over_time" -> (double) values.length;
          case "last_over_time" -> values[values.length - 1];
          case "min_over_time" -> reduce(values, false);
          case "max_over_time" -> reduce(values, true);
          case "changes" -> changes(values);
          case "resets" -> resets(values);
          case "quantile_over_time" -> quantile(parameter, values);
          default -> throw new IllegalArgumentException(c.function().name());
        };
    if (value != null) {
      results.put(named, value);
    }
  }

  private static @Nullable Double extrapolated(
      List<Sample> s, long afterMs, long untilMs, boolean counter, boolean perSecond) {
    if (s.size() < 2) {
      return null;
    }
    double change = s.getLast().value() - s.getFirst().value();
    for (int i = 1; counter && i < s.size(); i++) {
      if (s.get(i).value() < s.get(i - 1).value()) {
        change += s.get(i - 1).value();
      }
    }
    double sampled = (s.getLast().timeMs() - s.getFirst().timeMs()) / 1000.0;
    double toStart = (s.getFirst().timeMs() - afterMs) / 1000.0;
    double toEnd = (untilMs - s.getLast().timeMs()) / 1000.0;
    double average = sampled / (s.size() - 1);
    toStart = toStart >= 1.1 * average ? average / 2 : toStart;
    if (counter && change > 0 && s.getFirst().value() >= 0) {
      toStart = Math.min(toStart, sampled * s.getFirst().value() / change);
    }
    toEnd = toEnd >= 1.1 * average ? average / 2 : toEnd;
    double result = change * (sampled + toStart + toEnd) / sampled;
    return perSecond ? result / ((untilMs - afterMs) / 1000.0) : result;
  }

  private static double reduce(double[] values, boolean largest) {
    double[] numbers = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    if (numbers.length == 0) {
      return Double.NaN;
    }
    return largest ? numbers[numbers.length - 1] : numbers[0];
  }

  private static double changes(double[] values) {
    int n = 0;
    for (int i = 1; i < values.length; i++) {
      if (Double.compare(values[i], values[i - 1]) != 0) {
        n++;
      }
    }
    return n;
  }

  private static double resets(double[] values) {
    int n = 0;
    for (int i = 1; i < values.length; i++) {
      if (values[i] < values[i - 1]) {
        n++;
      }
    }
    return n;
  }

  /** NaN is the smallest. */
  private static double quantile(double q, double[] values) {
    double[] sorted =
        Arrays.stream(values)
            .boxed()
            .sorted((a, b) -> a.isNaN() != b.isNaN() ? (a.isNaN() ? -1 : 1) : Double.compare(a, b))
            .mapToDouble(v -> v)
            .toArray();
    double rank = q * (sorted.length - 1);
    int low = (int) Math.floor(rank);
    int high = Math.min(sorted.length - 1, low + 1);
    double weight = rank - low;
    return sorted[low] * (1 - weight) + sorted[high] * weight;
  }

  private Map<Labels, Double> aggregate(Expr.Aggregate a, long t) {
    Map<Labels, List<Map.Entry<Labels, Double>>> groups = new TreeMap<>();
    vector(a.operand(), t)
        .entrySet()
        .forEach(
            e ->
                groups
                    .computeIfAbsent(group(a, e.getKey()), g -> new ArrayList<>())
                    .add(Map.entry(e.getKey(), e.getValue())));
    Map<Labels, Double> results = new TreeMap<>();
    groups.forEach(
        (group, members) -> {
          double[] values = members.stream().mapToDouble(Map.Entry::getValue).toArray();
          switch (a.op()) {
            case SUM -> results.put(group, Arrays.stream(values).sum());
            case AVG -> results.put(group, Arrays.stream(values).sum() / values.length);
            case COUNT -> results.put(group, (double) values.length);
            case MIN -> results.put(group, reduce(values, false));
            case MAX -> results.put(group, reduce(values, true));
            case TOPK -> topk(a, members, results);
            default -> throw new IllegalArgumentException(a.op().keyword());
          }
        });
    return results;
  }

  private static void topk(
      Expr.Aggregate a, List<Map.Entry<Labels, Double>> members, Map<Labels, Double> results) {
    int k = (int) ((Expr.NumberLiteral) Objects.requireNonNull(a.parameter())).value();
    members.sort(
        (x, y) -> {
          double p = x.getValue();
          double q = y.getValue();
          if (Double.isNaN(p) || Double.isNaN(q)) {
            return Boolean.compare(Double.isNaN(p), Double.isNaN(q));
          }
          return p == q ? 0 : Double.compare(q, p);
        });
    members.stream().limit(k).forEach(e -> results.put(e.getKey(), e.getValue()));
  }

  private static Labels group(Expr.Aggregate a, Labels labels) {
    return a.without()
        ? labels.without(a.grouping()).without(Labels.NAME)
        : labels.only(a.grouping());
  }

  /** Between a vector and a number, or one-to-one between vectors, or a set operator. */
  private Map<Labels, Double> binary(Expr.Binary b, long t) {
    Map<Labels, Double> left = vector(b.left(), t);
    Map<Labels, Double> right = vector(b.right(), t);
    Map<Labels, Double> results = new TreeMap<>();
    if (b.right() instanceof Expr.NumberLiteral n) {
      left.forEach((labels, value) -> put(results, b, labels, value, n.value()));
      return results;
    }
    left.forEach(
        (labels, value) -> {
          List<Double> partners = partners(b, labels, right);
          switch (b.op()) {
            case AND -> putIf(!partners.isEmpty(), results, labels, value);
            case UNLESS, OR ->
                putIf(b.op() == BinaryOp.OR || partners.isEmpty(), results, labels, value);
            default -> partners.forEach(p -> put(results, b, labels, value, p));
          }
        });
    if (b.op() == BinaryOp.OR) {
      right.forEach(
          (labels, value) -> putIf(partners(b, labels, left).isEmpty(), results, labels, value));
    }
    return results;
  }

  private static void putIf(
      boolean condition, Map<Labels, Double> results, Labels labels, double value) {
    if (condition) {
      results.put(labels, value);
    }
  }

  private static List<Double> partners(Expr.Binary b, Labels labels, Map<Labels, Double> others) {
    return others.entrySet().stream()
        .filter(e -> match(b, e.getKey()).equals(match(b, labels)))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static Labels match(Expr.Binary b, Labels labels) {
    Expr.VectorMatching m = Objects.requireNonNull(b.matching());
    return m.on() ? labels.only(m.labels()) : labels.without(m.labels()).without(Labels.NAME);
  }

  private static void put(
      Map<Labels, Double> results, Expr.Binary b, Labels labels, double x, double y) {
    switch (b.op()) {
      case ADD -> results.put(labels.without(Labels.NAME), x + y);
      case DIVIDE -> results.put(labels.without(Labels.NAME), x / y);
      case GREATER -> {
        if (b.returnBool()) {
          results.put(labels.without(Labels.NAME), x > y ? 1.0 : 0.0);
        } else {
          putIf(x > y, results, labels, x);
        }
      }
      default -> throw new IllegalArgumentException(b.op().symbol());
    }
  }
}
