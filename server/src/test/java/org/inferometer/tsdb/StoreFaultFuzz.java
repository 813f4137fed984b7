package org.inferometer.tsdb;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Random;

/**
 * Any number of lives with faults, as {@link StoreLifeTest} has a few: {@code StoreFaultFuzz COUNT
 * SEED}. A life that fails is printed with its seed, which is what repeats it with a count of 1.
 */
public final class StoreFaultFuzz {
  private static final int STEPS_MAX = 400;
  private static final int KINDS = 6;

  private StoreFaultFuzz() {}

  public static void main(String[] args) {
    int count = Integer.parseInt(args[0]);
    long firstSeed = Long.parseLong(args[1]);
    PrintStream out = System.out;
    int failures = 0;
    for (int i = 0; i < count; i++) {
      long seed = firstSeed + i;
      try {
        live(seed);
      } catch (AssertionError | IOException | RuntimeException e) {
        failures++;
        out.println("SEED " + seed);
        e.printStackTrace(out);
      }
    }
    out.println(count + " lives of stores, " + failures + " failed");
    System.exit(failures == 0 ? 0 : 1);
  }

  private static void damage(long seed, int steps) throws IOException {
    StoreDamage damage = new StoreDamage(seed, steps);
    damage.flipBits(3);
    damage.cutOff(1);
    damage.zeroSectors(1);
    damage.loseEntries();
  }

  /** The life of a seed. */
  static void live(long seed) throws IOException {
    Random random = new Random(~seed);
    int steps = 20 + random.nextInt(STEPS_MAX);
    int every = 5 + random.nextInt(20);
    int offset = random.nextInt(every);
    switch (Math.floorMod(seed, KINDS)) {
      case 0 -> StoreFaults.kills(seed, steps, every, offset);
      case 1 -> StoreFaults.powerCuts(seed, steps, every, offset);
      case 2 -> StoreFaults.fullDisks(seed, steps / 2);
      case 3 -> StoreFaults.failedSyncs(seed, steps / 2);
      case 4 -> StoreFaults.tornWrites(seed, every);
      default -> damage(seed, steps);
    }
  }
}
