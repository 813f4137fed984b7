package org.inferometer.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Names;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Quantiles and fractions of histograms in both their forms: native ones, and classic ones that are
 * spread over one series per bucket, told apart by the label {@code le}. The buckets of each
 * classic histogram are found and sorted once for all steps. Where both forms of one histogram
 * meet, neither is used.
 */
final class BucketFunctions {
  private static final String BOUND_LABEL = "le";

  private final Evaluation evaluation;
  private final EngineNames names;
  private final Steps steps;
  private final Expr operandExpr;

  /**
   * @param operandExpr what messages are about
   */
  BucketFunctions(Evaluation evaluation, EngineNames names, Steps steps, Expr operandExpr) {
    this.evaluation = evaluation;
    this.names = names;
    this.steps = steps;
    this.operandExpr = operandExpr;
  }

  /** Some numbers that are asked of each histogram at each step. */
  private interface Question {
    /** How many there are. */
    int answers();

    /**
     * @param out one row for each answer
     */
    void ask(BucketCounts buckets, Source source, int step, List<Row> out);

    void ask(NativeHistogram histogram, Source source, int step, List<Row> out);
  }

  /** One histogram: its classic buckets, ascending, or its native row, or both. */
  private record Source(Labels labels, double[] bounds, Row[] buckets, @Nullable Row nativeRow) {
    boolean nameDropped() {
      return nativeRow == null ? buckets[0].nameDropped() : nativeRow.nameDropped();
    }
  }

  private record Bucket(double bound, Row row) {}

  Rows quantile(double[] quantiles, Expr quantileExpr, Rows operand) {
    warnOfInvalid(quantiles, quantileExpr);
    return single(answers(operand, new QuantileQuestion(List.of(quantiles))));
  }

  private Rows single(List<Row> answers) {
    return names.dropped(Rows.of(answers).withoutEmpty());
  }

  /** Several quantiles, told apart by a label. */
  Rows quantiles(List<double[]> quantiles, List<Expr> exprs, String label, Rows operand) {
    if (!LabelFunctions.isLabelName(label)) {
      throw Abort.execution("invalid label name " + Names.quote(label));
    }
    for (int k = 0; k < exprs.size(); k++) {
      warnOfInvalid(quantiles.get(k), exprs.get(k));
    }
    List<Row> rows = answers(operand, new QuantileQuestion(quantiles));
    List<Row> labeled = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      addLabeled(names.dropped(rows.get(i)), quantiles.get(i % quantiles.size()), label, labeled);
    }
    return names.merged(Rows.of(labeled)).withoutEmpty();
  }

  private void warnOfInvalid(double[] quantiles, Expr quantileExpr) {
    for (double q : quantiles) {
      if (Quantiles.isInvalid(q)) {
        evaluation.annotations().invalidQuantile(q, quantileExpr.span());
      }
    }
  }

  /** Mostly the quantile is the same at all steps, else each of its values has a row. */
  private static void addLabeled(Row row, double[] quantiles, String label, List<Row> labeled) {
    if (isConstant(quantiles)) {
      labeled.add(labeled(row, label, quantiles[0]));
      return;
    }
    Map<Double, Row> byQuantile = new LinkedHashMap<>();
    for (int i = 0; i < quantiles.length; i++) {
      if (row.isPresent(i)) {
        byQuantile
            .computeIfAbsent(
                quantiles[i],
                q -> labeled(new Row(row.labels(), row.nameDropped(), row.steps()), label, q))
            .set(i, row.value(i));
      }
    }
    labeled.addAll(byQuantile.values());
  }

  private static boolean isConstant(double[] values) {
    for (double value : values) {
      if (Double.compare(value, values[0]) != 0) {
        return false;
      }
    }
    return true;
  }

  private static Row labeled(Row row, String label, double quantile) {
    return row.as(row.labels().with(label, FloatFormat.openMetrics(quantile)), row.nameDropped());
  }

  Rows fraction(double[] lower, double[] upper, Rows operand) {
    return single(answers(operand, new FractionQuestion(lower, upper)));
  }

  /** For each histogram as many rows as there are answers, one after the other. */
  private List<Row> answers(Rows operand, Question question) {
    List<Source> sources = sources(operand);
    List<Row> results = new ArrayList<>(sources.size() * question.answers());
    for (Source source : sources) {
      for (int k = 0; k < question.answers(); k++) {
        results.add(new Row(source.labels(), source.nameDropped(), steps.count()));
      }
    }
    evaluation
        .pool()
        .loop(
            sources.size(),
            1,
            (from, to) -> {
              for (int i = from; i < to; i++) {
                evaluation.check();
                int first = i * question.answers();
                fill(sources.get(i), question, results.subList(first, first + question.answers()));
              }
            });
    return results;
  }

  private List<Source> sources(Rows operand) {
    List<Bucket> buckets = new ArrayList<>();
    Map<Labels, Row> natives = new HashMap<>();
    for (Row row : operand.rows()) {
      if (row.hasHistograms()) {
        natives.put(row.labels(), row);
      }
      if (!row.hasHistograms() || row.hasFloats()) {
        @Nullable Double bound = bound(row);
        if (bound != null) {
          buckets.add(new Bucket(bound, row.floatsOnly()));
        }
      }
    }
    List<Source> sources = new ArrayList<>();
    Grouping groups =
        Grouping.of(
            buckets.stream().map(Bucket::row).toList(), labels -> labels.without(BOUND_LABEL));
    for (int g = 0; g < groups.count(); g++) {
      Labels labels = groups.labels().get(g);
      sources.add(classic(labels, buckets, groups.rowsByGroup().get(g), natives.remove(labels)));
    }
    natives.forEach(
        (labels, row) -> sources.add(new Source(labels, new double[0], new Row[0], row)));
    return sources;
  }

  private static Source classic(
      Labels labels, List<Bucket> all, int[] members, @Nullable Row nativeRow) {
    List<Bucket> buckets = new ArrayList<>(members.length);
    for (int member : members) {
      buckets.add(all.get(member));
    }
    buckets.sort(Comparator.comparingDouble(Bucket::bound));
    return new Source(
        labels,
        buckets.stream().mapToDouble(Bucket::bound).toArray(),
        buckets.stream().map(Bucket::row).toArray(Row[]::new),
        nativeRow);
  }

  private @Nullable Double bound(Row row) {
    String text = row.labels().get(BOUND_LABEL);
    @Nullable Double bound = GoFloats.parse(text);
    if (bound == null) {
      evaluation.annotations().badBucketLabel(row.labels().metricName(), text, operandExpr.span());
    }
    return bound;
  }

  private void fill(Source source, Question question, List<Row> out) {
    BucketCounts counts = new BucketCounts(source.buckets().length);
    for (int i = 0; i < steps.count(); i++) {
      boolean classic = collect(source, i, counts);
      NativeHistogram histogram =
          source.nativeRow() == null ? null : source.nativeRow().histogram(i);
      if (classic && histogram != null) {
        evaluation
            .annotations()
            .mixedClassicAndNative(source.labels().metricName(), operandExpr.span());
      } else if (classic) {
        question.ask(counts, source, i, out);
      } else if (histogram != null) {
        question.ask(histogram, source, i, out);
      }
    }
  }

  /** Whether there are any classic buckets at a step. */
  private static boolean collect(Source source, int step, BucketCounts counts) {
    counts.clear();
    boolean any = false;
    for (int b = 0; b < source.bounds().length; b++) {
      Row row = source.buckets()[b];
      if (row.isPresent(step)) {
        counts.add(source.bounds()[b], row.value(step));
        any = true;
      }
    }
    return any;
  }

  /** Of several quantiles, each a column. */
  private final class QuantileQuestion implements Question {
    private final List<double[]> quantiles;

    QuantileQuestion(List<double[]> quantiles) {
      this.quantiles = quantiles;
    }

    @Override
    public int answers() {
      return quantiles.size();
    }

    @Override
    public void ask(BucketCounts buckets, Source source, int step, List<Row> out) {
      BucketCounts.@Nullable Forced forced = buckets.forceMonotonic();
      if (forced != null) {
        evaluation
            .annotations()
            .forcedMonotonicity(
                source.labels().metricName(), operandExpr.span(), steps.timeMs(step), forced);
      }
      for (int k = 0; k < out.size(); k++) {
        out.get(k).set(step, buckets.quantile(quantiles.get(k)[step]));
      }
    }

    @Override
    public void ask(NativeHistogram histogram, Source source, int step, List<Row> out) {
      for (int k = 0; k < out.size(); k++) {
        double q = quantiles.get(k)[step];
        double value = histogram.quantile(q);
        out.get(k).set(step, value);
        if (Double.isNaN(histogram.sum()) && histogram.count() != 0 && !Quantiles.isInvalid(q)) {
          evaluation
              .annotations()
              .quantileOfNaNs(
                  Double.isNaN(value), source.labels().metricName(), operandExpr.span());
        }
      }
    }
  }

  /** Of one fraction, between two columns of values. */
  private final class FractionQuestion implements Question {
    private final double[] lower;
    private final double[] upper;

    FractionQuestion(double[] lower, double[] upper) {
      this.lower = lower;
      this.upper = upper;
    }

    @Override
    public int answers() {
      return 1;
    }

    @Override
    public void ask(BucketCounts buckets, Source source, int step, List<Row> out) {
      out.getFirst().set(step, buckets.fraction(lower[step], upper[step]));
    }

    @Override
    public void ask(NativeHistogram histogram, Source source, int step, List<Row> out) {
      double fraction = histogram.fraction(lower[step], upper[step]);
      out.getFirst().set(step, fraction);
      if (Double.isNaN(histogram.sum()) && !Double.isNaN(fraction)) {
        evaluation.annotations().fractionOfNaNs(source.labels().metricName(), operandExpr.span());
      }
    }
  }
}
