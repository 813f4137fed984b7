package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResetDetectionTest {
  private static final double[] BOUNDS = {1, 2, 4};

  private static NativeHistogram exponential(int schema, double threshold, double zero, Buckets p) {
    return NativeHistogram.exponential(schema, 10, 5, threshold, zero, p, Buckets.NONE);
  }

  private static NativeHistogram custom(double... counts) {
    return NativeHistogram.custom(10, 5, Buckets.from(0, counts), BOUNDS);
  }

  @Test
  void histogramAndWhatWasAddedToIt_areNoReset() {
    RandomHistograms random = new RandomHistograms(7);
    for (int i = 0; i < 2000; i++) {
      NativeHistogram before = random.exponential();
      NativeHistogram after = before.plus(random.exponential());
      assertThat(after.isResetSince(before)).isFalse();
      assertThat(before.isResetSince(before)).isFalse();
    }
  }

  @Test
  void somethingThatCountsLess_isAReset() {
    NativeHistogram h = exponential(0, 0.5, 1, Buckets.from(0, 1, 2));
    assertThat(exponential(0, 0.5, 0, Buckets.from(0, 1, 2)).isResetSince(h)).isTrue();
    assertThat(exponential(0, 0.5, 1, Buckets.from(0, 9, 1)).isResetSince(h)).isTrue();
    assertThat(exponential(0, 0.5, 1, Buckets.from(1, 2)).isResetSince(h)).isTrue();
    assertThat(exponential(0, 0.5, 1, Buckets.NONE).isResetSince(h)).isTrue();
    assertThat(exponential(0, 0.5, 1, Buckets.from(0, 1, 2, 5)).isResetSince(h)).isFalse();
  }

  @Test
  void lowerCountOrNegativeBucket_isAReset() {
    NativeHistogram h =
        NativeHistogram.exponential(0, 3, 1, 0, 0, Buckets.NONE, Buckets.from(0, 1, 2));
    assertThat(
            NativeHistogram.exponential(0, 2, 1, 0, 0, Buckets.NONE, Buckets.from(0, 1, 2))
                .isResetSince(h))
        .isTrue();
    assertThat(
            NativeHistogram.exponential(0, 3, 1, 0, 0, Buckets.NONE, Buckets.from(0, 1, 1))
                .isResetSince(h))
        .isTrue();
  }

  @Test
  void bucketThatIsNoLongerThere_countsAsZero() {
    assertThat(custom(1, 0, 2).isResetSince(custom(1, 1, 2))).isTrue();
    assertThat(custom(1, 1, 2).isResetSince(custom(1, 0, 2))).isFalse();
    assertThat(custom().isResetSince(custom(0, 0))).isFalse();
  }

  @Test
  void finerSchemaOrNarrowerZeroBucket_isAReset() {
    NativeHistogram h = exponential(1, 0.5, 1, Buckets.NONE);
    assertThat(exponential(2, 0.5, 1, Buckets.NONE).isResetSince(h)).isTrue();
    assertThat(exponential(0, 0.5, 1, Buckets.NONE).isResetSince(h)).isFalse();
    assertThat(exponential(1, 0.25, 1, Buckets.NONE).isResetSince(h)).isTrue();
    assertThat(exponential(1, 0.75, 1, Buckets.NONE).isResetSince(h)).isFalse();
  }

  @Test
  void zeroBucketThatEndsWithinAFilledBucket_isAReset() {
    // (1, 2] can't have gone into a zero bucket that ends at 1.5.
    NativeHistogram h = exponential(0, 0.5, 1, Buckets.from(1, 2));
    assertThat(exponential(0, 1.5, 9, Buckets.from(1, 9)).isResetSince(h)).isTrue();
    assertThat(exponential(0, 2, 3, Buckets.NONE).isResetSince(h)).isFalse();
    assertThat(exponential(0, 2, 2, Buckets.NONE).isResetSince(h)).isTrue();
  }

  @Test
  void otherCustomBounds_areComparedInTheSharedOnes() {
    NativeHistogram h = custom(1, 2, 3);
    assertThat(
            NativeHistogram.custom(10, 5, Buckets.from(0, 3, 3), new double[] {2, 8})
                .isResetSince(h))
        .isFalse();
    assertThat(
            NativeHistogram.custom(10, 5, Buckets.from(0, 2, 4), new double[] {2, 8})
                .isResetSince(h))
        .isTrue();
  }

  @Test
  void otherKindOfBuckets_isAReset() {
    NativeHistogram exponential = exponential(0, 0, 0, Buckets.NONE);
    assertThat(custom().isResetSince(exponential)).isTrue();
    assertThat(exponential.isResetSince(custom())).isTrue();
  }

  @Test
  void hintThatSaysIt_isBelieved() {
    NativeHistogram more = custom(5, 5, 5);
    NativeHistogram less = custom(1, 1, 1);
    assertThat(more.withHint(ResetHint.RESET).isResetSince(less)).isTrue();
    assertThat(less.withHint(ResetHint.NOT_RESET).isResetSince(more)).isFalse();
    assertThat(less.withHint(ResetHint.GAUGE).isResetSince(more)).isTrue();
  }
}
