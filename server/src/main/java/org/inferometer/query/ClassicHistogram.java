package org.inferometer.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Functions of histograms that are spread over one series per bucket, named by the label {@code
 * le}. The buckets of each histogram are found and sorted once for all steps.
 */
final class ClassicHistogram {
  private static final String BOUND_LABEL = "le";

  private final Evaluation evaluation;
  private final EngineNames names;
  private final Steps steps;
  private final Expr operandExpr;

  /**
   * @param operandExpr what messages are about
   */
  ClassicHistogram(Evaluation evaluation, EngineNames names, Steps steps, Expr operandExpr) {
    this.evaluation = evaluation;
    this.names = names;
    this.steps = steps;
    this.operandExpr = operandExpr;
  }

  /** A number out of the buckets at a step. */
  @FunctionalInterface
  private interface Answer {
    double of(BucketCounts buckets, int step);
  }

  private record Bucket(double bound, Row row) {}

  Rows quantile(double[] quantiles, Expr quantileExpr, Rows operand) {
    for (double q : quantiles) {
      if (Quantiles.isInvalid(q)) {
        evaluation.annotations().invalidQuantile(q, quantileExpr.span());
      }
    }
    return names.dropped(
        apply(operand, true, (buckets, step) -> buckets.quantile(quantiles[step])));
  }

  /** Several quantiles, told apart by a label. */
  Rows quantiles(List<double[]> quantiles, List<Expr> exprs, String label, Rows operand) {
    List<Row> all = new ArrayList<>();
    for (int k = 0; k < quantiles.size(); k++) {
      double[] q = quantiles.get(k);
      String value = org.inferometer.model.FloatFormat.general(q[0]);
      for (Row row : quantile(q, exprs.get(k), operand).rows()) {
        all.add(row.as(row.labels().with(label, value), row.nameDropped()));
      }
    }
    return names.merged(Rows.of(all));
  }

  Rows fraction(double[] lower, double[] upper, Rows operand) {
    return names.dropped(
        apply(operand, false, (buckets, step) -> buckets.fraction(lower[step], upper[step])));
  }

  private Rows apply(Rows operand, boolean monotonic, Answer answer) {
    List<Row> usable = new ArrayList<>();
    List<Double> bounds = new ArrayList<>();
    for (Row row : operand.rows()) {
      @Nullable Double bound = bound(row);
      if (bound != null) {
        usable.add(row);
        bounds.add(bound);
      }
    }
    Grouping groups = Grouping.of(usable, labels -> labels.without(BOUND_LABEL));
    List<Row> results = new ArrayList<>(groups.count());
    for (int g = 0; g < groups.count(); g++) {
      Row first = usable.get(groups.rowsByGroup().get(g)[0]);
      results.add(new Row(groups.labels().get(g), first.nameDropped(), steps.count()));
    }
    evaluation
        .pool()
        .loop(
            groups.count(),
            1,
            (from, to) -> {
              for (int g = from; g < to; g++) {
                evaluation.check();
                List<Bucket> buckets = new ArrayList<>();
                for (int r : groups.rowsByGroup().get(g)) {
                  buckets.add(new Bucket(bounds.get(r), usable.get(r)));
                }
                buckets.sort(Comparator.comparingDouble(Bucket::bound));
                fill(buckets, monotonic, answer, results.get(g));
              }
            });
    return Rows.of(results).map(row -> row);
  }

  private @Nullable Double bound(Row row) {
    String text = row.labels().get(BOUND_LABEL);
    @Nullable Double bound = GoFloats.parse(text);
    if (bound == null) {
      evaluation.annotations().badBucketLabel(row.labels().metricName(), text, operandExpr.span());
    }
    return bound;
  }

  private void fill(List<Bucket> buckets, boolean monotonic, Answer answer, Row out) {
    BucketCounts counts = new BucketCounts(buckets.size());
    int n = buckets.size();
    double[] bounds = new double[n];
    Row[] rows = new Row[n];
    for (int b = 0; b < n; b++) {
      bounds[b] = buckets.get(b).bound();
      rows[b] = buckets.get(b).row();
    }
    for (int i = 0; i < out.steps(); i++) {
      counts.clear();
      boolean any = false;
      for (int b = 0; b < n; b++) {
        if (rows[b].isPresent(i)) {
          counts.add(bounds[b], rows[b].value(i));
          any = true;
        }
      }
      if (any) {
        if (monotonic) {
          BucketCounts.@Nullable Forced forced = counts.forceMonotonic();
          if (forced != null) {
            report(out.labels(), i, forced);
          }
        }
        out.set(i, answer.of(counts, i));
      }
    }
  }

  private void report(Labels labels, int step, BucketCounts.Forced forced) {
    evaluation
        .annotations()
        .forcedMonotonicity(labels.metricName(), operandExpr.span(), steps.timeMs(step), forced);
  }
}
