package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryValue;

/** Asks several queries over the same times at once and lines their values up. Thread-safe. */
final class ColumnQueries {
  /** Queries of one batch that are open at a time; a remote server answers several in parallel. */
  private static final int CONCURRENT_MAX = 4;

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
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    if (texts.size() == 1) {
      String only = texts.iterator().next();
      outcomes.put(only, run(only, times));
      return outcomes;
    }
    Semaphore open = new Semaphore(CONCURRENT_MAX);
    Map<String, Future<Outcome>> futures = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String text : texts) {
        futures.put(text, threads.submit(() -> runWhenOpen(open, text, times)));
      }
      for (Map.Entry<String, Future<Outcome>> entry : futures.entrySet()) {
        outcomes.put(entry.getKey(), await(entry.getValue()));
      }
    }
    return outcomes;
  }

  private Outcome runWhenOpen(Semaphore open, String text, SignalBatch times)
      throws QueryException, InterruptedException {
    open.acquire();
    try {
      return run(text, times);
    } finally {
      open.release();
    }
  }

  private static Outcome await(Future<Outcome> future) throws QueryException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(QueryException.Kind.CANCELED, "interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof QueryException cause) {
        throw cause;
      }
      throw new QueryException(QueryException.Kind.INTERNAL, String.valueOf(e.getCause()), e);
    }
  }

  private Outcome run(String text, SignalBatch times) throws QueryException {
    try {
      return new Outcome.Columns(columns(ask(text, times), times));
    } catch (QueryException e) {
      return switch (e.kind()) {
        case BAD_DATA, EXECUTION -> new Outcome.Failed(String.valueOf(e.getMessage()));
        case CANCELED, TIMEOUT, UNAVAILABLE, INTERNAL -> throw e;
      };
    }
  }

  private QueryValue ask(String text, SignalBatch times) throws QueryException {
    return times.isMoment()
        ? queries.instant(new QueryService.InstantQuery(text, times.startMs())).value()
        : queries
            .range(
                new QueryService.RangeQuery(text, times.startMs(), times.endMs(), times.stepMs()))
            .value();
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
