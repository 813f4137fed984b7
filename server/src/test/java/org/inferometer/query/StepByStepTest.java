package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random expressions over random series: columns must say what steps say. */
class StepByStepTest {
  private static final int EXPRESSIONS = 300;
  private static final List<String> WINDOW_FUNCTIONS =
      List.of(
          "rate",
          "increase",
          "delta",
          "sum_over_time",
          "avg_over_time",
          "count_over_time",
          "last_over_time",
          "min_over_time",
          "max_over_time",
          "changes",
          "resets");

  private SplittableRandom random = new SplittableRandom(0);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void columnsSayWhatStepsSay(long seed) throws Exception {
    random = new SplittableRandom(seed);
    Map<Labels, SortedMap<Long, Double>> data = data();
    MemorySeries series = new MemorySeries();
    data.forEach(
        (labels, samples) -> samples.forEach((time, value) -> series.add(labels, time, value)));
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      LocalQueryService service =
          new LocalQueryService(
              series, MetadataSource.none(), EngineOptions.DEFAULT, () -> 0, pool, pool, 3);
      for (int i = 0; i < EXPRESSIONS; i++) {
        compare(service, data, vector(3), "seed " + seed + ", expression " + i);
      }
    }
  }

  private void compare(
      LocalQueryService service,
      Map<Labels, SortedMap<Long, Double>> data,
      String query,
      String where)
      throws QueryException, ParseException {
    long start = 60_000L * random.nextInt(20) + random.nextInt(3) * 7_001L;
    long step = pick(List.of(7_000L, 15_000L, 60_000L, 700_000L));
    long end = start + step * random.nextInt(1, 40);
    Map<Labels, SortedMap<Long, Double>> expected =
        new StepByStep(data, start, end, step).range(Parser.parse(query));
    QueryValue.Matrix matrix =
        (QueryValue.Matrix)
            service.range(new QueryService.RangeQuery(query, start, end, step)).value();
    String about = "%s: %s from %d to %d step %d".formatted(where, query, start, end, step);
    assertThat(matrix.series())
        .as(about)
        .extracting(QueryValue.MatrixSeries::labels)
        .containsExactlyElementsOf(expected.keySet());
    for (QueryValue.MatrixSeries s : matrix.series()) {
      assertPoints(about + " " + s.labels(), s, Objects.requireNonNull(expected.get(s.labels())));
    }
  }

  private static void assertPoints(
      String about, QueryValue.MatrixSeries actual, SortedMap<Long, Double> expected) {
    assertThat(actual.timestampsMs())
        .as(about)
        .containsExactly(expected.keySet().stream().mapToLong(t -> t).toArray());
    for (int i = 0; i < actual.values().length; i++) {
      double value = actual.values()[i];
      double wanted = Objects.requireNonNull(expected.get(actual.timestampsMs()[i]));
      boolean equal =
          Double.compare(value, wanted) == 0
              || value == wanted
              || Math.abs(value - wanted) <= 1e-9 * (Math.abs(value) + Math.abs(wanted));
      assertThat(equal)
          .as("%s at %d: %s, expected %s", about, actual.timestampsMs()[i], value, wanted)
          .isTrue();
    }
  }

  /** Series of two names over labels a and b, irregular, with gaps, resets, NaN and markers. */
  private Map<Labels, SortedMap<Long, Double>> data() {
    Map<Labels, SortedMap<Long, Double>> data = new TreeMap<>();
    for (String name : List.of("x_total", "y_total")) {
      for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
          if (random.nextInt(5) > 0) {
            data.put(Labels.of(Labels.NAME, name, "a", "" + a, "b", "" + b), samples());
          }
        }
      }
    }
    return data;
  }

  private SortedMap<Long, Double> samples() {
    SortedMap<Long, Double> samples = new TreeMap<>();
    boolean whole = random.nextBoolean();
    long interval = pick(List.of(5_000L, 15_000L, 60_000L));
    double value = random.nextInt(10);
    long time = random.nextInt(100_000);
    while (time < 2_400_000) {
      int event = random.nextInt(60);
      if (event == 0) {
        samples.put(time, StalenessMarker.VALUE);
      } else if (event == 1) {
        samples.put(time, Double.NaN);
      } else {
        value = event == 2 ? random.nextInt(3) : value + step(whole);
        samples.put(time, value);
      }
      time += event == 3 ? random.nextInt(900_000) : interval + random.nextInt(3);
    }
    return samples;
  }

  private double step(boolean whole) {
    return whole ? random.nextInt(4) : random.nextDouble(4);
  }

  private String vector(int depth) {
    int kind = random.nextInt(depth == 0 ? 3 : 8);
    return switch (kind) {
      case 0 -> selector() + shift();
      case 1, 2 -> overWindow(depth);
      case 3 ->
          pick(List.of("sum", "avg", "count", "min", "max"))
              + pick(List.of(" by (a) (", " without (a) (", " by (a, c) (", "("))
              + vector(depth - 1)
              + ")";
      case 4 -> "topk" + pick(List.of("(2, ", " by (a) (1, ")) + selector() + ")";
      case 5 -> "(" + vector(depth - 1) + pick(List.of(" + 1.5)", " / 2)", " > 3)", " > bool 3)"));
      case 6 -> between(depth);
      default -> pick(List.of("abs(", "sqrt(")) + oneName(depth) + ")";
    };
  }

  /** Vectors whose elements differ in more than the name, so that it can be dropped. */
  private String oneName(int depth) {
    return depth > 1 ? "sum by (a, b) (" + vector(depth - 1) + ")" : "x_total" + shift();
  }

  private String between(int depth) {
    String left = "sum by (a) (" + vector(depth - 1) + ")";
    String right = "sum by (a) (" + vector(depth - 1) + ")";
    return "("
        + left
        + pick(
            List.of(
                " + ", " / on (a) ", " > ", " and ", " or ", " unless on (a) ", " or ignoring () "))
        + right
        + ")";
  }

  private String selector() {
    return pick(List.of("x_total", "y_total", "x_total{a=\"1\"}", "y_total{b=~\"[01]\"}"));
  }

  private String shift() {
    return pick(
        List.of("", "", "", " offset 1m", " offset -90s", " @ 600", " @ end()", " @ start()"));
  }

  private String overWindow(int depth) {
    String range = pick(List.of("[1m", "[5m", "[37s", "[20m"));
    String argument =
        depth > 0 && random.nextInt(4) == 0
            ? "sum by (a) ("
                + vector(depth - 1)
                + ")"
                + range
                + pick(List.of(":]", ":11s]", ":30s]"))
                + shift()
            : selector() + range + "]" + shift();
    return random.nextInt(8) == 0
        ? "quantile_over_time(0.3, " + argument + ")"
        : pick(WINDOW_FUNCTIONS) + "(" + argument + ")";
  }

  private <T> T pick(List<T> choices) {
    return new ArrayList<>(choices).get(random.nextInt(choices.size()));
  }
}
