package org.inferometer.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** What a subexpression evaluates to over all steps. Range vectors never become values. */
sealed interface Value {
  /** How many points it holds in memory. */
  long sampleCount();

  /** How many label sets with a column of samples there are. */
  default int rowCount() {
    return 0;
  }

  /** A value of one step repeated for many. */
  Value repeat(int steps);

  /** A scalar at each step. */
  record Numbers(double[] values) implements Value {
    static Numbers constant(double value, int steps) {
      double[] values = new double[steps];
      Arrays.fill(values, value);
      return new Numbers(values);
    }

    @Override
    public long sampleCount() {
      return values.length;
    }

    @Override
    public Value repeat(int steps) {
      return constant(values[0], steps);
    }
  }

  /** A string. */
  record Words(String text) implements Value {
    @Override
    public long sampleCount() {
      return 0;
    }

    @Override
    public Value repeat(int steps) {
      return this;
    }
  }

  /**
   * A vector at each step.
   *
   * @param ordered whether the order of the rows is part of the result
   */
  record Rows(List<Row> rows, boolean ordered) implements Value {
    static final Rows EMPTY = new Rows(List.of(), false);

    static Rows of(List<Row> rows) {
      return new Rows(rows, false);
    }

    /** The rows that have a point at any step. */
    Rows withoutEmpty() {
      return map(row -> row);
    }

    /** Whether any row may have a histogram. */
    boolean hasHistograms() {
      return rows.stream().anyMatch(Row::hasHistograms);
    }

    /** Without the histograms, and without the rows that have nothing else. */
    Rows floatsOnly() {
      return hasHistograms() ? map(Row::floatsOnly) : this;
    }

    Rows map(Function<Row, Row> change) {
      List<Row> changed = new ArrayList<>(rows.size());
      for (Row row : rows) {
        Row result = change.apply(row);
        if (!result.isEmpty()) {
          changed.add(result);
        }
      }
      return new Rows(changed, ordered);
    }

    @Override
    public long sampleCount() {
      long samples = 0;
      for (Row row : rows) {
        samples += row.sampleEquivalents();
      }
      return samples;
    }

    @Override
    public int rowCount() {
      return rows.size();
    }

    @Override
    public Value repeat(int steps) {
      return map(row -> row.repeat(steps));
    }
  }
}
