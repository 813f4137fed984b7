package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.inferometer.signals.BucketQuantile.Estimate;
import org.inferometer.signals.BucketQuantile.Remark;
import org.junit.jupiter.api.Test;

class BucketQuantileTest {
  private static final double INF = Double.POSITIVE_INFINITY;

  @Test
  void interpolatesWithinABucket() {
    Estimate p50 = BucketQuantile.of(0.5, of(1, 2, 4, INF), of(2, 6, 10, 10));
    assertThat(p50.value()).isCloseTo(1.75, within(1e-12));
    assertThat(p50.low()).isEqualTo(1);
    assertThat(p50.high()).isEqualTo(2);
    assertThat(p50.remark()).isEqualTo(Remark.NONE);
  }

  @Test
  void firstBucketBeginsAtZero() {
    Estimate p50 = BucketQuantile.of(0.5, of(1, 2, INF), of(8, 10, 10));
    assertThat(p50.value()).isCloseTo(0.625, within(1e-12));
    assertThat(p50.low()).isZero();
    assertThat(p50.high()).isEqualTo(1);
  }

  @Test
  void firstBucketUpToZero() {
    Estimate p50 = BucketQuantile.of(0.5, of(0, 2, INF), of(8, 10, 10));
    assertThat(p50.value()).isZero();
    assertThat(p50.low()).isNaN();
    assertThat(p50.high()).isZero();
  }

  @Test
  void beyondTheLastEdge() {
    Estimate p99 = BucketQuantile.of(0.99, of(1, 2, INF), of(1, 2, 10));
    assertThat(p99.value()).isEqualTo(2);
    assertThat(p99.low()).isEqualTo(2);
    assertThat(p99.high()).isInfinite();
    assertThat(p99.remark()).isEqualTo(Remark.BEYOND_LAST_EDGE);
  }

  @Test
  void withoutTheBucketUpToInfinity() {
    Estimate estimate = BucketQuantile.of(0.95, of(1, 2), of(1, 2));
    assertThat(estimate.value()).isNaN();
    assertThat(estimate.remark()).isEqualTo(Remark.TRUNCATED);
  }

  @Test
  void allInTheFirstBucket() {
    Estimate estimate = BucketQuantile.of(0.95, of(1, 2, INF), of(208, 208, 208));
    assertThat(estimate.value()).isCloseTo(0.95, within(1e-12));
    assertThat(estimate.low()).isZero();
    assertThat(estimate.remark()).isEqualTo(Remark.IN_FIRST_BUCKET);
  }

  @Test
  void nothingObserved() {
    assertThat(BucketQuantile.of(0.95, of(1, INF), of(0, 0)).remark()).isEqualTo(Remark.EMPTY);
    assertThat(BucketQuantile.of(0.95, of(), of()).remark()).isEqualTo(Remark.EMPTY);
    assertThat(BucketQuantile.of(0.95, of(1, INF), of(Double.NaN, Double.NaN)).value()).isNaN();
  }

  @Test
  void onlyTheBucketUpToInfinity() {
    assertThat(BucketQuantile.of(0.95, of(INF), of(3)).remark()).isEqualTo(Remark.TRUNCATED);
  }

  @Test
  void countsThatFallAreLevelled() {
    Estimate estimate = BucketQuantile.of(0.5, of(1, 2, 4, INF), of(4, 2, 8, 8));
    assertThat(estimate.remark()).isEqualTo(Remark.LEVELLED);
    assertThat(estimate.value()).isCloseTo(1, within(1e-12));
  }

  @Test
  void equalEdgesAddUp() {
    Estimate estimate = BucketQuantile.of(0.5, of(1, 1, 2, INF, INF), of(1, 1, 4, 2, 2));
    assertThat(estimate.value()).isCloseTo(1, within(1e-12));
  }

  @Test
  void missingBucketsAtOneTimeAreLeftOut() {
    Estimate estimate = BucketQuantile.of(0.5, of(1, 2, 4, INF), of(2, Double.NaN, 10, 10));
    assertThat(estimate.low()).isEqualTo(1);
    assertThat(estimate.high()).isEqualTo(4);
  }

  private static double[] of(double... values) {
    return values;
  }
}
