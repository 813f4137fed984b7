package org.inferometer.histogram;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/**
 * The buckets of one sign of a native histogram: for each index that is there, in ascending order,
 * how many observations it counts. A bucket that isn't there counts none. Immutable.
 */
public final class Buckets {
  public static final Buckets NONE = new Buckets(new int[0], new double[0]);

  private final int[] indexes;
  private final double[] counts;

  private Buckets(int[] indexes, double[] counts) {
    this.indexes = indexes;
    this.counts = counts;
  }

  /**
   * @param indexes ascending
   * @throws IllegalArgumentException if they don't ascend, or there isn't a count for each
   */
  public static Buckets of(int[] indexes, double[] counts) {
    if (indexes.length != counts.length) {
      throw new IllegalArgumentException(
          "expected a count for each of " + indexes.length + " buckets, got " + counts.length);
    }
    for (int i = 1; i < indexes.length; i++) {
      if (indexes[i] <= indexes[i - 1]) {
        throw new IllegalArgumentException(
            "expected ascending bucket indexes, got " + indexes[i] + " after " + indexes[i - 1]);
      }
    }
    return new Buckets(indexes.clone(), counts.clone());
  }

  /** Neighbouring buckets from an index on. */
  public static Buckets from(int firstIndex, double... counts) {
    int[] indexes = new int[counts.length];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = Math.addExact(firstIndex, i);
    }
    return new Buckets(indexes, counts.clone());
  }

  /** How many buckets are there. */
  public int size() {
    return indexes.length;
  }

  public boolean isEmpty() {
    return indexes.length == 0;
  }

  /** The bucket's index in its schema, for {@code 0 <= i < size()}. */
  public int index(int i) {
    return indexes[i];
  }

  /** The largest index, of buckets that aren't empty. */
  int lastIndex() {
    return indexes[indexes.length - 1];
  }

  public double count(int i) {
    return counts[i];
  }

  /** The count of the bucket with an index of the schema; 0 if it isn't there. */
  public double countAt(int index) {
    int i = Arrays.binarySearch(indexes, index);
    return i < 0 ? 0 : counts[i];
  }

  /** The same without buckets that count nothing. */
  public Buckets compact() {
    int kept = 0;
    for (double count : counts) {
      kept += count == 0 ? 0 : 1;
    }
    if (kept == counts.length) {
      return this;
    }
    int[] keptIndexes = new int[kept];
    double[] keptCounts = new double[kept];
    int n = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        keptIndexes[n] = indexes[i];
        keptCounts[n++] = counts[i];
      }
    }
    return new Buckets(keptIndexes, keptCounts);
  }

  /**
   * The same buckets with other counts.
   *
   * @param countAt the count of the bucket that is at {@code 0 <= i < size()}
   */
  public Buckets withCounts(IntToDoubleFunction countAt) {
    double[] others = new double[indexes.length];
    for (int i = 0; i < others.length; i++) {
      others[i] = countAt.applyAsDouble(i);
    }
    return new Buckets(indexes, others);
  }

  /** The same buckets with other counts, which the caller doesn't use on. */
  Buckets withCounts(double[] otherCounts) {
    return new Buckets(indexes, otherCounts);
  }

  Buckets mapCounts(DoubleUnaryOperator operator) {
    double[] mapped = new double[counts.length];
    for (int i = 0; i < mapped.length; i++) {
      mapped[i] = operator.applyAsDouble(counts[i]);
    }
    return new Buckets(indexes, mapped);
  }

  /**
   * The buckets under other indexes; the counts of those that fall together are added.
   *
   * @param newIndex ascending, but not strictly
   */
  Buckets mapIndexes(IntUnaryOperator newIndex) {
    int[] mapped = new int[indexes.length];
    double[] sums = new double[indexes.length];
    int n = 0;
    for (int i = 0; i < indexes.length; i++) {
      int index = newIndex.applyAsInt(indexes[i]);
      if (n > 0 && mapped[n - 1] == index) {
        sums[n - 1] += counts[i];
      } else {
        mapped[n] = index;
        sums[n++] = counts[i];
      }
    }
    return new Buckets(Arrays.copyOf(mapped, n), Arrays.copyOf(sums, n));
  }

  /** Those with an index of at least this. */
  Buckets startingAt(int index) {
    int found = Arrays.binarySearch(indexes, index);
    int first = found < 0 ? -found - 1 : found;
    return first == 0
        ? this
        : new Buckets(
            Arrays.copyOfRange(indexes, first, indexes.length),
            Arrays.copyOfRange(counts, first, counts.length));
  }

  /**
   * The counts of both, bucket by bucket.
   *
   * @param sign 1 to add the others, -1 to subtract them
   */
  Buckets plus(Buckets other, int sign) {
    if (Arrays.equals(indexes, other.indexes)) {
      return plusSameIndexes(other, sign);
    }
    int[] merged = new int[size() + other.size()];
    double[] sums = new double[merged.length];
    int n = 0;
    int a = 0;
    int b = 0;
    while (a < size() || b < other.size()) {
      boolean mine = b == other.size() || (a < size() && indexes[a] <= other.indexes[b]);
      boolean others = a == size() || (b < other.size() && other.indexes[b] <= indexes[a]);
      merged[n] = mine ? indexes[a] : other.indexes[b];
      double sum = mine ? counts[a++] : 0;
      sums[n++] = others ? sum + sign * other.counts[b++] : sum;
    }
    return new Buckets(Arrays.copyOf(merged, n), Arrays.copyOf(sums, n));
  }

  private Buckets plusSameIndexes(Buckets other, int sign) {
    double[] sums = new double[counts.length];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = counts[i] + sign * other.counts[i];
    }
    return new Buckets(indexes, sums);
  }

  /** Whether any bucket counts less in a later sample. */
  boolean anyLessIn(Buckets later) {
    int j = 0;
    for (int i = 0; i < indexes.length; i++) {
      while (j < later.indexes.length && later.indexes[j] < indexes[i]) {
        j++;
      }
      boolean there = j < later.indexes.length && later.indexes[j] == indexes[i];
      if ((there ? later.counts[j] : 0) < counts[i]) {
        return true;
      }
    }
    return false;
  }

  /** Equal if the same buckets count anything, and count the same bit for bit. */
  @Override
  public boolean equals(Object o) {
    if (!(o instanceof Buckets other)) {
      return false;
    }
    Buckets a = compact();
    Buckets b = other.compact();
    return Arrays.equals(a.indexes, b.indexes) && Arrays.equals(a.counts, b.counts);
  }

  @Override
  public int hashCode() {
    Buckets a = compact();
    return 31 * Arrays.hashCode(a.indexes) + Arrays.hashCode(a.counts);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < indexes.length; i++) {
      text.append(i == 0 ? "" : " ").append(indexes[i]).append(':').append(counts[i]);
    }
    return text.toString();
  }
}
