package org.inferometer.lint;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.promql.AggregateOp;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Families.Part;
import org.inferometer.signals.FamilyType;
import org.jspecify.annotations.Nullable;

/** Histograms and quantiles: what they are taken from, and what is done with them. */
final class HistogramRule implements ExprRules.ExprRule {
  private static final String QUANTILE = "histogram_quantile";

  /** Functions that read native histograms by the bare name. */
  private static final Set<String> NATIVE =
      Set.of(
          "histogram_avg",
          "histogram_count",
          "histogram_sum",
          "histogram_fraction",
          "histogram_stddev",
          "histogram_stdvar",
          QUANTILE);

  private static final Pattern BY = Pattern.compile("\\bby\\s*\\(", Pattern.CASE_INSENSITIVE);

  @Override
  public void check(Scene scene) {
    for (Expr.Call call : scene.nodes(Expr.Call.class)) {
      if (call.function().name().equals(QUANTILE)) {
        quantile(scene, call);
      }
    }
    scene.nodes(Expr.VectorSelector.class).forEach(selector -> name(scene, selector));
    scene.nodes(Expr.Aggregate.class).forEach(aggregate -> averaged(scene, aggregate));
    scene.nodes(Expr.Binary.class).forEach(binary -> arithmetic(scene, binary));
  }

  private static void quantile(Scene scene, Expr.Call call) {
    Double quantile = Scene.number(call.arguments().getFirst());
    if (quantile != null && !(quantile >= 0 && quantile <= 1)) {
      scene.report(
          LintRule.QUANTILE_RANGE,
          Severity.ERROR,
          call.arguments().getFirst().span(),
          "%s() takes a quantile from 0 to 1, found %s".formatted(QUANTILE, plain(quantile)));
    }
    Expr operand = Scene.inner(call.arguments().getLast());
    if (operand instanceof Expr.Aggregate aggregate && !isOfNative(aggregate)) {
      grouping(scene, aggregate);
    }
    together(scene, operand);
    for (Expr.VectorSelector selector : operand.selectors()) {
      part(scene, selector);
      raw(scene, selector);
    }
  }

  /** One quantile over the buckets of two metrics. */
  private static void together(Scene scene, Expr operand) {
    for (Expr.Binary binary : scene.nodes(Expr.Binary.class)) {
      boolean below =
          binary.span().start() >= operand.span().start()
              && binary.span().end() <= operand.span().end();
      Set<String> names = new TreeSet<>();
      binary.selectors().forEach(selector -> names.add(Scene.nameOf(selector)));
      names.removeIf(name -> !name.endsWith("_bucket"));
      if (below && binary.op() == BinaryOp.ADD && names.size() > 1) {
        scene.report(
            LintRule.MIXED_POPULATIONS,
            Severity.HINT,
            binary.span(),
            "one quantile over the buckets of %s: their requests aren't the same"
                .formatted(String.join(" and ", names)));
      }
    }
  }

  /** Buckets of a metric that nobody knows; names that rules give may be rates already. */
  private static void raw(Scene scene, Expr.VectorSelector selector) {
    String name = Scene.nameOf(selector);
    if (scene.matches(selector).isEmpty()
        && name.endsWith("_bucket")
        && name.indexOf(':') < 0
        && scene.around(selector).stream().noneMatch(HistogramRule::overTime)) {
      scene.report(
          LintRule.RAW_COUNTER,
          Severity.WARNING,
          selector.span(),
          name
              + " counts since its process started: put rate() around it, or old requests outweigh"
              + " new ones");
    }
  }

  private static boolean overTime(Expr expr) {
    return expr instanceof Expr.MatrixSelector
        || (expr instanceof Expr.Binary binary && binary.op() == BinaryOp.SUBTRACT);
  }

  private static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.valueOf((long) number)
        : String.valueOf(number);
  }

  /** Whether what is aggregated has no classic buckets, as far as names tell. */
  private static boolean isOfNative(Expr.Aggregate aggregate) {
    return aggregate.selectors().stream()
        .noneMatch(selector -> Scene.nameOf(selector).endsWith("_bucket"));
  }

  private static void grouping(Scene scene, Expr.Aggregate aggregate) {
    boolean keeps =
        aggregate.without()
            ? !aggregate.grouping().contains("le")
            : aggregate.grouping().contains("le");
    boolean unknown = aggregate.grouping().stream().anyMatch(l -> l.contains(Variables.UNKNOWN));
    if (keeps || unknown || aggregate.op() == AggregateOp.COUNT_VALUES) {
      return;
    }
    Edit edit = aggregate.without() ? null : withLe(scene, aggregate);
    scene.report(
        LintRule.QUANTILE_WITHOUT_LE,
        Severity.ERROR,
        aggregate.span(),
        aggregate.op().keyword()
            + "() below "
            + QUANTILE
            + "() drops the label le, so that no quantile comes out: group by le as well",
        edit == null ? new Edit[0] : new Edit[] {edit});
  }

  /** Writes le into the grouping, or a grouping where there is none. */
  private static @Nullable Edit withLe(Scene scene, Expr.Aggregate aggregate) {
    int start = scene.start(aggregate.span());
    int afterWord = start + aggregate.op().keyword().length();
    int operand = scene.start(aggregate.operand().span());
    int from = scene.end(aggregate.operand().span());
    int end = scene.end(aggregate.span());
    String text = scene.text();
    Matcher before = BY.matcher(text).region(afterWord, operand);
    Matcher after = BY.matcher(text).region(from, end);
    String le = aggregate.grouping().isEmpty() ? "le" : "le, ";
    if (before.lookingAt()
        || (before.find() && text.substring(afterWord, before.start()).isBlank())) {
      return scene.edit(before.end(), before.end(), le);
    }
    if (after.find()) {
      return scene.edit(after.end(), after.end(), le);
    }
    return scene.edit(afterWord, afterWord, " by (le) ");
  }

  /** What a quantile is taken from has to be buckets. */
  private static void part(Scene scene, Expr.VectorSelector selector) {
    List<Match> matches = scene.matches(selector);
    String name = Scene.nameOf(selector);
    if (matches.isEmpty() || matches.stream().anyMatch(HistogramRule::hasBuckets)) {
      return;
    }
    Match match = matches.getFirst();
    String instead =
        match.family().type() == FamilyType.HISTOGRAM
            ? "; its buckets are " + match.family().name() + "_bucket"
            : "";
    scene.report(
        LintRule.HISTOGRAM_KIND,
        Severity.ERROR,
        selector.span(),
        "%s() of %s, which has no buckets: it is %s%s"
            .formatted(QUANTILE, name, what(match), instead));
  }

  private static boolean hasBuckets(Match match) {
    return match.part() == Part.BUCKET
        || (match.part() == Part.VALUE && match.family().type() == FamilyType.HISTOGRAM);
  }

  private static String what(Match match) {
    return switch (match.part()) {
      case SUM -> "the sum of a histogram";
      case COUNT -> "the count of a histogram";
      case CREATED -> "the time when the series began";
      case BUCKET -> "the buckets of a histogram";
      case VALUE ->
          switch (match.family().type()) {
            case COUNTER -> "a counter";
            case GAUGE -> "a gauge";
            case SUMMARY -> "a summary";
            case INFO -> "an info series";
            case HISTOGRAM -> "a histogram";
          };
    };
  }

  /** The bare name of a histogram, and buckets of what has none. */
  private static void name(Scene scene, Expr.VectorSelector selector) {
    LiveNames live = scene.world().options().live();
    String name = Scene.nameOf(selector);
    if (live != null && live.has(name)) {
      return;
    }
    switch (scene.judged(selector)) {
      case MetricNames.WholeHistogram whole -> {
        if (!inNativeFunction(scene, selector)) {
          scene.report(
              LintRule.HISTOGRAM_KIND,
              Severity.ERROR,
              selector.span(),
              "%s is a histogram: its series are %s_bucket, %s_sum and %s_count"
                  .formatted(name, name, name, name));
        } else {
          scene.report(
              LintRule.HISTOGRAM_KIND,
              Severity.WARNING,
              selector.span(),
              "%s is exposed as a classic histogram: use %s_bucket with le".formatted(name, name));
        }
      }
      case MetricNames.WithoutBuckets without ->
          scene.report(
              LintRule.HISTOGRAM_KIND,
              Severity.ERROR,
              selector.span(),
              "%s matches nothing: %s is %s, which has no buckets"
                  .formatted(
                      name,
                      without.family().name(),
                      what(new Match(without.family(), Part.VALUE))));
      case MetricNames.Known _,
          MetricNames.Removed _,
          MetricNames.Mistaken _,
          MetricNames.WithoutTotal _,
          MetricNames.Escaped _,
          MetricNames.Unknown _,
          MetricNames.Foreign _,
          MetricNames.Recorded _ -> {}
    }
  }

  private static boolean inNativeFunction(Scene scene, Expr.VectorSelector selector) {
    return scene.around(selector).stream()
        .anyMatch(up -> up instanceof Expr.Call call && NATIVE.contains(call.function().name()));
  }

  private static void averaged(Scene scene, Expr.Aggregate aggregate) {
    if (aggregate.op() != AggregateOp.AVG && aggregate.op() != AggregateOp.SUM) {
      return;
    }
    Expr value = value(aggregate.operand());
    if (isQuantile(scene, value)) {
      scene.report(
          LintRule.AVERAGE_OF_QUANTILES,
          Severity.WARNING,
          aggregate.span(),
          "%s() of quantiles is no quantile: add up the buckets by le first, or take max()"
              .formatted(aggregate.op().keyword()));
    } else if (aggregate.op() == AggregateOp.AVG
        && scene.meaning(value).form() == Meaning.Form.MEAN
        && value.selectors().size() == 2
        && scene.query().usesValues()) {
      scene.report(
          LintRule.MEAN_OF_MEANS,
          Severity.HINT,
          aggregate.span(),
          "avg() of means counts a series with one request as much as one with a thousand: divide"
              + " sum(rate(..._sum)) by sum(rate(..._count))");
    }
  }

  /** What is behind parentheses, filters and factors. */
  private static Expr value(Expr expr) {
    Expr inner = Scene.inner(expr);
    if (inner instanceof Expr.Binary binary) {
      boolean filter = binary.op().kind() == BinaryOp.Kind.COMPARISON && !binary.returnBool();
      boolean scale = binary.op() == BinaryOp.MULTIPLY || binary.op() == BinaryOp.DIVIDE;
      if ((filter || scale) && Scene.number(binary.right()) != null) {
        return value(binary.left());
      }
      if (scale && Scene.number(binary.left()) != null) {
        return value(binary.right());
      }
    }
    if (inner instanceof Expr.Aggregate aggregate
        && (aggregate.op() == AggregateOp.MAX || aggregate.op() == AggregateOp.MIN)) {
      return value(aggregate.operand());
    }
    return inner;
  }

  private static boolean isQuantile(Scene scene, Expr expr) {
    if (expr instanceof Expr.Call call) {
      return call.function().name().equals(QUANTILE);
    }
    return expr instanceof Expr.VectorSelector selector
        && selector.matchers().stream()
            .anyMatch(
                m ->
                    m.name().equals("quantile")
                        && m.isPositive()
                        && m.value().matches("[01](\\.[0-9]{1,6})?"))
        && scene.query().usesValues();
  }

  /** Quantiles don't add up: that of a sum isn't the sum of those of its parts. */
  private static void arithmetic(Scene scene, Expr.Binary binary) {
    boolean sum = binary.op() == BinaryOp.ADD || binary.op() == BinaryOp.SUBTRACT;
    if (sum
        && isQuantile(scene, value(binary.left()))
        && isQuantile(scene, value(binary.right()))) {
      scene.report(
          LintRule.QUANTILE_ARITHMETIC,
          Severity.WARNING,
          binary.span(),
          "quantiles of two distributions don't add up: the request that is slow in one needn't be"
              + " slow in the other");
    }
  }
}
