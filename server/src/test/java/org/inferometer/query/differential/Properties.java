package org.inferometer.query.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.Printer;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryValue;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.jspecify.annotations.Nullable;

/**
 * What holds of every query, over floats and native histograms, whatever the right answer is. A bug
 * that throws anything but a {@link QueryException} ends the run.
 */
final class Properties {
  /** What depends on the query's start and end, which differ between instant and range. */
  private static final Pattern OF_QUERY = Pattern.compile("\\b(start|end|step|range)\\(");

  /**
   * What depends on the time of the evaluation even if all selectors are pinned, and {@code
   * absent}, whose labels depend on the order of matchers, which printing changes.
   */
  private static final Pattern OF_TIME =
      Pattern.compile(
          "\\b(start|end|step|range|time|timestamp|predict_linear|minute|hour|month|year"
              + "|day\\w+|absent\\w*)\\(");

  private final long seed;
  private final SplittableRandom random;
  private final MemorySeries series;
  private final Product product;
  private final RandomQueries queries;
  private int compared;

  Properties(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    series = Product.series(new RandomSeries(random, 0, false).make());
    new RandomHistograms(random, series).add();
    product = new Product(series);
    queries = RandomQueries.overHistograms(random);
  }

  /** How many answers were compared. */
  int compared() {
    return compared;
  }

  /** The range query's points at a step are what an instant query says at that time. */
  List<String> rangeIsManyInstants(int count) {
    return differences(count, this::rangeAgainstInstants);
  }

  /** With {@code @} on each selector it doesn't matter when a query is evaluated. */
  List<String> pinnedIsTheSameAtAnyTime(int count) {
    return differences(count, this::pinnedAgainstPlain);
  }

  private interface Property {
    @Nullable String difference(Question question) throws QueryException;
  }

  private List<String> differences(int count, Property property) {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Question question = queries.next();
      String difference = difference(property, question);
      if (difference != null) {
        Question small = Shrinker.shrink(question, q -> difference(property, q) != null);
        differences.add(
            "seed %d, question %d: %s%n  smallest: %s%n  %s"
                .formatted(seed, i, question, small, difference(property, small)));
      }
    }
    return differences;
  }

  private static @Nullable String difference(Property property, Question question) {
    try {
      return property.difference(question);
    } catch (QueryException e) {
      return null;
    }
  }

  private @Nullable String rangeAgainstInstants(Question question) throws QueryException {
    if (question.isInstant() || OF_QUERY.matcher(question.query()).find()) {
      return null;
    }
    QueryValue range = product.result(question).value();
    for (long t = question.startMs(); t <= question.endMs(); t += question.stepMs()) {
      String difference = answer(question.at(t), Points.at(range, t), t);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private @Nullable String pinnedAgainstPlain(Question question) throws QueryException {
    if (OF_TIME.matcher(question.query()).find()) {
      return null;
    }
    Question plain = question.at(question.startMs());
    QueryValue value = product.result(plain).value();
    try {
      String pinned = Printer.print(Pinned.at(Parser.parse(question.query()), question.startMs()));
      return answer(plain.withQuery(pinned).at(7_654_321), Points.at(value, 0), 0);
    } catch (ParseException e) {
      return "doesn't parse: " + e.getMessage();
    }
  }

  private @Nullable String answer(Question question, Points expected, long timeMs) {
    compared++;
    try {
      return expected.difference(Points.at(product.result(question).value(), timeMs), 0);
    } catch (QueryException e) {
      return "fails at " + question + ": " + e.getMessage();
    }
  }

  /** A label in front of all others turns the order of series round. */
  List<String> orderDoesNotMatterToASum() throws QueryException {
    List<String> differences = new ArrayList<>();
    Product other = new Product(shuffled());
    for (String operand : operands()) {
      for (String op : List.of("sum", "avg", "count", "group", "min", "max")) {
        Question question = new Question(op + "(" + operand + ")", 1_200_000, 1_200_000, 0, false);
        Points expected = Points.at(product.result(question).value(), 0);
        String difference = expected.difference(Points.at(other.result(question).value(), 0), 1e-9);
        compared++;
        if (difference != null) {
          differences.add("seed " + seed + ": " + question + ": " + difference);
        }
      }
    }
    return differences;
  }

  private static List<String> operands() {
    List<String> operands = new ArrayList<>();
    for (String name : List.of("c_total", "g", "e", "n_total", "n", "u_total")) {
      operands.add(name);
      operands.add("rate(" + name + "[5m])");
      operands.add("delta(" + name + "[10m])");
      operands.add("avg_over_time(" + name + "[3m])");
      operands.add("histogram_quantile(0.9, " + name + ")");
      operands.add("last_over_time(" + name + "[7m] offset 2m)");
    }
    return operands;
  }

  private MemorySeries shuffled() {
    MemorySeries shuffled = new MemorySeries();
    try (Querier querier = series.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      querier
          .select(List.of())
          .forEach(
              one -> {
                SampleColumns columns = new SampleColumns();
                one.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
                Labels labels = one.labels().with("A", String.valueOf(random.nextInt(1_000_000)));
                copy(columns, shuffled, labels);
              });
    }
    return shuffled;
  }

  private static void copy(SampleColumns columns, MemorySeries into, Labels labels) {
    for (int i = 0; i < columns.size(); i++) {
      NativeHistogram histogram = columns.histogram(i);
      if (histogram == null) {
        into.add(labels, columns.timestampMs(i), columns.value(i));
      } else {
        into.add(labels, columns.timestampMs(i), histogram);
      }
    }
  }
}
