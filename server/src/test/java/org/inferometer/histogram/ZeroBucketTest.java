package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ZeroBucketTest {
  @Test
  void widened_countsWhatGoesIntoIt() {
    RandomHistograms random = new RandomHistograms(3);
    for (int i = 0; i < 2000; i++) {
      NativeHistogram h = random.exponential();
      ZeroBucket zero = ZeroBucket.widened(h, h.zeroThreshold() + random.between(0, 4));
      NativeHistogram widened = zero.in(h);
      assertThat(widened.count()).isEqualTo(h.count());
      assertThat(RandomHistograms.total(widened)).isEqualTo(h.count());
      assertNoFilledBucketReachesInside(widened, widened.positive());
      assertNoFilledBucketReachesInside(widened, widened.negative());
    }
  }

  private static void assertNoFilledBucketReachesInside(NativeHistogram h, Buckets buckets) {
    for (int i = 0; i < buckets.size(); i++) {
      if (buckets.count(i) != 0) {
        assertThat(h.lowerBound(buckets.index(i))).isGreaterThanOrEqualTo(h.zeroThreshold());
      }
    }
  }

  @Test
  void bucketsOnBothSides_widenItInTurn() {
    NativeHistogram h =
        NativeHistogram.exponential(0, 6, 0, 0.5, 1, Buckets.from(1, 2), Buckets.from(2, 3));
    // 1.5 lies within (1, 2]; nothing else ends there.
    assertThat(ZeroBucket.widened(h, 1.5)).isEqualTo(new ZeroBucket(2, 3));
    // 3 lies within [-4, -2).
    assertThat(ZeroBucket.widened(h, 3)).isEqualTo(new ZeroBucket(4, 6));
    // An empty bucket doesn't widen it.
    assertThat(ZeroBucket.widened(h, 0.7)).isEqualTo(new ZeroBucket(0.7, 1));
  }
}
