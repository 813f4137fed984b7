package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompensatedSumTest {
  private static NativeHistogram of(int schema, double sum, int firstIndex, double... counts) {
    double count = 0;
    for (double c : counts) {
      count += c;
    }
    return NativeHistogram.exponential(
        schema, count, sum, 0, 0, Buckets.from(firstIndex, counts), Buckets.NONE);
  }

  private static CompensatedSum added(CompensatedSum into, List<NativeHistogram> histograms) {
    histograms.forEach(into::add);
    return into;
  }

  @Test
  void smallNumbersSurviveLargeOnesThatCancel() {
    List<NativeHistogram> histograms =
        List.of(of(0, 5.3, 1, 1), of(0, 1e100, 1, 1), of(0, 1, 1, 1), of(0, -1e100, 1, 1));
    assertThat(added(CompensatedSum.forSum(), histograms).sum().sum()).isEqualTo(6.3);
    assertThat(added(CompensatedSum.forMean(), histograms).mean().sum()).isEqualTo(6.3 / 4);
  }

  @Test
  void meanIsFiniteWhereTheSumIsNot() {
    List<NativeHistogram> histograms =
        List.of(of(0, 1, 1, 1.5e308, 1), of(0, 2, 1, 1.5e308, 2), of(0, 3, 1, 1.5e308, 6));
    NativeHistogram sum = added(CompensatedSum.forSum(), histograms).sum();
    assertThat(sum.positive().count(0)).isInfinite();
    assertThat(sum.positive().count(1)).isEqualTo(9);
    NativeHistogram mean = added(CompensatedSum.forMean(), histograms).mean();
    assertThat(mean.positive().count(0)).isEqualTo(1.5e308, within(1e295));
    assertThat(mean.positive().count(1)).isEqualTo(3);
    assertThat(mean.sum()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void sumIsThatOfPairs(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 200; round++) {
      CompensatedSum sum = CompensatedSum.forSum();
      CompensatedSum mean = CompensatedSum.forMean();
      NativeHistogram pairwise = null;
      int n = 1 + random.nextInt(6);
      for (int i = 0; i < n; i++) {
        NativeHistogram next = random(random);
        sum.add(next);
        mean.add(next);
        pairwise = pairwise == null ? next : pairwise.plus(next);
      }
      assertThat(sum.sum()).isEqualTo(pairwise);
      assertThat(mean.mean().count()).isEqualTo(sum.sum().count() / n, within(1e-9));
      assertThat(mean.mean().positive().size()).isEqualTo(sum.sum().positive().size());
    }
  }

  /** Whole numbers: sums of them are exact in any order. */
  private static NativeHistogram random(SplittableRandom random) {
    double[] counts = random.doubles(random.nextInt(1, 8)).map(d -> Math.floor(d * 5)).toArray();
    double threshold = random.nextInt(3) == 0 ? 0.5 : 0;
    return NativeHistogram.exponential(
        random.nextInt(-1, 2),
        random.nextInt(100),
        random.nextInt(-50, 50),
        threshold,
        threshold == 0 ? 0 : random.nextInt(9),
        Buckets.from(random.nextInt(-3, 4), counts),
        Buckets.from(random.nextInt(0, 4), 1, random.nextInt(3)));
  }

  @Test
  void boundsThatDifferAreReconciled() {
    CompensatedSum sum = CompensatedSum.forSum();
    sum.add(NativeHistogram.custom(3, 1, Buckets.from(0, 1, 1, 1), new double[] {5, 10}));
    assertThat(sum.boundsReconciled()).isFalse();
    sum.add(NativeHistogram.custom(3, 1, Buckets.from(0, 1, 2), new double[] {5}));
    assertThat(sum.boundsReconciled()).isTrue();
    assertThat(sum.sum())
        .isEqualTo(NativeHistogram.custom(6, 2, Buckets.from(0, 2, 4), new double[] {5}));
    NativeHistogram exponential = of(0, 1, 0, 1);
    assertThatThrownBy(() -> sum.add(exponential)).isInstanceOf(IncompatibleSchemas.class);
  }

  @Test
  void contradictingHintsAreNoticedAndUnknownAfterwards() {
    CompensatedSum sum = CompensatedSum.forSum();
    sum.add(of(0, 1, 0, 1).withHint(ResetHint.NOT_RESET));
    sum.add(of(0, 1, 0, 1).withHint(ResetHint.NOT_RESET));
    assertThat(sum.sum().resetHint()).isEqualTo(ResetHint.NOT_RESET);
    assertThat(sum.resetsContradict()).isFalse();
    sum.add(of(0, 1, 0, 1).withHint(ResetHint.RESET));
    assertThat(sum.sum().resetHint()).isEqualTo(ResetHint.UNKNOWN);
    assertThat(sum.resetsContradict()).isTrue();
  }
}
