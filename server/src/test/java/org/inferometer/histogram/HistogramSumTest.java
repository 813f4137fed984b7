package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HistogramSumTest {
  private static final int ROUNDS = 2000;

  private final RandomHistograms random = new RandomHistograms(1);

  @Test
  void sumOfAnyTwo_doesNotDependOnTheirOrder() {
    for (int i = 0; i < ROUNDS; i++) {
      NativeHistogram a = random.exponential();
      NativeHistogram b = random.exponential();
      assertThat(a.plus(b)).isEqualTo(b.plus(a));
    }
  }

  @Test
  void sumOfAnyTwo_countsWhatBothCount() {
    for (int i = 0; i < ROUNDS; i++) {
      NativeHistogram a = random.exponential();
      NativeHistogram b = random.exponential();
      NativeHistogram sum = a.plus(b);
      assertThat(sum.schema()).isEqualTo(Math.min(a.schema(), b.schema()));
      assertThat(sum.zeroThreshold()).isGreaterThanOrEqualTo(a.zeroThreshold());
      assertThat(sum.zeroThreshold()).isGreaterThanOrEqualTo(b.zeroThreshold());
      assertThat(sum.count()).isEqualTo(a.count() + b.count());
      assertThat(RandomHistograms.total(sum)).isEqualTo(sum.count());
    }
  }

  @Test
  void whatIsAddedAndSubtractedAgain_leavesTheSameInTheCoarserSchema() {
    for (int i = 0; i < ROUNDS; i++) {
      NativeHistogram a = random.exponential();
      NativeHistogram b = random.exponential(i % 13 - 4, a.zeroThreshold());
      NativeHistogram expected = a.toSchema(Math.min(a.schema(), b.schema()));
      assertThat(a.plus(b).minus(b)).isEqualTo(expected.withHint(ResetHint.GAUGE));
      assertThat(a.minus(a).compact().positive()).isEqualTo(Buckets.NONE);
    }
  }

  @Test
  void customBuckets_keepTheSharedBounds() {
    for (int i = 0; i < ROUNDS; i++) {
      NativeHistogram a = random.custom(1, 2, 3, 5);
      NativeHistogram b = random.custom(-1, 2, 5, 8);
      HistogramSum sum = HistogramSum.of(a, b, 1);
      assertThat(sum.boundsReconciled()).isTrue();
      assertThat(sum.result().customBounds()).containsExactly(2, 5);
      assertThat(sum.result().positive().countAt(0))
          .isEqualTo(
              a.positive().countAt(0)
                  + a.positive().countAt(1)
                  + b.positive().countAt(0)
                  + b.positive().countAt(1));
      assertThat(RandomHistograms.total(sum.result())).isEqualTo(a.count() + b.count());
    }
  }

  @Test
  void customBucketsWithoutSharedBounds_areOneBucket() {
    NativeHistogram a = NativeHistogram.custom(3, 1, Buckets.from(0, 1, 2), new double[] {1});
    NativeHistogram b = NativeHistogram.custom(4, 1, Buckets.from(0, 3, 1), new double[] {2});
    NativeHistogram sum = a.plus(b);
    assertThat(sum.customBounds()).isEmpty();
    assertThat(sum.positive()).isEqualTo(Buckets.from(0, 7));
  }

  @Test
  void exponentialAndCustomBuckets_haveNoSum() {
    assertThatThrownBy(() -> random.exponential().plus(random.custom(1)))
        .isInstanceOf(IncompatibleSchemas.class);
  }

  @Test
  void hintsOfBoth_makeTheHintOfTheSum() {
    NativeHistogram h = random.exponential();
    assertThat(sum(h, ResetHint.RESET, ResetHint.RESET).resetHint()).isEqualTo(ResetHint.RESET);
    assertThat(sum(h, ResetHint.GAUGE, ResetHint.RESET).resetHint()).isEqualTo(ResetHint.GAUGE);
    assertThat(sum(h, ResetHint.NOT_RESET, ResetHint.UNKNOWN).resetHint())
        .isEqualTo(ResetHint.UNKNOWN);
    assertThat(
            HistogramSum.of(h.withHint(ResetHint.RESET), h.withHint(ResetHint.NOT_RESET), 1)
                .resetsContradict())
        .isTrue();
  }

  private static NativeHistogram sum(NativeHistogram h, ResetHint a, ResetHint b) {
    HistogramSum sum = HistogramSum.of(h.withHint(a), h.withHint(b), 1);
    assertThat(sum.resetsContradict()).isFalse();
    return sum.result();
  }

  @Test
  void compensatedSum_agreesWithPlus() {
    for (int i = 0; i < ROUNDS; i++) {
      NativeHistogram a = random.exponential();
      NativeHistogram b = random.exponential();
      NativeHistogram c = random.exponential();
      CompensatedSum sum = CompensatedSum.forSum();
      CompensatedSum mean = CompensatedSum.forMean();
      for (NativeHistogram h : new NativeHistogram[] {a, b, c, a}) {
        sum.add(h);
        mean.add(h);
      }
      NativeHistogram expected = a.plus(b).plus(c).plus(a);
      assertThat(sum.sum()).isEqualTo(expected.compact());
      assertThat(mean.mean()).isEqualTo(expected.dividedBy(4).compact());
    }
  }

  @Test
  void compensatedSum_keepsWhatRoundingTakes() {
    CompensatedSum sum = CompensatedSum.forSum();
    for (double number : new double[] {1, 1e100, 1, -1e100}) {
      sum.add(
          NativeHistogram.exponential(
              0, number, number, 0, number, Buckets.from(3, number), Buckets.from(-3, number)));
    }
    assertThat(sum.sum())
        .isEqualTo(
            NativeHistogram.exponential(0, 2, 2, 0, 2, Buckets.from(3, 2), Buckets.from(-3, 2)));
  }

  @Test
  void timesNegative_isAGauge() {
    NativeHistogram h = random.exponential(2, 0.001);
    assertThat(h.times(2).resetHint()).isEqualTo(ResetHint.UNKNOWN);
    assertThat(h.times(-1).resetHint()).isEqualTo(ResetHint.GAUGE);
    assertThat(h.times(-1).count()).isEqualTo(-h.count());
    assertThat(h.times(4).dividedBy(4)).isEqualTo(h);
  }

  @Test
  void dividedByZero_hasNoBuckets() {
    NativeHistogram h =
        NativeHistogram.exponential(0, 4, 0, 0.5, 1, Buckets.from(0, 1, 2), Buckets.NONE);
    NativeHistogram quotient = h.dividedBy(0);
    assertThat(quotient.count()).isInfinite();
    assertThat(quotient.sum()).isNaN();
    assertThat(quotient.zeroCount()).isInfinite();
    assertThat(quotient.positive().isEmpty()).isTrue();
  }
}
