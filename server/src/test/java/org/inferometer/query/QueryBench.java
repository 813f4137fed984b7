package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.Ticker;

/** Series in memory and an evaluator over them, with results as short texts. */
final class QueryBench {
  final MemorySeries series = new MemorySeries();
  private final EngineOptions options;
  private final Ticker ticker;

  QueryBench() {
    this(EngineOptions.DEFAULT, () -> 0);
  }

  QueryBench(EngineOptions options, Ticker ticker) {
    this.options = options;
    this.ticker = ticker;
  }

  LocalQueryService service() {
    return new LocalQueryService(series, MetadataSource.none(), options, ticker);
  }

  /** Adds a value every {@code stepMs}, from 0 on. */
  QueryBench load(Labels labels, long stepMs, double... values) {
    for (int i = 0; i < values.length; i++) {
      series.add(labels, i * stepMs, values[i]);
    }
    return this;
  }

  QueryBench load(String name, long stepMs, double... values) {
    return load(Labels.of(Labels.NAME, name), stepMs, values);
  }

  QueryResult at(long timeMs, String query) throws QueryException {
    return service().instant(new QueryService.InstantQuery(query, timeMs));
  }

  /** The result of an instant query: "labels value" for each element, or the number itself. */
  List<String> instant(long timeMs, String query) throws QueryException {
    return switch (at(timeMs, query).value()) {
      case QueryValue.Scalar scalar -> List.of(String.valueOf(scalar.value()));
      case QueryValue.Text text -> List.of(text.value());
      case QueryValue.Vector vector ->
          vector.elements().stream().map(e -> e.labels() + " " + e.value()).toList();
      case QueryValue.Matrix matrix -> lines(matrix);
    };
  }

  List<String> range(long startMs, long endMs, long stepMs, String query) throws QueryException {
    QueryResult result =
        service().range(new QueryService.RangeQuery(query, startMs, endMs, stepMs));
    return lines((QueryValue.Matrix) result.value());
  }

  /** "labels value@time value@time ..." */
  private static List<String> lines(QueryValue.Matrix matrix) {
    List<String> lines = new ArrayList<>();
    for (QueryValue.MatrixSeries s : matrix.series()) {
      StringBuilder line = new StringBuilder(s.labels().toString());
      for (int i = 0; i < s.values().length; i++) {
        line.append(' ').append(s.values()[i]).append('@').append(s.timestampsMs()[i]);
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
