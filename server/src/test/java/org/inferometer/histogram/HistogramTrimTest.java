package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HistogramTrimTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] BOUNDS = {5, 10};

  private final RandomHistograms random = new RandomHistograms(5);

  @Test
  void bothPartsTogether_countWhatTheWholeCounts() {
    for (int i = 0; i < 2000; i++) {
      NativeHistogram h = random.exponential();
      double cut = random.between(-20, 20);
      assertThat(h.upTo(cut).count() + h.above(cut).count()).isCloseTo(h.count(), within(1e-9));
    }
  }

  @Test
  void whatIsLeft_isTheFractionOnThatSide() {
    for (int i = 0; i < 2000; i++) {
      NativeHistogram h = random.exponential();
      double cut = random.between(-20, 20);
      if (h.count() > 0) {
        assertThat(h.upTo(cut).count())
            .isCloseTo(h.fraction(-INFINITY, cut) * h.count(), within(1e-9));
        assertThat(h.above(cut).count())
            .isCloseTo(h.fraction(cut, INFINITY) * h.count(), within(1e-9));
        assertThat(RandomHistograms.total(h.upTo(cut)))
            .isCloseTo(h.upTo(cut).count(), within(1e-9));
      }
    }
  }

  @Test
  void cutOutsideOfAllBuckets_changesNothingOrLeavesNothing() {
    for (int i = 0; i < 500; i++) {
      NativeHistogram h = i % 2 == 0 ? random.custom(-1, 2) : random.exponential();
      assertThat(h.upTo(INFINITY)).isSameAs(h);
      assertThat(h.above(-INFINITY)).isSameAs(h);
      assertThat(h.upTo(-INFINITY).count()).isZero();
      assertThat(h.above(INFINITY).count()).isZero();
      assertThat(h.above(INFINITY).sum()).isEqualTo(h.count() == 0 ? h.sum() : 0);
    }
  }

  @Test
  void cutAtNaN_leavesNothing() {
    NativeHistogram h = NativeHistogram.custom(3, 9, Buckets.from(0, 1, 1, 1), BOUNDS);
    assertThat(h.upTo(Double.NaN).positive().isEmpty()).isTrue();
    assertThat(h.above(Double.NaN).positive().isEmpty()).isTrue();
  }

  @Test
  void bucketWithoutUpperBound_isKeptAtTheCutOrDropped() {
    NativeHistogram h = NativeHistogram.custom(6, 99, Buckets.from(1, 2, 4), BOUNDS);
    assertThat(h.above(7).sum()).isEqualTo(2 * 0.6 * 8.5 + 4 * 10);
    assertThat(h.above(20)).isEqualTo(NativeHistogram.custom(4, 80, Buckets.from(2, 4), BOUNDS));
    assertThat(h.upTo(20)).isEqualTo(NativeHistogram.custom(2, 15, Buckets.from(1, 2), BOUNDS));
  }

  @Test
  void bucketWithoutLowerBound_isKeptAtTheCutOrDropped() {
    NativeHistogram h =
        NativeHistogram.custom(6, 99, Buckets.from(0, 4, 2), new double[] {-10, -5});
    assertThat(h.upTo(-7).sum()).isEqualTo(2 * 0.6 * -8.5 + 4 * -10);
    assertThat(h.upTo(-20).sum()).isEqualTo(-80);
    assertThat(h.above(-20))
        .isEqualTo(NativeHistogram.custom(2, -15, Buckets.from(1, 2), new double[] {-10, -5}));
  }

  @Test
  void firstBucketThatReachesAboveZero_beginsAtZero() {
    NativeHistogram h = NativeHistogram.custom(5, 10, Buckets.from(0, 5), BOUNDS);
    assertThat(h.upTo(2)).isEqualTo(NativeHistogram.custom(2, 2, Buckets.from(0, 2), BOUNDS));
    assertThat(h.above(0)).isSameAs(h);
    assertThat(h.above(-1)).isSameAs(h);
    assertThat(h.upTo(0).count()).isZero();
  }

  @Test
  void observationsOfNaN_goWithWhateverIsCut() {
    NativeHistogram h =
        NativeHistogram.exponential(0, 5, Double.NaN, 0, 0, Buckets.from(1, 2, 2), Buckets.NONE);
    assertThat(h.upTo(4)).isSameAs(h);
    assertThat(h.upTo(2).count()).isEqualTo(2);
    assertThat(h.upTo(2).sum()).isCloseTo(2 * Math.sqrt(2), within(1e-15));
  }
}
