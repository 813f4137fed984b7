package org.inferometer.histogram;

import org.inferometer.model.KahanSum;

/**
 * The sums of the buckets of one sign over many histograms, with what rounding took from each. Not
 * thread-safe.
 */
final class BucketSums {
  private int[] indexes = {};
  private double[] totals = {};
  private double[] errors = {};

  void set(Buckets buckets, double factor) {
    indexes = new int[buckets.size()];
    totals = new double[indexes.length];
    errors = new double[indexes.length];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = buckets.index(i);
      totals[i] = buckets.count(i) * factor;
    }
  }

  void add(Buckets buckets, double factor) {
    makeRoomFor(buckets);
    int at = 0;
    for (int i = 0; i < buckets.size(); i++) {
      while (indexes[at] < buckets.index(i)) {
        at++;
      }
      double added = buckets.count(i) * factor;
      double next = totals[at] + added;
      errors[at] = KahanSum.compensation(totals[at], errors[at], added, next);
      totals[at] = next;
    }
  }

  /** Makes the indexes those of both. */
  private void makeRoomFor(Buckets buckets) {
    int missing = 0;
    int at = 0;
    for (int i = 0; i < buckets.size(); i++) {
      while (at < indexes.length && indexes[at] < buckets.index(i)) {
        at++;
      }
      missing += at < indexes.length && indexes[at] == buckets.index(i) ? 0 : 1;
    }
    if (missing > 0) {
      merge(buckets, indexes.length + missing);
    }
  }

  private void merge(Buckets buckets, int size) {
    int[] mergedIndexes = new int[size];
    double[] mergedTotals = new double[size];
    double[] mergedErrors = new double[size];
    int mine = 0;
    int others = 0;
    for (int n = 0; n < size; n++) {
      boolean hasMine = mine < indexes.length;
      boolean hasOther = others < buckets.size();
      if (hasMine && (!hasOther || indexes[mine] <= buckets.index(others))) {
        others += hasOther && indexes[mine] == buckets.index(others) ? 1 : 0;
        mergedIndexes[n] = indexes[mine];
        mergedTotals[n] = totals[mine];
        mergedErrors[n] = errors[mine++];
      } else {
        mergedIndexes[n] = buckets.index(others++);
      }
    }
    indexes = mergedIndexes;
    totals = mergedTotals;
    errors = mergedErrors;
  }

  /** The sums, each divided by the same. */
  Buckets dividedBy(double divisor) {
    double[] counts = new double[totals.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (totals[i] + errors[i]) / divisor;
    }
    return Buckets.of(indexes, counts);
  }
}
