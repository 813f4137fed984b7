package org.inferometer.simulator.event;

/**
 * A stream of random numbers: the same seed and name give the same numbers for ever, on every
 * machine. Each use has its own stream, so that a fault doesn't change who arrives. Not
 * thread-safe. Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
 */
public final class Dice {
  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private final long seed;
  private long state;

  private Dice(long seed) {
    this.seed = seed;
    this.state = seed;
  }

  public static Dice of(long seed) {
    return new Dice(mix(seed + GAMMA));
  }

  /** A stream that is independent of this one; the same name gives the same. */
  public Dice stream(String name) {
    long hash = seed;
    for (int i = 0; i < name.length(); i++) {
      hash = mix(hash ^ (name.charAt(i) + GAMMA));
    }
    return new Dice(hash);
  }

  /** Scatters the bits of a number; also what content is hashed with. */
  public static long mix(long bits) {
    long z = bits;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  public long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  /** From 0 to less than 1. */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /** From 0 to less than the bound. */
  public int nextInt(int bound) {
    return (int) (nextDouble() * bound);
  }

  public boolean chance(double probability) {
    return nextDouble() < probability;
  }

  /** Exponentially distributed with a mean. */
  public double nextExponential(double mean) {
    return -mean * Math.log1p(-nextDouble());
  }

  /** Normally distributed with mean 0 and deviation 1; by the polar method's plain form. */
  public double nextNormal() {
    double radius = Math.sqrt(-2 * Math.log1p(-nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * nextDouble());
  }
}
