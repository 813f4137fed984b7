package org.inferometer.histogram;

/** The share of observations between two values, by interpolation within buckets. */
final class HistogramFraction {
  private HistogramFraction() {}

  static double of(double lower, double upper, NativeHistogram h) {
    if (h.count() == 0 || Double.isNaN(lower) || Double.isNaN(upper)) {
      return Double.NaN;
    }
    return lower >= upper ? 0 : (countBelow(upper, h) - countBelow(lower, h)) / h.count();
  }

  /** How many observations are below a value; those of NaN aren't. */
  private static double countBelow(double value, NativeHistogram h) {
    double count = 0;
    for (Bucket b : h.buckets()) {
      Interpolation inside = Interpolation.in(b, h);
      if (inside.lower() >= value) {
        return count;
      }
      if (inside.upper() > value) {
        return count + b.count() * inside.share(value);
      }
      count += b.count();
    }
    return count;
  }
}
