package org.inferometer.query;

import java.util.Arrays;
import org.inferometer.model.Labels;

/**
 * One element of a vector over all steps: a label set and for each step a value or nothing.
 *
 * <p>Presence is a column of its own, so every bit pattern of a value is free for data. Made by one
 * thread, then only read.
 *
 * @param nameDropped whether the metric name is still among the labels but no longer counts; only
 *     with delayed name removal
 */
record Row(Labels labels, boolean nameDropped, double[] values, boolean[] present) {
  Row(Labels labels, boolean nameDropped, int steps) {
    this(labels, nameDropped, new double[steps], new boolean[steps]);
  }

  int steps() {
    return values.length;
  }

  void set(int step, double value) {
    values[step] = value;
    present[step] = true;
  }

  boolean isPresent(int step) {
    return present[step];
  }

  double value(int step) {
    return values[step];
  }

  boolean isEmpty() {
    for (boolean p : present) {
      if (p) {
        return false;
      }
    }
    return true;
  }

  int points() {
    int n = 0;
    for (boolean p : present) {
      if (p) {
        n++;
      }
    }
    return n;
  }

  /** The same points under other labels; the columns are shared, so this row isn't used on. */
  Row as(Labels otherLabels, boolean otherNameDropped) {
    return new Row(otherLabels, otherNameDropped, values, present);
  }

  Row copy() {
    return new Row(labels, nameDropped, values.clone(), present.clone());
  }

  /** A row of one step repeated for many. */
  Row repeat(int steps) {
    Row repeated = new Row(labels, nameDropped, steps);
    if (present[0]) {
      Arrays.fill(repeated.values, values[0]);
      Arrays.fill(repeated.present, true);
    }
    return repeated;
  }

  /**
   * Adds the points of a row with the same labels.
   *
   * @throws Abort if both have a point at some step
   */
  void takeOver(Row other) {
    for (int i = 0; i < values.length; i++) {
      if (other.present[i]) {
        if (present[i]) {
          throw Abort.sameLabels();
        }
        set(i, other.values[i]);
      }
    }
  }
}
