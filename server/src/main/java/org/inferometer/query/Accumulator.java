package org.inferometer.query;

import org.inferometer.model.KahanSum;

/**
 * The aggregate of one group over a stretch of steps, fed row by row. Arrays are indexed by step.
 * Not thread-safe; two of them for different stretches may write the same result row.
 */
abstract class Accumulator {
  final int[] counts;

  Accumulator(int steps) {
    counts = new int[steps];
  }

  /** Takes in a value; {@code counts[i]} counts it already. */
  abstract void add(int i, double value);

  abstract double result(int i);

  /** Makes the accumulators of an operator. */
  @FunctionalInterface
  interface Maker {
    Accumulator make(int steps);
  }

  /** Takes in a row's values from step {@code from} on. */
  void addRow(Row row, int from) {
    for (int i = 0; i < counts.length; i++) {
      if (row.isPresent(from + i)) {
        counts[i]++;
        add(i, row.value(from + i));
      }
    }
  }

  void write(Row out, int from) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        out.set(from + i, result(i));
      }
    }
  }

  /** Compensated sums. */
  static final class Sum extends Accumulator {
    private final double[] sums;
    private final double[] compensations;

    Sum(int steps) {
      super(steps);
      sums = new double[steps];
      compensations = new double[steps];
    }

    /** The loop of the base class once more, so that the most used operator is compiled alone. */
    @Override
    void addRow(Row row, int from) {
      double[] values = row.values();
      boolean[] present = row.present();
      for (int i = 0; i < counts.length; i++) {
        if (present[from + i]) {
          counts[i]++;
          add(i, values[from + i]);
        }
      }
    }

    @Override
    void add(int i, double value) {
      double sum = sums[i];
      double next = sum + value;
      compensations[i] = KahanSum.compensation(sum, compensations[i], value, next);
      sums[i] = next;
    }

    @Override
    double result(int i) {
      return sums[i] + compensations[i];
    }
  }

  static final class Avg extends Accumulator {
    private final KahanMean[] means;

    Avg(int steps) {
      super(steps);
      means = new KahanMean[steps];
      for (int i = 0; i < steps; i++) {
        means[i] = new KahanMean();
      }
    }

    @Override
    void add(int i, double value) {
      means[i].add(value);
    }

    @Override
    double result(int i) {
      return means[i].value();
    }
  }

  static final class Count extends Accumulator {
    Count(int steps) {
      super(steps);
    }

    @Override
    void add(int i, double value) {}

    @Override
    double result(int i) {
      return counts[i];
    }
  }

  /** 1 where there is anything. */
  static final class Group extends Accumulator {
    Group(int steps) {
      super(steps);
    }

    @Override
    void add(int i, double value) {}

    @Override
    double result(int i) {
      return 1;
    }
  }

  /** Minimum or maximum; NaN only if there is nothing else. */
  static final class Extreme extends Accumulator {
    private final double[] best;
    private final boolean largest;

    Extreme(int steps, boolean largest) {
      super(steps);
      best = new double[steps];
      this.largest = largest;
    }

    @Override
    void add(int i, double value) {
      if (counts[i] == 1
          || Double.isNaN(best[i])
          || (largest ? value > best[i] : value < best[i])) {
        best[i] = value;
      }
    }

    @Override
    double result(int i) {
      return best[i];
    }
  }

  /** Population variance by Welford's method; not finite values make it NaN. */
  static final class Variance extends Accumulator {
    private final double[] means;
    private final double[] squares;
    private final boolean root;

    Variance(int steps, boolean root) {
      super(steps);
      means = new double[steps];
      squares = new double[steps];
      this.root = root;
    }

    @Override
    void add(int i, double value) {
      double delta = value - means[i];
      means[i] += delta / counts[i];
      squares[i] += delta * (value - means[i]);
    }

    @Override
    double result(int i) {
      double variance = squares[i] / counts[i];
      return root ? Math.sqrt(variance) : variance;
    }
  }
}
