package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GoalShareTest {
  private static final double[] EDGES = {1, 2, 4, Double.POSITIVE_INFINITY};
  private static final double[] COUNTS = {50, 80, 90, 100};

  @Test
  void aLimitOnAnEdgeIsExact() {
    assertThat(GoalShare.within(2, EDGES, COUNTS)).isEqualTo(new GoalShare(0.8, 0.8));
  }

  @Test
  void aLimitBetweenEdges() {
    assertThat(GoalShare.within(3, EDGES, COUNTS)).isEqualTo(new GoalShare(0.8, 0.9));
    assertThat(GoalShare.within(0.5, EDGES, COUNTS)).isEqualTo(new GoalShare(0, 0.5));
    assertThat(GoalShare.within(9, EDGES, COUNTS)).isEqualTo(new GoalShare(0.9, 1));
  }

  @Test
  void bucketsOfTwoReplicasAddUp() {
    double[] edges = {1, 1, 2, 2, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    double[] counts = {1, 2, 2, 4, 5, 5};
    assertThat(GoalShare.within(1, edges, counts)).isEqualTo(new GoalShare(0.3, 0.3));
    assertThat(GoalShare.within(1.5, edges, counts)).isEqualTo(new GoalShare(0.3, 0.6));
  }

  @Test
  void nothingObservedOrCutOff() {
    assertThat(GoalShare.within(1, EDGES, new double[4]).high()).isNaN();
    assertThat(GoalShare.within(1, new double[] {1, 2}, new double[] {1, 2}).high()).isNaN();
    assertThat(GoalShare.within(1, new double[0], new double[0]).high()).isNaN();
  }

  @Test
  void bucketsThatAreMissing() {
    double[] counts = {50, Double.NaN, 90, 100};
    assertThat(GoalShare.within(2, EDGES, counts)).isEqualTo(new GoalShare(0.5, 0.9));
  }

  @Test
  void severalConditions() {
    GoalShare all = GoalShare.all(List.of(new GoalShare(0.8, 0.9), new GoalShare(0.95, 0.95)));
    assertThat(all.low()).isCloseTo(0.75, within(1e-12));
    assertThat(all.high()).isEqualTo(0.9);
    GoalShare three =
        GoalShare.all(List.of(new GoalShare(0.5, 0.6), new GoalShare(0.4, 0.7), GoalShare.UNKNOWN));
    assertThat(three).isEqualTo(new GoalShare(0, 0.6));
    assertThat(GoalShare.all(List.of(GoalShare.exactly(0.7)))).isEqualTo(new GoalShare(0.7, 0.7));
    assertThat(GoalShare.all(List.of(GoalShare.exactly(0.7), GoalShare.NONE)).low()).isNaN();
  }

  /** Requests whose latencies go together in all sorts of ways; each has its true share. */
  @Test
  void theTrueShareLiesWithinTheBounds() {
    long seed = 20_260_101;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      double link = random.nextDouble(-1, 1);
      double[] limits = {random.nextDouble(0.1, 5), random.nextDouble(0.1, 5)};
      double[][] counts = new double[2][EDGES.length];
      int requests = 1 + random.nextInt(400);
      int good = 0;
      int succeeded = 0;
      for (int r = 0; r < requests; r++) {
        double first = 5 * random.nextDouble();
        double linked = link > 0 ? first : 5 - first;
        double second = Math.abs(link) * linked + (1 - Math.abs(link)) * 5 * random.nextDouble();
        boolean success = random.nextInt(10) > 0;
        observe(counts[0], first);
        observe(counts[1], second);
        succeeded += success ? 1 : 0;
        good += success && first <= limits[0] && second <= limits[1] ? 1 : 0;
      }
      List<GoalShare> conditions = new ArrayList<>();
      conditions.add(GoalShare.within(limits[0], EDGES, counts[0]));
      conditions.add(GoalShare.within(limits[1], EDGES, counts[1]));
      conditions.add(GoalShare.exactly((double) succeeded / requests));
      GoalShare all = GoalShare.all(conditions);
      assertThat((double) good / requests)
          .as("seed " + seed + ", round " + round)
          .isBetween(all.low() - 1e-12, all.high() + 1e-12);
    }
  }

  private static void observe(double[] cumulative, double value) {
    for (int i = 0; i < EDGES.length; i++) {
      cumulative[i] += value <= EDGES[i] ? 1 : 0;
    }
  }
}
