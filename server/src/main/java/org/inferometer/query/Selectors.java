package org.inferometer.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.inferometer.model.StalenessMarker;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Rows;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.jspecify.annotations.Nullable;

/** Reads series from the store and turns each into a row over all steps, decoding it once. */
final class Selectors {
  private final Evaluation evaluation;
  private final Steps steps;

  Selectors(Evaluation evaluation, Steps steps) {
    this.evaluation = evaluation;
    this.steps = steps;
  }

  /** Makes the row of one series; has its own scratch space. */
  @FunctionalInterface
  private interface RowMaker {
    Row make(int series);
  }

  /** One for each thread that works on a loop. */
  @FunctionalInterface
  private interface RowMakers {
    RowMaker newMaker();
  }

  /** The newest sample of each series within the lookback at each step. */
  Rows instant(Expr.VectorSelector selector) {
    return switch (selector.extension()) {
      case NONE -> newest(selector, SampleFacet.VALUE);
      case ANCHORED ->
          throw Abort.execution("anchored modifier can only be used with a range selector");
      case SMOOTHED -> smoothed(selector);
    };
  }

  /** The value on the line between the samples around each step. */
  private Rows smoothed(Expr.VectorSelector selector) {
    Windows instants = new Windows(steps, evaluation.times().shift(selector.shift()), 0);
    RangeNotes notes = new RangeNotes(evaluation.annotations(), selector.span());
    List<Series> series = evaluation.select(selector);
    return each(
        series.size(),
        () -> {
          SampleColumns columns = new SampleColumns();
          return i ->
              ExtendedRange.smoothed(
                  series.get(i), columns, instants, evaluation.times().lookbackMs(), notes);
        });
  }

  /** A function over the extended windows of a range selector; names are kept. */
  Rows extendedRange(Expr.MatrixSelector selector, String function, RangeNotes notes) {
    ExtendedRange range =
        new ExtendedRange(
            function,
            selector.selector().extension(),
            windows(selector),
            evaluation.times().lookbackMs(),
            notes);
    List<Series> series = evaluation.select(selector.selector());
    return each(
        series.size(),
        () -> {
          SampleColumns columns = new SampleColumns();
          return i -> range.row(series.get(i), columns);
        });
  }

  /** A facet of the newest sample of each series. */
  Rows newest(Expr.VectorSelector selector, SampleFacet facet) {
    return newest(evaluation.select(selector), evaluation.times().shift(selector.shift()), facet);
  }

  /** The same of series that were selected before. */
  Rows newest(List<Series> series, Shift shift, SampleFacet facet) {
    long lookbackMs = evaluation.times().lookbackMs();
    long fromMs = shift.apply(steps.firstMs()) - lookbackMs + 1;
    long toMs = shift.apply(steps.lastMs());
    return each(
        series.size(),
        () -> {
          SampleColumns columns = new SampleColumns();
          return i -> {
            columns.clear();
            series.get(i).read(fromMs, toMs, columns);
            long held = columns.sampleEquivalents();
            evaluation.budget().acquire(held);
            Row row = new Row(series.get(i).labels(), false, steps.count());
            newest(columns, shift, lookbackMs, facet, row);
            evaluation.budget().release(held);
            return row;
          };
        });
  }

  private void newest(
      SampleColumns columns, Shift shift, long lookbackMs, SampleFacet facet, Row out) {
    long[] times = columns.timestampsMs();
    double[] values = columns.values();
    int size = columns.size();
    boolean onlyFloats = facet == SampleFacet.VALUE && !columns.hasHistograms();
    int next = 0;
    for (int i = 0; i < steps.count(); i++) {
      long at = shift.apply(steps.timeMs(i));
      while (next < size && times[next] <= at) {
        next++;
      }
      int newest = next - 1;
      if (newest >= 0 && times[newest] > at - lookbackMs && !StalenessMarker.is(values[newest])) {
        if (onlyFloats) {
          out.set(i, values[newest]);
        } else {
          facet.put(columns, newest, out, i);
        }
      }
    }
  }

  /** A function over the windows of a range selector; names are kept. */
  Rows range(Expr.MatrixSelector selector, RangeFunction function) {
    Windows windows = windows(selector);
    List<Series> series = evaluation.select(selector.selector());
    return each(
        series.size(),
        () -> {
          WindowedSeries windowed =
              new WindowedSeries(
                  windows, evaluation.options().startTimestamps(), evaluation::check);
          return i -> {
            windowed.load(series.get(i));
            return applied(windowed, function);
          };
        });
  }

  Windows windows(Expr.MatrixSelector selector) {
    return new Windows(
        steps,
        evaluation.times().shift(selector.selector().shift()),
        evaluation.times().positiveMs(selector.range()));
  }

  /** A function over windows of points that were evaluated before. */
  Rows range(Rows inner, Steps innerSteps, Windows windows, RangeFunction function) {
    List<Row> rows = inner.rows();
    return each(
        rows.size(),
        () -> {
          WindowedSeries windowed = new WindowedSeries(windows, false, evaluation::check);
          return i -> {
            windowed.load(rows.get(i), innerSteps);
            return applied(windowed, function);
          };
        });
  }

  private Row applied(WindowedSeries windowed, RangeFunction function) {
    long held = windowed.sampleEquivalents();
    evaluation.budget().acquire(held);
    Row row = new Row(windowed.labels(), windowed.nameDropped(), steps.count());
    function.fill(windowed, row);
    evaluation.budget().release(held);
    return row;
  }

  /**
   * A hand-over to another thread costs as much as a series of about a thousand steps, or as some
   * dozens of series at one step.
   */
  private int pieceMin() {
    return 1 + 64 * 16 / (16 + steps.count());
  }

  private Rows each(int count, RowMakers makers) {
    @Nullable Row[] made = new Row[count];
    evaluation
        .pool()
        .loop(
            count,
            pieceMin(),
            (from, to) -> {
              RowMaker maker = makers.newMaker();
              for (int i = from; i < to; i++) {
                evaluation.check();
                Row row = maker.make(i);
                if (!row.isEmpty()) {
                  evaluation.budget().acquire(row.sampleEquivalents());
                  evaluation.budget().acquireRows(1);
                  made[i] = row;
                }
              }
            });
    return Rows.of(new ArrayList<>(Arrays.stream(made).filter(Objects::nonNull).toList()));
  }
}
