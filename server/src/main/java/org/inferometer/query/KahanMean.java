package org.inferometer.query;

import org.inferometer.model.KahanSum;

/**
 * An arithmetic mean: a compensated sum divided at the end, or, from the value on that would make
 * the sum overflow, a running mean.
 */
final class KahanMean {
  private double sum;
  private double compensation;
  private double mean;
  private long count;
  private boolean running;

  void clear() {
    sum = 0;
    compensation = 0;
    mean = 0;
    count = 0;
    running = false;
  }

  void add(double value) {
    count++;
    if (count == 1) {
      sum = value;
      return;
    }
    if (!running) {
      double next = sum + value;
      if (!Double.isInfinite(next)) {
        compensation = KahanSum.compensation(sum, compensation, value, next);
        sum = next;
        return;
      }
      running = true;
      mean = sum / (count - 1);
      compensation /= count - 1;
    }
    double share = (double) (count - 1) / count;
    double kept = share * mean;
    double next = kept + value / count;
    compensation = KahanSum.compensation(kept, share * compensation, value / count, next);
    mean = next;
  }

  double value() {
    return running ? mean + compensation : sum / count + compensation / count;
  }
}
