package org.inferometer.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ValueType;
import org.inferometer.query.QueryValue.Element;
import org.inferometer.query.QueryValue.MatrixSeries;
import org.inferometer.query.Value.Numbers;
import org.inferometer.query.Value.Rows;
import org.inferometer.query.Value.Words;
import org.jspecify.annotations.Nullable;

/** Evaluates a whole expression and gives the result the shape that readers see. */
final class Results {
  private final Evaluator evaluator;
  private final Steps steps;

  Results(Evaluator evaluator, Steps steps) {
    this.evaluator = evaluator;
    this.steps = steps;
  }

  QueryValue instant(Expr expr) {
    evaluator.evaluation().begin(expr);
    if (expr.type() == ValueType.RANGE_VECTOR) {
      return samples(expr);
    }
    long timeMs = steps.firstMs();
    return switch (evaluator.evaluate(expr, steps)) {
      case Numbers n -> new QueryValue.Scalar(timeMs, n.values()[0]);
      case Words words -> new QueryValue.Text(timeMs, words.text());
      case Rows rows -> vector(evaluator.names().settled(rows), timeMs);
    };
  }

  private static QueryValue vector(Rows rows, long timeMs) {
    List<Element> elements = new ArrayList<>(rows.rows().size());
    for (Row row : rows.ordered() ? rows.rows() : Sorting.byLabels(rows.rows())) {
      if (row.isPresent(0)) {
        elements.add(new Element(row.labels(), timeMs, row.value(0), row.histogram(0)));
      }
    }
    return new QueryValue.Vector(List.copyOf(elements));
  }

  QueryValue range(Expr expr) {
    evaluator.evaluation().begin(expr);
    return switch (evaluator.evaluate(expr, steps)) {
      case Numbers n -> matrix(MathFunctions.vector(n.values()));
      case Rows rows -> matrix(evaluator.names().settled(rows));
      case Words words -> throw Abort.execution("expected a vector over time, got a string");
    };
  }

  private QueryValue matrix(Rows rows) {
    List<MatrixSeries> series = new ArrayList<>(rows.rows().size());
    for (Row row : Sorting.byLabels(rows.rows())) {
      int points = row.points();
      if (points > 0) {
        series.add(points(row, points));
      }
    }
    return new QueryValue.Matrix(List.copyOf(series));
  }

  /** The row's own columns where there is no gap and nobody else needs them. */
  private MatrixSeries points(Row row, int count) {
    if (count == row.steps()) {
      Row own = evaluator.evaluation().sharing().isEmpty() ? row : row.copy();
      return new MatrixSeries(row.labels(), steps.copyOfTimes(), own.values(), own.histograms());
    }
    long[] times = new long[count];
    double[] values = new double[count];
    @Nullable NativeHistogram[] histograms =
        row.hasHistograms() ? new NativeHistogram[count] : null;
    int n = 0;
    for (int i = 0; i < row.steps(); i++) {
      if (row.isPresent(i)) {
        times[n] = steps.timeMs(i);
        if (histograms != null) {
          histograms[n] = row.histogram(i);
        }
        values[n++] = row.value(i);
      }
    }
    return new MatrixSeries(row.labels(), times, values, histograms);
  }

  /** The samples of a range vector as they are. */
  private QueryValue samples(Expr expr) {
    List<MatrixSeries> series = java.util.Collections.synchronizedList(new ArrayList<>());
    EngineNames names = evaluator.names();
    evaluator.range(
        expr,
        steps,
        "a query's result",
        (in, out) -> {
          int from = in.from(0);
          int to = in.to(0);
          if (from < to) {
            evaluator.evaluation().budget().acquire(to - from);
            Row named =
                names
                    .settled(Rows.of(List.of(new Row(in.labels(), in.nameDropped(), 1))))
                    .rows()
                    .getFirst();
            series.add(
                new MatrixSeries(
                    named.labels(),
                    java.util.Arrays.copyOfRange(in.timesMs(), from, to),
                    java.util.Arrays.copyOfRange(in.values(), from, to),
                    in.histograms(from, to)));
          }
        });
    series.sort(Comparator.comparing(MatrixSeries::labels));
    return new QueryValue.Matrix(List.copyOf(series));
  }
}
