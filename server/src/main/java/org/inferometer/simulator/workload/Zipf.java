package org.inferometer.simulator.workload;

import java.util.Arrays;
import org.inferometer.simulator.event.Dice;

/** Zipf's law over so many things: the one at place i comes with a weight of 1 / (i + 1)^skew. */
final class Zipf {
  private final double[] cumulated;

  Zipf(int count, double skew) {
    cumulated = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += StrictMath.pow(i + 1, -skew);
      cumulated[i] = sum;
    }
  }

  int count() {
    return cumulated.length;
  }

  /** From 0 to less than the count. */
  int draw(Dice dice) {
    double place = dice.nextDouble() * cumulated[cumulated.length - 1];
    int found = Arrays.binarySearch(cumulated, place);
    return Math.min(found >= 0 ? found + 1 : -found - 1, cumulated.length - 1);
  }
}
