package org.inferometer.query.stepwise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.DurationExpr;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ValueType;
import org.inferometer.query.stepwise.Window.Point;
import org.jspecify.annotations.Nullable;

/** Evaluates one query over samples that are given as maps. Not thread-safe. */
public final class Stepwise {
  private final Map<Labels, SortedMap<Long, Double>> data;
  private final Settings settings;
  private final Noise noise;
  private final Names names;
  private final WindowFunctions windowFunctions;
  private final ElementFunctions elementFunctions;

  /** What subqueries give over all times that they are needed for. */
  private final Map<Place, List<Series>> subqueries = new HashMap<>();

  /** For unary minus and range functions whose labels their results' labels come from. */
  private final Map<Expr, Map<Labels, Labels>> owners = new HashMap<>();

  private Frame query = new Frame(0, 0, 0);

  public Stepwise(Map<Labels, SortedMap<Long, Double>> data, Settings settings, Noise noise) {
    this.data = data;
    this.settings = settings;
    this.noise = noise;
    this.names = new Names(settings.delayedNames());
    this.windowFunctions = new WindowFunctions(noise);
    this.elementFunctions = new ElementFunctions(noise);
  }

  /** A node of the tree and the times it is evaluated at. */
  private record Place(Expr expr, Frame frame) {}

  /** The samples of a series, of the store or of a subquery. */
  private record Series(Labels labels, boolean dropsName, SortedMap<Long, Double> samples) {}

  /**
   * @throws EvaluationError if there is no answer
   */
  public Answer instant(Expr expr, long timeMs) {
    query = new Frame(timeMs, timeMs, 0);
    if (expr.type() == ValueType.RANGE_VECTOR) {
      return samples(expr, timeMs);
    }
    Map<Labels, SortedMap<Long, Double>> points = new TreeMap<>();
    List<Labels> order = new ArrayList<>();
    for (Element element : values(expr, timeMs)) {
      order.add(Names.atTheEnd(element));
      put(points, Names.atTheEnd(element), timeMs, element.value());
    }
    return new Answer(points, order, noise.wasChance());
  }

  /**
   * @throws EvaluationError if there is no answer
   */
  public Answer range(Expr expr, long startMs, long endMs, long stepMs) {
    query = new Frame(startMs, endMs, stepMs);
    Map<Labels, SortedMap<Long, Double>> points = new TreeMap<>();
    for (long t : query.times()) {
      for (Element element : values(expr, t)) {
        put(points, Names.atTheEnd(element), t, element.value());
      }
    }
    return new Answer(points, List.copyOf(points.keySet()), noise.wasChance());
  }

  private Answer samples(Expr expr, long timeMs) {
    Map<Labels, SortedMap<Long, Double>> points = new TreeMap<>();
    for (Series series : ranges(expr, query)) {
      Window window = window(series, expr, timeMs);
      Element element = new Element(series.labels, 0, series.dropsName);
      window.points().forEach(p -> put(points, Names.atTheEnd(element), p.timeMs(), p.value()));
    }
    return new Answer(points, List.copyOf(points.keySet()), noise.wasChance());
  }

  private static void put(
      Map<Labels, SortedMap<Long, Double>> points, Labels labels, long timeMs, double value) {
    if (points.computeIfAbsent(labels, l -> new TreeMap<>()).put(timeMs, value) != null) {
      throw sameLabels();
    }
  }

  private static EvaluationError sameLabels() {
    return new EvaluationError("vector cannot contain metrics with the same labelset");
  }

  private List<Element> values(Expr expr, long t) {
    return expr.type() == ValueType.SCALAR
        ? List.of(new Element(Labels.EMPTY, scalar(expr, t, query)))
        : vector(expr, t, query);
  }

  private double scalar(Expr expr, long t, Frame frame) {
    return switch (expr) {
      case Expr.NumberLiteral number -> number.value();
      case Expr.Paren paren -> scalar(paren.inner(), t, frame);
      case Expr.Unary unary ->
          unary.minus() ? -scalar(unary.operand(), t, frame) : scalar(unary.operand(), t, frame);
      case Expr.Binary b -> {
        double x = scalar(b.left(), t, frame);
        double y = scalar(b.right(), t, frame);
        yield b.op().isComparison()
            ? (Operators.holds(b.op(), x, y) ? 1 : 0)
            : Operators.arithmetic(b.op(), x, y, noise);
      }
      case Expr.Call call -> scalarCall(call, t, frame);
      case Expr.StringLiteral s -> throw unexpected(s);
      case Expr.Aggregate a -> throw unexpected(a);
      case Expr.VectorSelector s -> throw unexpected(s);
      case Expr.MatrixSelector s -> throw unexpected(s);
      case Expr.Subquery s -> throw unexpected(s);
    };
  }

  private static IllegalArgumentException unexpected(Expr expr) {
    return new IllegalArgumentException("unexpected type of " + expr);
  }

  private double scalarCall(Expr.Call call, long t, Frame frame) {
    return switch (call.function().name()) {
      case "time" -> t / 1000.0;
      case "pi" -> Math.PI;
      case "start" -> query.startMs() / 1000.0;
      case "end" -> query.endMs() / 1000.0;
      case "step" -> query.stepMs() / 1000.0;
      case "range" -> (query.endMs() - query.startMs()) / 1000.0;
      case "scalar" -> {
        List<Element> elements = vector(call.arguments().getFirst(), t, frame);
        yield elements.size() == 1 ? elements.getFirst().value() : Double.NaN;
      }
      default -> throw unexpected(call);
    };
  }

  private List<Element> vector(Expr expr, long t, Frame frame) {
    return switch (expr) {
      case Expr.Paren paren -> vector(paren.inner(), t, frame);
      case Expr.VectorSelector selector -> selected(selector, t, false);
      case Expr.Unary unary -> unary(unary, t, frame);
      case Expr.Binary binary -> distinct(binary(binary, t, frame));
      case Expr.Aggregate aggregate -> aggregate(aggregate, t, frame);
      case Expr.Call call -> call(call, t, frame);
      case Expr.NumberLiteral number -> throw unexpected(number);
      case Expr.StringLiteral string -> throw unexpected(string);
      case Expr.MatrixSelector range -> throw unexpected(range);
      case Expr.Subquery range -> throw unexpected(range);
    };
  }

  private List<Element> distinct(List<Element> elements) {
    return settings.delayedNames() ? elements : apart(elements);
  }

  /**
   * Unary minus and range functions may give two series the same labels at no two steps, unless
   * names are dropped at the end.
   */
  private void requireOwnLabels(Expr expr, Labels before) {
    if (!settings.delayedNames()) {
      Labels after = names.drop(new Element(before, 0)).labels();
      Labels owner = owners.computeIfAbsent(expr, e -> new HashMap<>()).putIfAbsent(after, before);
      if (owner != null && !owner.equals(before)) {
        throw sameLabels();
      }
    }
  }

  private static List<Element> apart(List<Element> elements) {
    Set<Labels> seen = new HashSet<>();
    if (!elements.stream().allMatch(e -> seen.add(e.labels()))) {
      throw sameLabels();
    }
    return elements;
  }

  private long shifted(Expr.TimeShift shift, long t) {
    long at =
        switch (shift.at()) {
          case null -> t;
          case Expr.At.Instant instant -> instant.timestampMs();
          case Expr.At.Start start -> query.startMs();
          case Expr.At.End end -> query.endMs();
        };
    return at - (shift.offset() == null ? 0 : milliseconds(shift.offset()));
  }

  private long milliseconds(DurationExpr duration) {
    try {
      return duration.resolveMs(query.stepMs(), query.endMs() - query.startMs());
    } catch (ArithmeticException e) {
      throw new EvaluationError(String.valueOf(e.getMessage()));
    }
  }

  private long positive(DurationExpr duration) {
    long ms = milliseconds(duration);
    if (ms <= 0) {
      throw new EvaluationError("duration must be greater than 0");
    }
    return ms;
  }

  private static boolean matches(Expr.VectorSelector selector, Labels labels) {
    if (selector.extension() != Expr.RangeExtension.NONE) {
      throw new UnsupportedOperationException("anchored and smoothed aren't covered");
    }
    return selector.matchers().stream().allMatch(m -> m.matches(labels));
  }

  /**
   * @param ages whether the value is the sample's own time instead of its value
   */
  private List<Element> selected(Expr.VectorSelector selector, long t, boolean ages) {
    long until = shifted(selector.shift(), t);
    List<Element> elements = new ArrayList<>();
    data.forEach(
        (labels, samples) -> {
          if (!matches(selector, labels)) {
            return;
          }
          List<Point> points = points(samples, until - settings.lookbackMs(), until);
          if (!points.isEmpty() && !StalenessMarker.is(points.getLast().value())) {
            Point newest = points.getLast();
            elements.add(new Element(labels, ages ? newest.seconds() : newest.value()));
          }
        });
    return elements;
  }

  private static List<Point> points(SortedMap<Long, Double> samples, long afterMs, long untilMs) {
    List<Point> points = new ArrayList<>();
    samples.forEach(
        (time, value) -> {
          if (time > afterMs && time <= untilMs) {
            points.add(new Point(time, value));
          }
        });
    return points;
  }

  private List<Element> unary(Expr.Unary unary, long t, Frame frame) {
    List<Element> operand = vector(unary.operand(), t, frame);
    if (!unary.minus()) {
      return operand;
    }
    operand.forEach(e -> requireOwnLabels(unary, e.labels()));
    return distinct(operand.stream().map(e -> names.drop(e.withValue(-e.value()))).toList());
  }

  private List<Element> binary(Expr.Binary binary, long t, Frame frame) {
    if (binary.matching() != null) {
      return new Matching(binary, names, noise)
          .of(vector(binary.left(), t, frame), vector(binary.right(), t, frame));
    }
    boolean scalarLeft = binary.left().type() == ValueType.SCALAR;
    double scalar = scalar(scalarLeft ? binary.left() : binary.right(), t, frame);
    List<Element> results = new ArrayList<>();
    for (Element e : vector(scalarLeft ? binary.right() : binary.left(), t, frame)) {
      withScalar(binary, e, scalarLeft ? scalar : e.value(), scalarLeft ? e.value() : scalar)
          .ifPresent(results::add);
    }
    return results;
  }

  private Optional<Element> withScalar(Expr.Binary binary, Element element, double x, double y) {
    BinaryOp op = binary.op();
    if (!op.isComparison()) {
      double value = Operators.arithmetic(op, x, y, noise);
      return Optional.of(names.drop(element.withValue(value)));
    }
    boolean holds = Operators.holds(op, x, y);
    if (binary.returnBool()) {
      return Optional.of(names.drop(element.withValue(holds ? 1 : 0)));
    }
    return holds ? Optional.of(element) : Optional.empty();
  }

  private List<Element> aggregate(Expr.Aggregate aggregate, long t, Frame frame) {
    Aggregating aggregating = new Aggregating(aggregate, noise);
    Expr parameter = aggregate.parameter();
    if (parameter instanceof Expr.StringLiteral label) {
      return aggregating.countValues(vector(aggregate.operand(), t, frame), label.value());
    }
    double number = parameter == null ? Double.NaN : scalar(parameter, t, frame);
    switch (aggregate.op()) {
      case TOPK, BOTTOMK, LIMITK -> Aggregating.requireCount(number);
      case SUM,
          AVG,
          COUNT,
          MIN,
          MAX,
          GROUP,
          STDDEV,
          STDVAR,
          COUNT_VALUES,
          QUANTILE,
          LIMIT_RATIO -> {}
    }
    return aggregating.of(vector(aggregate.operand(), t, frame), number);
  }

  private List<Element> call(Expr.Call call, long t, Frame frame) {
    String name = call.function().name();
    if (WindowFunctions.NAMES.contains(name)) {
      return overRange(call, t, frame);
    }
    return switch (name) {
      case "absent_over_time" -> absentOverTime(call.arguments().getFirst(), t, frame);
      case "absent" ->
          vector(call.arguments().getFirst(), t, frame).isEmpty()
              ? List.of(new Element(absentLabels(call.arguments().getFirst()), 1))
              : List.of();
      case "vector" ->
          List.of(new Element(Labels.EMPTY, scalar(call.arguments().getFirst(), t, frame)));
      case "timestamp" -> timestamps(call.arguments().getFirst(), t, frame);
      case "sort", "sort_desc" ->
          sorted(vector(call.arguments().getFirst(), t, frame), name.equals("sort"));
      case "sort_by_label", "sort_by_label_desc" -> vector(call.arguments().getFirst(), t, frame);
      case "histogram_fraction", "histogram_quantiles", "info", "start_timestamp" ->
          throw new UnsupportedOperationException(name + " isn't covered");
      case "label_replace" -> replaced(call, t, frame);
      case "label_join" -> joined(call, t, frame);
      case "histogram_quantile" -> distinct(bucketQuantiles(call, t, frame));
      default -> distinct(elementwise(call, t, frame));
    };
  }

  private List<Element> elementwise(Expr.Call call, long t, Frame frame) {
    String name = call.function().name();
    if (ElementFunctions.isDate(name) && call.arguments().isEmpty()) {
      double seconds = Math.floorDiv(t, 1000);
      return List.of(new Element(Labels.EMPTY, elementFunctions.date(name, seconds)));
    }
    double[] parameters = parameters(call, t, frame);
    List<Element> results = new ArrayList<>();
    for (Element element : vector(call.arguments().getFirst(), t, frame)) {
      Double value = elementFunctions.apply(name, element.value(), parameters);
      if (value != null) {
        results.add(names.drop(element.withValue(value)));
      }
    }
    return results;
  }

  private double[] parameters(Expr.Call call, long t, Frame frame) {
    return call.arguments().stream()
        .filter(a -> a.type() == ValueType.SCALAR)
        .mapToDouble(a -> scalar(a, t, frame))
        .toArray();
  }

  private List<Element> timestamps(Expr argument, long t, Frame frame) {
    Expr bare = argument;
    while (bare instanceof Expr.Paren paren) {
      bare = paren.inner();
    }
    List<Element> elements =
        bare instanceof Expr.VectorSelector selector
            ? selected(selector, t, true)
            : vector(argument, t, frame).stream().map(e -> e.withValue(t / 1000.0)).toList();
    return distinct(elements.stream().map(names::drop).toList());
  }

  private static List<Element> sorted(List<Element> elements, boolean ascending) {
    int sign = ascending ? 1 : -1;
    return elements.stream()
        .sorted(
            Comparator.<Element, Boolean>comparing(e -> Double.isNaN(e.value()))
                .thenComparingDouble(e -> sign * e.value() + 0.0))
        .toList();
  }

  private static String string(Expr.Call call, int index) {
    Expr argument = call.arguments().get(index);
    while (argument instanceof Expr.Paren paren) {
      argument = paren.inner();
    }
    return ((Expr.StringLiteral) argument).value();
  }

  private List<Element> replaced(Expr.Call call, long t, Frame frame) {
    LabelFunctions.compile(string(call, 4));
    LabelFunctions.requireLabelName(string(call, 1), "label_replace");
    List<Element> elements = vector(call.arguments().getFirst(), t, frame);
    List<Element> results =
        elements.stream()
            .map(
                e ->
                    LabelFunctions.replace(
                        e, string(call, 1), string(call, 2), string(call, 3), string(call, 4)))
            .toList();
    return apart(results);
  }

  private List<Element> joined(Expr.Call call, long t, Frame frame) {
    LabelFunctions.requireLabelName(string(call, 1), "label_join");
    List<String> sources = new ArrayList<>();
    for (int i = 3; i < call.arguments().size(); i++) {
      sources.add(string(call, i));
    }
    List<Element> elements = vector(call.arguments().getFirst(), t, frame);
    List<Element> results =
        elements.stream()
            .map(e -> LabelFunctions.join(e, string(call, 1), string(call, 2), sources))
            .toList();
    return apart(results);
  }

  private List<Element> bucketQuantiles(Expr.Call call, long t, Frame frame) {
    double q = scalar(call.arguments().getFirst(), t, frame);
    Map<Labels, Buckets> histograms = new LinkedHashMap<>();
    for (Element element : vector(call.arguments().get(1), t, frame)) {
      Double bound = bound(element.labels().get("le"));
      if (bound != null) {
        Labels histogram = element.labels().without("le");
        histograms.computeIfAbsent(histogram, l -> new Buckets()).add(bound, element.value());
      }
    }
    List<Element> results = new ArrayList<>();
    histograms.forEach(
        (labels, buckets) ->
            results.add(names.drop(new Element(labels, buckets.quantile(q, noise)))));
    return results;
  }

  private static @Nullable Double bound(String le) {
    return switch (le) {
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield le.matches("[-+0-9.eE]+") ? Double.valueOf(le) : null;
        } catch (NumberFormatException e) {
          yield null;
        }
      }
    };
  }

  private List<Element> overRange(Expr.Call call, long t, Frame frame) {
    String name = call.function().name();
    Expr range =
        call.arguments().stream()
            .filter(a -> a.type() == ValueType.RANGE_VECTOR)
            .findFirst()
            .orElseThrow();
    double[] parameters = parameters(call, t, frame);
    List<Element> results = new ArrayList<>();
    for (Series series : ranges(range, frame)) {
      Window window = window(series, range, t);
      Double value = window.size() == 0 ? null : windowFunctions.apply(name, window, parameters, t);
      if (value != null) {
        Element element = new Element(series.labels, value, series.dropsName);
        if (WindowFunctions.KEEP_NAME.contains(name)) {
          results.add(element);
        } else {
          requireOwnLabels(call, element.labels());
          results.add(names.drop(element));
        }
      }
    }
    return distinct(results);
  }

  private List<Element> absentOverTime(Expr range, long t, Frame frame) {
    boolean found = ranges(range, frame).stream().anyMatch(s -> window(s, range, t).size() > 0);
    return found ? List.of() : List.of(new Element(absentLabels(range), 1));
  }

  /** From the matchers for equality, unless a label has several matchers. */
  private static Labels absentLabels(Expr argument) {
    List<Matcher> matchers =
        switch (argument) {
          case Expr.VectorSelector selector -> selector.matchers();
          case Expr.MatrixSelector range -> range.selector().matchers();
          case Expr.Paren paren ->
              paren.inner() instanceof Expr.VectorSelector selector
                  ? selector.matchers()
                  : List.of();
          case Expr other -> List.of();
        };
    Labels labels = Labels.EMPTY;
    Set<String> seen = new HashSet<>();
    for (Matcher matcher : matchers) {
      boolean first = matcher.type() == Matcher.Type.EQUAL && seen.add(matcher.name());
      labels = labels.with(matcher.name(), first ? matcher.value() : "");
    }
    return labels.without(Labels.NAME);
  }

  private Expr.TimeShift shift(Expr range) {
    return switch (range) {
      case Expr.Paren paren -> shift(paren.inner());
      case Expr.MatrixSelector matrix -> matrix.selector().shift();
      case Expr.Subquery subquery -> subquery.shift();
      case Expr other -> throw unexpected(other);
    };
  }

  private DurationExpr length(Expr range) {
    return switch (range) {
      case Expr.Paren paren -> length(paren.inner());
      case Expr.MatrixSelector matrix -> matrix.range();
      case Expr.Subquery subquery -> subquery.range();
      case Expr other -> throw unexpected(other);
    };
  }

  private Window window(Series series, Expr range, long t) {
    long until = shifted(shift(range), t);
    long after = until - positive(length(range));
    List<Point> points =
        points(series.samples, after, until).stream()
            .filter(p -> !StalenessMarker.is(p.value()))
            .toList();
    return new Window(points, after, until);
  }

  private List<Series> ranges(Expr range, Frame frame) {
    return switch (range) {
      case Expr.Paren paren -> ranges(paren.inner(), frame);
      case Expr.MatrixSelector matrix -> {
        List<Series> series = new ArrayList<>();
        positive(matrix.range());
        data.forEach(
            (labels, samples) -> {
              if (matches(matrix.selector(), labels)) {
                series.add(new Series(labels, false, samples));
              }
            });
        yield series;
      }
      case Expr.Subquery subquery -> {
        Place place = new Place(subquery, frame);
        List<Series> known = subqueries.get(place);
        if (known == null) {
          known = subquery(subquery, frame);
          subqueries.put(place, known);
        }
        yield known;
      }
      case Expr other -> throw unexpected(other);
    };
  }

  /** The inner expression over all times that any window of the frame may contain. */
  private List<Series> subquery(Expr.Subquery subquery, Frame frame) {
    long after = shifted(subquery.shift(), frame.startMs()) - positive(subquery.range());
    long until = shifted(subquery.shift(), frame.endMs());
    long step = subquery.step() == null ? settings.subqueryStepMs() : positive(subquery.step());
    long start = after / step * step;
    Frame inner = new Frame(start <= after ? start + step : start, until, step);
    Map<Labels, Series> series = new LinkedHashMap<>();
    for (long t : inner.times()) {
      for (Element element : vector(subquery.inner(), t, inner)) {
        series
            .computeIfAbsent(
                element.labels(),
                labels -> new Series(labels, element.dropsName(), new TreeMap<>()))
            .samples
            .put(t, element.value());
      }
    }
    return List.copyOf(series.values());
  }
}
