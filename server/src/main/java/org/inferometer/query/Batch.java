package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.promql.Expr;
import org.inferometer.query.BatchOutcome.Answered;
import org.inferometer.query.BatchOutcome.Failed;

/** The queries of a batch on their way to outcomes, in order. Not thread-safe. */
final class Batch {
  /**
   * A query that can be evaluated.
   *
   * @param place in the batch
   */
  record Entry(int place, String query, Expr expr) {}

  /** Evaluates one query. */
  @FunctionalInterface
  interface Evaluating {
    QueryResult evaluate(Entry entry);
  }

  private final List<BatchOutcome> outcomes = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();

  void add(String query, Expr expr) {
    entries.add(new Entry(outcomes.size(), query, expr));
    outcomes.add(new Failed(new QueryException(QueryException.Kind.INTERNAL, "not evaluated")));
  }

  /** A query that can't be evaluated at all. */
  void addFailed(QueryException e) {
    outcomes.add(new Failed(e));
  }

  List<Expr> exprs() {
    return entries.stream().map(Entry::expr).toList();
  }

  /**
   * Evaluates what can be.
   *
   * @param budget what the results are held in until all are there
   */
  List<BatchOutcome> evaluate(SampleBudget budget, Evaluating evaluating) {
    for (Entry entry : entries) {
      outcomes.set(entry.place(), outcome(entry, budget, evaluating));
    }
    return List.copyOf(outcomes);
  }

  private static BatchOutcome outcome(Entry entry, SampleBudget budget, Evaluating evaluating) {
    try {
      QueryResult result = evaluating.evaluate(entry);
      budget.acquire(points(result.value()));
      return new Answered(result);
    } catch (Abort e) {
      QueryException failure = e.toQueryException();
      if (failure.kind() == QueryException.Kind.CANCELED) {
        throw e;
      }
      return new Failed(failure);
    }
  }

  private static long points(QueryValue value) {
    return switch (value) {
      case QueryValue.Scalar _, QueryValue.Text _ -> 1;
      case QueryValue.Vector vector -> vector.elements().size();
      case QueryValue.Matrix matrix -> {
        long points = 0;
        for (QueryValue.MatrixSeries series : matrix.series()) {
          points += series.values().length;
        }
        yield points;
      }
    };
  }
}
