package org.inferometer.query.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes queries whose types fit, over the series of {@link RandomSeries}. */
public final class RandomQueries {
  private static final int DEPTH = 3;

  private static final List<String> FLOATS =
      List.of("c_total", "c_total", "d_total", "g", "g", "k", "e", "i", "h_bucket", "one", "none");
  private static final List<String> HISTOGRAMS =
      List.of("c_total", "g", "i", "h_bucket", "n_total", "n_total", "n", "n", "m", "u_total");

  private final SplittableRandom random;
  private final long startMs;
  private final boolean prometheus2;
  private final boolean histograms;

  /**
   * @param startMs where the series begin
   * @param prometheus2 whether to leave out what Prometheus 2.x doesn't have or does otherwise:
   *     times and subqueries never have samples or steps on the left edge of a window
   */
  public RandomQueries(SplittableRandom random, long startMs, boolean prometheus2) {
    this(random, startMs, prometheus2, false);
  }

  private RandomQueries(
      SplittableRandom random, long startMs, boolean prometheus2, boolean histograms) {
    this.random = random;
    this.startMs = startMs;
    this.prometheus2 = prometheus2;
    this.histograms = histograms;
  }

  /** Queries over series of {@link RandomHistograms} too. */
  static RandomQueries overHistograms(SplittableRandom random) {
    return new RandomQueries(random, 0, false, true);
  }

  public Question next() {
    String query = random.nextInt(12) == 0 ? scalar(DEPTH) : vector(1 + random.nextInt(DEPTH));
    long start = startMs + random.nextInt(40) * 60_000L + fraction();
    boolean delayed = !prometheus2 && random.nextInt(4) == 0;
    if (random.nextInt(3) == 0) {
      return new Question(query, start, start, 0, delayed);
    }
    long step = pick(List.of(7_000L, 15_000L, 15_000L, 60_000L, 700_000L));
    return new Question(query, start, start + step * random.nextInt(25), step, delayed);
  }

  private long fraction() {
    return prometheus2 ? 250 : pick(List.of(0L, 0L, 7_001L, 13_250L));
  }

  private String vector(int depth) {
    if (depth <= 0) {
      return leaf();
    }
    return switch (random.nextInt(24)) {
      case 0, 1, 2 -> leaf();
      case 3, 4, 5, 6, 7 -> overWindow(depth);
      case 8, 9, 10, 11 -> aggregation(depth);
      case 12, 13, 14 -> betweenVectors(depth);
      case 15 -> "(" + vector(depth - 1) + pick(SET) + matching("") + vector(depth - 1) + ")";
      case 16, 17 -> withScalar(depth);
      case 18 -> pick(List.of("-", "+", "-")) + selector() + "";
      case 19, 20 -> elementFunction(depth);
      case 21 -> labelFunction(depth);
      case 22 -> quantileOfBuckets(depth);
      default -> other(depth);
    };
  }

  private static final List<String> SET = List.of(" and ", " or ", " unless ");

  private String leaf() {
    return random.nextInt(10) == 0 ? "vector(" + number() + ")" : selector() + shift();
  }

  private String selector() {
    List<String> matchers = new ArrayList<>();
    while (random.nextInt(3) == 0) {
      matchers.add(pick(MATCHERS));
    }
    if (random.nextInt(15) == 0) {
      return "{__name__=~\""
          + pick(List.of("c_total|d_total", "g|e", ".+_total", "one|k"))
          + "\""
          + (matchers.isEmpty() ? "" : "," + matchers.getFirst())
          + "}";
    }
    return pick(histograms ? HISTOGRAMS : FLOATS)
        + (matchers.isEmpty() ? "" : "{" + String.join(",", matchers) + "}");
  }

  private static final List<String> MATCHERS =
      List.of(
          "a=\"1\"",
          "a=~\"[01]\"",
          "a!=\"2\"",
          "b=\"x\"",
          "b!=\"\"",
          "b=\"\"",
          "b=~\"x|\"",
          "b!~\"y.*\"",
          "c=\"p\"",
          "le!=\"2.5\"",
          "nope=\"\"");

  private String shift() {
    List<String> shifts = new ArrayList<>();
    if (random.nextInt(5) == 0) {
      shifts.add(" offset " + pick(List.of("1m", "-90s", "10m", "1s", "35m")));
    }
    if (random.nextInt(8) == 0) {
      String at = prometheus2 ? (startMs / 1000 + random.nextInt(2500)) + ".25" : "";
      String fixed = prometheus2 ? at : "" + (startMs / 1000 + random.nextInt(250) * 10L);
      shifts.add(pick(List.of(" @ " + fixed, " @ start()", " @ end()")));
    }
    if (shifts.size() == 2 && random.nextBoolean()) {
      return shifts.get(1) + shifts.get(0);
    }
    return String.join("", shifts);
  }

  private String number() {
    return pick(
        List.of(
            "0", "1", "2", "-1", "0.5", "3", "10", "100", "1e6", "0.25", "7", "NaN", "Inf",
            "-Inf"));
  }

  private String quantile() {
    return pick(List.of("0", "0.1", "0.5", "0.5", "0.9", "0.99", "1", "-1", "2", "NaN"));
  }

  private String scalar(int depth) {
    return switch (random.nextInt(depth <= 0 ? 2 : 8)) {
      case 0, 1, 2 -> number();
      case 3 -> "time()";
      case 4 -> "scalar(" + vector(depth - 1) + ")";
      case 5 -> "(" + scalar(depth - 1) + pick(ARITHMETIC) + scalar(depth - 1) + ")";
      case 6 -> "(" + scalar(depth - 1) + pick(COMPARISON) + "bool " + scalar(depth - 1) + ")";
      default -> prometheus2 ? "pi()" : pick(List.of("start()", "end()", "step()", "range()"));
    };
  }

  private static final List<String> ARITHMETIC =
      List.of(" + ", " - ", " * ", " / ", " % ", " ^ ", " atan2 ", " + ", " - ", " * ", " / ");

  /** Prometheus 2.42 keeps the metric name in {@code atan2} with a vector. */
  private String arithmetic() {
    String op = pick(ARITHMETIC);
    return prometheus2 && op.equals(" atan2 ") ? " + " : op;
  }

  private static final List<String> COMPARISON =
      List.of(" == ", " != ", " < ", " > ", " <= ", " >= ");

  private static final List<String> WINDOW =
      List.of(
          "rate",
          "rate",
          "increase",
          "increase",
          "delta",
          "irate",
          "idelta",
          "resets",
          "changes",
          "deriv",
          "sum_over_time",
          "avg_over_time",
          "min_over_time",
          "max_over_time",
          "count_over_time",
          "last_over_time",
          "stddev_over_time",
          "stdvar_over_time",
          "present_over_time",
          "absent_over_time");
  private static final List<String> WINDOW_OF_3 =
      List.of(
          "first_over_time",
          "mad_over_time",
          "ts_of_first_over_time",
          "ts_of_last_over_time",
          "ts_of_min_over_time",
          "ts_of_max_over_time");

  private String overWindow(int depth) {
    String range = range(depth);
    int kind = random.nextInt(14);
    return switch (prometheus2 && kind == 1 && range.contains("@") ? 2 : kind) {
      case 0 -> "quantile_over_time(" + parameter(quantile(), depth) + ", " + range + ")";
      case 1 -> "predict_linear(" + range + ", " + parameter(number(), depth) + ")";
      case 2 ->
          (prometheus2 ? "holt_winters(" : "double_exponential_smoothing(")
              + range
              + pick(List.of(", 0.5, 0.5)", ", 0.1, 0.9)", ", 0.3, 0.1)"));
      case 3 -> over(pick(prometheus2 ? WINDOW : WINDOW_OF_3), range);
      default -> over(pick(WINDOW), range);
    };
  }

  private String over(String function, String range) {
    boolean extrapolates = function.equals("rate") || function.equals("increase");
    return function + "(" + (prometheus2 && extrapolates ? counterRange() : range) + ")";
  }

  /** Prometheus 2.x extrapolates differently near zero, so only counters that stay away from it. */
  private String counterRange() {
    String counter = pick(List.of("c_total", "d_total", "h_bucket"));
    return random.nextInt(4) == 0
        ? counter + shift() + pick(List.of("[5m500ms:30s]", "[2m500ms:]")) + shift()
        : counter + "[" + window() + "]" + shift();
  }

  /** Mostly a literal, now and then one that changes from step to step. */
  private String parameter(String literal, int depth) {
    return random.nextInt(6) == 0 ? scalar(depth - 1) : literal;
  }

  private String range(int depth) {
    if (depth > 1 && random.nextInt(3) == 0) {
      String inner = vector(depth - 1);
      return "("
          + inner
          + ")["
          + pick(
              prometheus2
                  ? List.of("5m500ms:", "2m500ms:30s", "1m500ms:10s", "7m500ms:1m")
                  : List.of("5m:", "2m:30s", "37s:11s", "7m:1m", "10m:200s"))
          + "]"
          + shift();
    }
    return selector() + "[" + window() + "]" + shift();
  }

  private String window() {
    if (!prometheus2 && random.nextInt(8) == 0) {
      return pick(
          List.of(
              "2m*2", "step()+1m", "max_of(step(), 1m)", "5m - 30s", "300", "min_of(1m,step())"));
    }
    return pick(List.of("1m", "5m", "5m", "2m", "37s", "20m", "15s"));
  }

  private String grouping() {
    return pick(
        List.of(
            "",
            "",
            " by (a) ",
            " by (a, b) ",
            " by () ",
            " without (a) ",
            " without (b, c) ",
            " without () ",
            " by (a, nope) ",
            " by (b, __name__) ",
            " by (le, a) "));
  }

  private String aggregation(int depth) {
    String operand = vector(depth - 1) + ")";
    return switch (random.nextInt(10)) {
      case 0 ->
          pick(List.of("topk", "bottomk"))
              + grouping()
              + "("
              + parameter(pick(List.of("1", "2", "3", "0", "2.7", "100")), depth)
              + ", "
              + operand;
      case 1 -> "quantile" + grouping() + "(" + parameter(quantile(), depth) + ", " + operand;
      case 2 ->
          "count_values" + grouping() + "(\"" + pick(List.of("z", "a", "b")) + "\", " + operand;
      case 3 ->
          (prometheus2 ? "max" : "limitk")
              + grouping()
              + "("
              + (prometheus2 ? "" : pick(List.of("100, ", "30, ", "0, ")))
              + operand;
      default ->
          pick(
                  List.of(
                      "sum", "sum", "sum", "avg", "avg", "count", "min", "max", "group", "stddev",
                      "stdvar"))
              + grouping()
              + "("
              + operand;
    };
  }

  private String matching(String group) {
    String on =
        pick(
            List.of(
                "",
                "",
                "on (a) ",
                "on (a, b) ",
                "ignoring (b) ",
                "ignoring (c) ",
                "on () ",
                "ignoring (a, v) ",
                "on (__name__, a) "));
    return on + (on.isEmpty() ? "" : group);
  }

  private String betweenVectors(int depth) {
    String op = random.nextInt(3) == 0 ? pick(COMPARISON) : arithmetic();
    if (COMPARISON.contains(op) && random.nextBoolean()) {
      op += "bool ";
    }
    return switch (random.nextInt(5)) {
      case 0 -> "(" + vector(depth - 1) + op + matching(group()) + fill() + vector(depth - 1) + ")";
      case 1 ->
          "("
              + selector()
              + op
              + "on (a) "
              + pick(List.of("group_left (v) ", "group_left () ", "group_left (v, b) "))
              + fill()
              + "i"
              + shift()
              + ")";
      case 2 ->
          "(i"
              + op
              + "on (a) "
              + pick(List.of("group_right (v) ", "group_right () "))
              + fill()
              + vector(depth - 1)
              + ")";
      default -> {
        String by = pick(List.of(" by (a) (", " by (a, b) (", " without (c, v, le) ("));
        yield "("
            + pick(List.of("sum", "max", "avg"))
            + by
            + vector(depth - 1)
            + ")"
            + op
            + pick(List.of("", "", "on (a) ", "ignoring (b) group_left () "))
            + fill()
            + pick(List.of("sum", "min", "count"))
            + by
            + vector(depth - 1)
            + "))";
      }
    };
  }

  private String group() {
    return pick(
        List.of(
            "",
            "",
            "",
            "group_left () ",
            "group_right () ",
            "group_left (v) ",
            "group_right (c) "));
  }

  private String fill() {
    return prometheus2 || random.nextInt(5) > 0
        ? ""
        : pick(
            List.of(
                "fill (0) ",
                "fill_left (1) ",
                "fill_right (NaN) ",
                "fill_left (2) fill_right (3) "));
  }

  private String withScalar(int depth) {
    boolean comparison = random.nextInt(3) == 0;
    String op = comparison ? pick(COMPARISON) : arithmetic();
    op += comparison && random.nextBoolean() ? "bool " : "";
    String scalar = parameter(number(), depth);
    return random.nextBoolean()
        ? "(" + vector(depth - 1) + op + scalar + ")"
        : "(" + scalar + op + vector(depth - 1) + ")";
  }

  private static final List<String> OF_HISTOGRAMS =
      List.of(
          "histogram_count(",
          "histogram_sum(",
          "histogram_avg(",
          "histogram_stddev(",
          "histogram_stdvar(",
          "histogram_fraction(0, 2, ",
          "histogram_fraction(-Inf, 0.3, ",
          "histogram_quantile(0.9, ",
          "histogram_quantile(0.1, ");

  private String elementFunction(int depth) {
    String operand = vector(depth - 1);
    if (histograms && random.nextInt(3) > 0) {
      return pick(OF_HISTOGRAMS) + operand + ")";
    }
    return switch (random.nextInt(8)) {
      case 0 ->
          "clamp("
              + operand
              + ", "
              + parameter("-5", depth)
              + ", "
              + parameter(number(), depth)
              + ")";
      case 1 ->
          pick(List.of("clamp_min(", "clamp_max("))
              + operand
              + ", "
              + parameter(number(), depth)
              + ")";
      case 2 -> "round(" + operand + pick(List.of(")", ", 5)", ", 0.5)", ", 4)"));
      case 3 ->
          pick(List.of("sin(", "cos(", "tanh(", "atan(", "deg(", "rad(", "asinh(")) + operand + ")";
      default ->
          pick(
                  List.of(
                      "abs(", "ceil(", "floor(", "sqrt(", "sgn(", "ln(", "log2(", "log10(", "exp("))
              + operand
              + ")";
    };
  }

  private String labelFunction(int depth) {
    String operand = vector(depth - 1);
    String target = pick(List.of("z", "a", "b", "__name__"));
    String source = pick(List.of("a", "b", "__name__", "nope", "le"));
    if (random.nextInt(3) == 0) {
      return "label_join(%s, \"%s\", \"%s\", \"%s\", \"a\")"
          .formatted(operand, target, pick(List.of("", "-")), source);
    }
    return "label_replace(%s, \"%s\", \"%s\", \"%s\", \"%s\")"
        .formatted(
            operand,
            target,
            pick(List.of("$1", "n_$1", "", "${1}y", "x")),
            source,
            pick(List.of("(.*)", "0", "([01])", "(.+)_total", "(?P<w>x|y)")));
  }

  private String quantileOfBuckets(int depth) {
    String buckets =
        switch (random.nextInt(5)) {
          case 0 -> "h_bucket" + shift();
          case 1 -> "sum by (le) (rate(h_bucket[5m]))";
          case 2 -> vector(depth - 1);
          default ->
              pick(List.of("rate", "increase")) + "(h_bucket[" + window() + "]" + shift() + ")";
        };
    return "histogram_quantile(" + parameter(quantile(), depth) + ", " + buckets + ")";
  }

  private String other(int depth) {
    return switch (random.nextInt(7)) {
      case 0 -> "absent(" + vector(depth - 1) + ")";
      case 1 -> "absent(" + selector() + shift() + ")";
      case 2 -> "timestamp(" + selector() + shift() + ")";
      case 3 -> "timestamp(" + vector(depth - 1) + ")";
      case 4 ->
          pick(
                  List.of(
                      "hour",
                      "minute",
                      "day_of_week",
                      "day_of_year",
                      "days_in_month",
                      "month",
                      "year",
                      "day_of_month"))
              + "("
              + (random.nextBoolean() ? "" : vector(depth - 1))
              + ")";
      case 5 -> pick(List.of("sort(", "sort_desc(")) + vector(depth - 1) + ")";
      default -> "vector(" + scalar(depth - 1) + ")";
    };
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
