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
      keep(result.value(), budget);
      return new Answered(result);
    } catch (Abort e) {
      QueryException failure = e.toQueryException();
      if (failure.kind() == QueryException.Kind.CANCELED) {
        throw e;
      }
      return new Failed(failure);
    }
  }

  /** What there is no room for isn't kept, and takes none from those after it. */
  private static void keep(QueryValue value, SampleBudget budget) {
    long samples = value.sampleEquivalents();
    long mark = budget.mark();
    try {
      budget.acquire(samples);
    } catch (Abort e) {
      budget.settle(mark, 0);
      throw e;
    }
  }
}
