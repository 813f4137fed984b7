package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryValue;

/** Asks several queries over the same times at once and lines their values up. Thread-safe. */
final class ColumnQueries {
  private final QueryService queries;

  ColumnQueries(QueryService queries) {
    this.queries = queries;
  }

  /** What a query came to. */
  sealed interface Outcome {
    record Columns(List<Column> series) implements Outcome {}

    /** The query itself is at fault, such as one that would read too much. */
    record Failed(String message) implements Outcome {}
  }

  /**
   * A series with one value a time, NaN where it has none.
   *
   * @param values not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // columns that are read and never compared
  record Column(Labels labels, double[] values) {}

  /**
   * The outcomes by query.
   *
   * @throws QueryException if the source can't answer at all, or it was given up
   */
  Map<String, Outcome> run(Set<String> texts, SignalBatch times) throws QueryException {
    if (texts.isEmpty()) {
      return Map.of();
    }
    List<String> asked = List.copyOf(texts);
    List<BatchOutcome> answers = queries.batch(batch(asked, times));
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      outcomes.put(asked.get(i), outcome(answers.get(i), times));
    }
    return outcomes;
  }

  private static QueryService.BatchQuery batch(List<String> texts, SignalBatch times) {
    return times.isMoment()
        ? QueryService.BatchQuery.at(texts, times.startMs())
        : new QueryService.BatchQuery(texts, times.startMs(), times.endMs(), times.stepMs());
  }

  private static Outcome outcome(BatchOutcome answer, SignalBatch times) throws QueryException {
    return switch (answer) {
      case BatchOutcome.Answered answered ->
          new Outcome.Columns(columns(answered.result().value(), times));
      case BatchOutcome.Failed failed ->
          switch (failed.error().kind()) {
            case BAD_DATA, EXECUTION ->
                new Outcome.Failed(String.valueOf(failed.error().getMessage()));
            case CANCELED, TIMEOUT, UNAVAILABLE, INTERNAL -> throw failed.error();
          };
    };
  }

  private static List<Column> columns(QueryValue value, SignalBatch times) {
    return switch (value) {
      case QueryValue.Scalar scalar ->
          List.of(new Column(Labels.EMPTY, new double[] {scalar.value()}));
      case QueryValue.Text ignored -> List.of();
      case QueryValue.Vector vector -> columns(vector);
      case QueryValue.Matrix matrix ->
          matrix.series().stream().map(series -> column(series, times)).toList();
    };
  }

  private static List<Column> columns(QueryValue.Vector vector) {
    List<Column> columns = new ArrayList<>();
    for (QueryValue.Element element : vector.elements()) {
      columns.add(new Column(element.labels(), new double[] {element.value()}));
    }
    columns.sort((a, b) -> a.labels().compareTo(b.labels()));
    return columns;
  }

  private static Column column(QueryValue.MatrixSeries series, SignalBatch times) {
    double[] values = new double[times.count()];
    Arrays.fill(values, Double.NaN);
    long[] timestamps = series.timestampsMs();
    for (int i = 0; i < timestamps.length; i++) {
      long index = (timestamps[i] - times.startMs()) / times.stepMs();
      if (index >= 0 && index < values.length) {
        values[(int) index] = series.values()[i];
      }
    }
    return new Column(series.labels(), values);
  }
}
