package org.inferometer.benchmarks.peers;

/** How fast one core reads memory that is in no cache. */
final class MemoryBandwidth {
  /** Larger than any cache. */
  private static final int WORDS = 1 << 25;

  private static final int ROUNDS = 9;

  private MemoryBandwidth() {}

  /** The best of some rounds, in bytes a second. */
  static double measure() {
    long[] words = new long[WORDS];
    java.util.Arrays.setAll(words, i -> i);
    double best = 0;
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      sum += sum(words);
      best = Math.max(best, WORDS * 8.0 / ((System.nanoTime() - start) / 1e9));
    }
    if (sum == 0) {
      throw new IllegalStateException("expected a sum that isn't 0");
    }
    return best;
  }

  private static long sum(long[] words) {
    long sum = 0;
    for (long word : words) {
      sum += word;
    }
    return sum;
  }
}
