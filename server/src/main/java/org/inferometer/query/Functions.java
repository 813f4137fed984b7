package org.inferometer.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Numbers;
import org.inferometer.query.Value.Rows;
import org.jspecify.annotations.Nullable;

/** All functions by name: how each gets its arguments and what computes it. */
final class Functions {
  private static final List<String> COUNTER_SUFFIXES =
      List.of("_total", "_sum", "_count", "_bucket");

  private static final Map<String, Function> TABLE = new HashMap<>();

  private Functions() {}

  /** A function over the arguments of a call. */
  @FunctionalInterface
  private interface Function {
    Value apply(Arguments call);
  }

  /** The arguments of a call, evaluated when asked for. */
  private record Arguments(Evaluator evaluator, Expr.Call call, Steps steps) {
    int count() {
      return call.arguments().size();
    }

    Expr expr(int index) {
      return call.arguments().get(index);
    }

    Rows rows(int index) {
      return evaluator.rows(expr(index), steps);
    }

    /** A vector without its histograms. */
    Rows floats(int index) {
      return rows(index).floatsOnly();
    }

    double[] numbers(int index) {
      return evaluator.numbers(expr(index), steps);
    }

    double[] numbers(int index, double absent) {
      return index < count() ? numbers(index) : constant(absent);
    }

    double[] constant(double value) {
      return Numbers.constant(value, steps.count()).values();
    }

    String text(int index) {
      return evaluator.text(expr(index));
    }

    List<String> texts(int from) {
      List<String> texts = new ArrayList<>();
      for (int i = from; i < count(); i++) {
        texts.add(text(i));
      }
      return texts;
    }

    /** What a range function has to say is said at its argument. */
    RangeNotes notes(int index) {
      return new RangeNotes(evaluation().annotations(), expr(index).span());
    }

    /** A function of floats only. */
    Rows rangeOfFloats(int index, RangeFunction function) {
      return range(index, RangeFunction.ofFloats(function, notes(index)));
    }

    Rows range(int index, RangeFunction function) {
      return evaluator.range(expr(index), steps, call.function().name(), function);
    }

    EngineNames names() {
      return evaluator.names();
    }

    Evaluation evaluation() {
      return evaluator.evaluation();
    }
  }

  static Value call(Evaluator evaluator, Expr.Call call, Steps steps) {
    @Nullable Function function = TABLE.get(call.function().name());
    if (function == null) {
      throw Abort.execution(
          "function " + call.function().name() + "() is parsed but not evaluated yet");
    }
    return function.apply(new Arguments(evaluator, call, steps));
  }

  static {
    MathFunctions.BY_NAME.forEach(Functions::pointwise);
    overWindows();
    overWindowsWithParameters();
    calendar();
    scalars();
    shaping();
    labels();
    sorting();
    histograms();
  }

  private static void pointwise(String name, DoubleUnaryOperator operator) {
    TABLE.put(
        name, c -> c.names().dropped(c.floats(0).map(row -> MathFunctions.mapped(row, operator))));
  }

  private static void window(
      String name, java.util.function.Function<RangeNotes, RangeFunction> function) {
    TABLE.put(name, c -> c.names().droppedApart(c.range(0, function.apply(c.notes(0)))));
  }

  private static void window(String name, Supplier<RangeFunction> function) {
    window(name, notes -> function.get());
  }

  /** A function that leaves histograms out. */
  private static void floatWindow(String name, Supplier<RangeFunction> function) {
    TABLE.put(name, c -> c.names().droppedApart(c.rangeOfFloats(0, function.get())));
  }

  private static void overWindows() {
    TABLE.put("rate", c -> counter(c, RateFunctions.rate(c.notes(0))));
    TABLE.put("increase", c -> counter(c, RateFunctions.increase(c.notes(0))));
    TABLE.put("last_over_time", c -> c.range(0, OverTime.last()));
    TABLE.put("first_over_time", c -> c.range(0, OverTime.first()));
    window("delta", RateFunctions::delta);
    window("irate", RateFunctions::irate);
    window("idelta", RateFunctions::idelta);
    window("resets", RateFunctions::resets);
    window("changes", RateFunctions::changes);
    window("sum_over_time", OverTime::sum);
    window("avg_over_time", OverTime::avg);
    window("count_over_time", OverTime::count);
    window("present_over_time", OverTime::present);
    window("ts_of_last_over_time", OverTime::lastTime);
    window("ts_of_first_over_time", OverTime::firstTime);
    floatWindow("deriv", Regression::deriv);
    floatWindow("min_over_time", OverTime::min);
    floatWindow("max_over_time", OverTime::max);
    floatWindow("stddev_over_time", OverTime::stddev);
    floatWindow("stdvar_over_time", OverTime::stdvar);
    floatWindow("mad_over_time", OverTime::mad);
    floatWindow("ts_of_min_over_time", OverTime::minTime);
    floatWindow("ts_of_max_over_time", OverTime::maxTime);
  }

  private static Value counter(Arguments c, RangeFunction function) {
    Rows rates = c.range(0, function);
    for (Row row : rates.rows()) {
      String name = row.labels().metricName();
      if (!name.isEmpty() && !isCounter(name) && row.hasFloats()) {
        c.evaluation().annotations().possibleNonCounter(name, c.expr(0).span());
      }
    }
    return c.names().droppedApart(rates);
  }

  private static boolean isCounter(String name) {
    for (String suffix : COUNTER_SUFFIXES) {
      if (name.endsWith(suffix)) {
        return true;
      }
    }
    return false;
  }

  private static void overWindowsWithParameters() {
    TABLE.put("quantile_over_time", Functions::quantileOverTime);
    TABLE.put(
        "predict_linear",
        c -> c.names().droppedApart(c.rangeOfFloats(0, Regression.predictLinear(c.numbers(1)))));
    TABLE.put(
        "double_exponential_smoothing",
        c ->
            c.names()
                .droppedApart(
                    c.range(
                        0,
                        Regression.doubleExponentialSmoothing(
                            c.numbers(1), c.numbers(2), c.notes(0)))));
    TABLE.put(
        "absent_over_time",
        c -> Absent.of(c.expr(0), c.range(0, OverTime.present()).rows(), c.steps()));
  }

  private static Value quantileOverTime(Arguments c) {
    double[] quantiles = c.numbers(0);
    // What is said of left out histograms stands at the first argument, as in Prometheus.
    Rows results = c.range(1, RangeFunction.ofFloats(OverTime.quantile(quantiles), c.notes(0)));
    if (!results.rows().isEmpty()) {
      for (double q : quantiles) {
        if (Quantiles.isInvalid(q)) {
          c.evaluation().annotations().invalidQuantile(q, c.expr(0).span());
        }
      }
    }
    return c.names().droppedApart(results);
  }

  private static void calendar() {
    date("year", TimeFunctions.year());
    date("month", TimeFunctions.month());
    date("day_of_month", TimeFunctions.dayOfMonth());
    date("day_of_year", TimeFunctions.dayOfYear());
    date("day_of_week", TimeFunctions.dayOfWeek());
    date("days_in_month", TimeFunctions.daysInMonth());
    date("hour", TimeFunctions.hour());
    date("minute", TimeFunctions.minute());
  }

  /** Of the argument's values, or of the evaluation time if there is no argument. */
  private static void date(String name, DoubleUnaryOperator field) {
    TABLE.put(
        name,
        c -> {
          Rows seconds = c.count() == 0 ? MathFunctions.vector(times(c.steps())) : c.floats(0);
          return c.names().dropped(seconds.map(row -> MathFunctions.mapped(row, field)));
        });
  }

  private static double[] times(Steps steps) {
    double[] seconds = new double[steps.count()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = steps.timeMs(i) / 1000.0;
    }
    return seconds;
  }

  private static void scalars() {
    TABLE.put("time", c -> new Numbers(times(c.steps())));
    TABLE.put("pi", c -> new Numbers(c.constant(Math.PI)));
    TABLE.put("vector", c -> MathFunctions.vector(c.numbers(0)));
    TABLE.put("scalar", c -> new Numbers(MathFunctions.scalar(c.floats(0), c.steps().count())));
    queryTime("start", t -> t.startMs());
    queryTime("end", t -> t.endMs());
    queryTime("step", t -> t.stepMs());
    queryTime("range", t -> t.endMs() - t.startMs());
    TABLE.put("timestamp", Functions::timestamp);
    TABLE.put("start_timestamp", Functions::startTimestamp);
  }

  /** A time of the query itself, in milliseconds. */
  @FunctionalInterface
  private interface QueryTime {
    long of(Evaluation.QueryTimes times);
  }

  private static void queryTime(String name, QueryTime time) {
    TABLE.put(name, c -> new Numbers(c.constant(time.of(c.evaluation().times()) / 1000.0)));
  }

  /** A bare selector is asked for the time of its samples, anything else has the step's. */
  private static Value timestamp(Arguments c) {
    if (ExprTree.unwrap(c.expr(0)) instanceof Expr.VectorSelector selector) {
      return c.names().dropped(c.evaluator().newest(selector, SampleFacet.TIME, c.steps()));
    }
    double[] seconds = times(c.steps());
    return c.names()
        .dropped(
            c.rows(0)
                .map(
                    row ->
                        new Row(row.labels(), row.nameDropped(), seconds.clone(), row.present())));
  }

  /** Only samples know it: anything but a bare selector has none. */
  private static Value startTimestamp(Arguments c) {
    if (!c.evaluation().options().startTimestamps()) {
      throw Abort.execution("start_timestamp() needs the feature use-start-timestamps");
    }
    if (ExprTree.unwrap(c.expr(0)) instanceof Expr.VectorSelector selector) {
      return c.names().dropped(c.evaluator().newest(selector, SampleFacet.START_TIME, c.steps()));
    }
    return Rows.EMPTY;
  }

  private static void shaping() {
    TABLE.put(
        "round",
        c -> {
          double[] nearest = c.numbers(1, 1);
          return c.names().dropped(c.floats(0).map(row -> MathFunctions.rounded(row, nearest)));
        });
    TABLE.put("clamp", c -> clamp(c, c.numbers(1), c.numbers(2)));
    TABLE.put("clamp_min", c -> clamp(c, c.numbers(1), c.constant(Double.POSITIVE_INFINITY)));
    TABLE.put("clamp_max", c -> clamp(c, c.constant(Double.NEGATIVE_INFINITY), c.numbers(1)));
    TABLE.put("absent", c -> Absent.of(c.expr(0), c.rows(0).rows(), c.steps()));
  }

  private static Value clamp(Arguments c, double[] min, double[] max) {
    return c.names().dropped(c.floats(0).map(row -> MathFunctions.clamped(row, min, max)));
  }

  private static void labels() {
    TABLE.put(
        "label_replace",
        c ->
            new LabelFunctions(c.names(), c.evaluation())
                .replace(c.rows(0), c.text(1), c.text(2), c.text(3), c.text(4)));
    TABLE.put(
        "label_join",
        c ->
            new LabelFunctions(c.names(), c.evaluation())
                .join(c.rows(0), c.text(1), c.text(2), c.texts(3)));
    TABLE.put("info", Functions::info);
  }

  private static Value info(Arguments c) {
    InfoSelector selector = InfoSelector.of(c.count() > 1 ? (Expr.VectorSelector) c.expr(1) : null);
    return new InfoFunction(c.evaluation(), c.names(), c.steps(), selector)
        .apply(c.rows(0), InfoFunction.reference(c.expr(0), c.evaluation().times()), c.call());
  }

  private static void sorting() {
    TABLE.put("sort", c -> sorted(c, c.floats(0), rows -> Sorting.byValue(rows, false)));
    TABLE.put("sort_desc", c -> sorted(c, c.floats(0), rows -> Sorting.byValue(rows, true)));
    TABLE.put("sort_by_label", c -> sortedByLabels(c, false));
    TABLE.put("sort_by_label_desc", c -> sortedByLabels(c, true));
  }

  private static Value sortedByLabels(Arguments c, boolean descending) {
    List<String> names = c.texts(1);
    Runnable check = c.evaluation()::check;
    return sorted(c, c.rows(0), rows -> Sorting.byLabels(rows, names, descending, check));
  }

  private static Value sorted(Arguments c, Rows rows, UnaryOperator<Rows> order) {
    if (c.evaluation().isRange()) {
      c.evaluation().annotations().sortIneffective(c.call().span());
      return rows;
    }
    return c.steps().count() == 1 ? order.apply(rows) : rows;
  }

  private static void histograms() {
    TABLE.put(
        "histogram_quantile", c -> buckets(c, 1).quantile(c.numbers(0), c.expr(0), c.rows(1)));
    TABLE.put(
        "histogram_fraction", c -> buckets(c, 2).fraction(c.numbers(0), c.numbers(1), c.rows(2)));
    TABLE.put("histogram_quantiles", Functions::histogramQuantiles);
    ofHistogram("histogram_count", NativeHistogram::count);
    ofHistogram("histogram_sum", NativeHistogram::sum);
    ofHistogram("histogram_avg", NativeHistogram::mean);
    ofHistogram("histogram_stddev", h -> Math.sqrt(h.variance()));
    ofHistogram("histogram_stdvar", NativeHistogram::variance);
  }

  private static void ofHistogram(String name, ToDoubleFunction<NativeHistogram> number) {
    TABLE.put(
        name,
        c -> c.names().dropped(c.rows(0).map(row -> MathFunctions.ofHistograms(row, number))));
  }

  private static BucketFunctions buckets(Arguments c, int operand) {
    return new BucketFunctions(c.evaluation(), c.names(), c.steps(), c.expr(operand));
  }

  private static Value histogramQuantiles(Arguments c) {
    List<double[]> quantiles = new ArrayList<>();
    List<Expr> exprs = new ArrayList<>();
    for (int i = 2; i < c.count(); i++) {
      quantiles.add(c.numbers(i));
      exprs.add(c.expr(i));
    }
    return buckets(c, 0).quantiles(quantiles, exprs, c.text(1), c.rows(0));
  }
}
