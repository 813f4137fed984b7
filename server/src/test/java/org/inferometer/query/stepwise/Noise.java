package org.inferometer.query.stepwise;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Disturbs results that depend on the order of floating-point operations by about as much as they
 * may be off. An answer that changes with it says nothing about another evaluator: where a
 * comparison or a rounding turns on the last bits, both are right.
 *
 * <p>It also keeps what was decided by chance, such as which of equal elements are the top three.
 */
public final class Noise {
  private static final double SIZE = 1e-12;

  private final @Nullable SplittableRandom random;
  private boolean chance;

  private Noise(@Nullable SplittableRandom random) {
    this.random = random;
  }

  public static Noise none() {
    return new Noise(null);
  }

  public static Noise seeded(long seed) {
    return new Noise(new SplittableRandom(seed));
  }

  /** An inexact result. */
  double near(double value) {
    return near(value, Math.abs(value));
  }

  /** An inexact result of operations on numbers of a size. */
  double near(double value, double size) {
    return random == null || Double.isInfinite(size) || Double.isNaN(size)
        ? value
        : value + SIZE * size * random.nextInt(-4, 5);
  }

  /** Says that a part of the answer is one of several right ones. */
  void byChance() {
    chance = true;
  }

  boolean wasChance() {
    return chance;
  }
}
