package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramQuantileTest {
  private static final NativeHistogram ONE_TO_FOUR =
      NativeHistogram.exponential(0, 4, 8, 0, 0, Buckets.from(1, 2, 2), Buckets.NONE);

  private final RandomHistograms random = new RandomHistograms(11);

  @Test
  void fractionBelowAQuantile_isTheQuantile() {
    int compared = 0;
    for (int i = 0; i < 3000; i++) {
      NativeHistogram h = i % 3 == 0 ? random.custom(-3, -1, 0, 2, 7) : random.exponential();
      double q = random.between(0, 1);
      double value = h.quantile(q);
      if (isWithinABucket(h, value)) {
        compared++;
        assertThat(h.fraction(Double.NEGATIVE_INFINITY, value)).isCloseTo(q, within(1e-9));
      }
    }
    assertThat(compared).isGreaterThan(2000);
  }

  /** At a bound, or where several observations are taken to be, many quantiles are the same. */
  private static boolean isWithinABucket(NativeHistogram h, double value) {
    return h.buckets().stream()
        .anyMatch(
            b ->
                b.count() > 0
                    && b.lower() < value
                    && value < b.upper()
                    && Double.isFinite(b.lower() - b.upper()));
  }

  @Test
  void quantiles_neverGoDown() {
    for (int i = 0; i < 1000; i++) {
      NativeHistogram h = i % 2 == 0 ? random.custom(1, 2, 5) : random.exponential();
      if (h.count() > 0) {
        double last = Double.NEGATIVE_INFINITY;
        for (int k = 0; k <= 50; k++) {
          double value = h.quantile(k / 50.0);
          assertThat(value).isGreaterThanOrEqualTo(last - 1e-12 * Math.abs(last));
          last = value;
        }
      }
    }
  }

  @Test
  void fractionsBetweenNeighbours_addUpToOne() {
    for (int i = 0; i < 1000; i++) {
      NativeHistogram h = i % 2 == 0 ? random.custom(-2, 1, 2, 5) : random.exponential();
      if (h.count() > 0) {
        double a = random.between(-10, 10);
        double b = a + random.between(0, 10);
        double sum =
            h.fraction(Double.NEGATIVE_INFINITY, a)
                + h.fraction(a, b)
                + h.fraction(b, Double.POSITIVE_INFINITY);
        assertThat(sum).isCloseTo(1, within(1e-12));
      }
    }
  }

  @Test
  void quantileWithinAnExponentialBucket_isGeometric() {
    assertThat(ONE_TO_FOUR.quantile(0)).isEqualTo(1);
    assertThat(ONE_TO_FOUR.quantile(0.25)).isCloseTo(Math.sqrt(2), within(1e-15));
    assertThat(ONE_TO_FOUR.quantile(0.5)).isEqualTo(2);
    assertThat(ONE_TO_FOUR.quantile(0.75)).isCloseTo(2 * Math.sqrt(2), within(1e-15));
    assertThat(ONE_TO_FOUR.quantile(1)).isEqualTo(4);
    assertThat(ONE_TO_FOUR.times(-1).quantile(0.5)).isNaN();
  }

  @Test
  void quantileWithinTheZeroBucket_isLinearAndKnowsTheSide() {
    NativeHistogram zero = NativeHistogram.exponential(0, 4, 0, 0.5, 4, Buckets.NONE, Buckets.NONE);
    assertThat(zero.quantile(0.25)).isEqualTo(-0.25);
    NativeHistogram withPositive =
        NativeHistogram.exponential(0, 8, 0, 0.5, 4, Buckets.from(3, 4), Buckets.NONE);
    assertThat(withPositive.quantile(0.25)).isEqualTo(0.25);
    NativeHistogram withNegative =
        NativeHistogram.exponential(0, 8, 0, 0.5, 4, Buckets.NONE, Buckets.from(3, 4));
    assertThat(withNegative.quantile(0.75)).isEqualTo(-0.25);
  }

  @Test
  void quantileInAnEndlessCustomBucket_isItsBound() {
    NativeHistogram h =
        NativeHistogram.custom(6, 0, Buckets.from(0, 2, 2, 2), new double[] {-5, 5});
    assertThat(h.quantile(0.1)).isEqualTo(-5);
    assertThat(h.quantile(0.5)).isEqualTo(0);
    assertThat(h.quantile(0.9)).isEqualTo(5);
    NativeHistogram positive = NativeHistogram.custom(4, 0, Buckets.from(0, 4), new double[] {8});
    assertThat(positive.quantile(0.25)).isEqualTo(2);
  }

  @Test
  void quantileOutsideOfZeroToOne_isInfinite() {
    assertThat(ONE_TO_FOUR.quantile(-0.1)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(ONE_TO_FOUR.quantile(1.1)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(ONE_TO_FOUR.quantile(Double.NaN)).isNaN();
  }

  @Test
  void observationsOfNaN_countAsTheLargest() {
    NativeHistogram h =
        NativeHistogram.exponential(0, 5, Double.NaN, 0, 0, Buckets.from(1, 2, 2), Buckets.NONE);
    assertThat(h.quantile(0.4)).isEqualTo(2);
    assertThat(h.quantile(0.9)).isNaN();
    assertThat(h.fraction(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)).isEqualTo(0.8);
  }

  @Test
  void countBeyondTheBuckets_isAboveThemAll() {
    NativeHistogram h =
        NativeHistogram.exponential(0, 8, 8, 0, 0, Buckets.from(1, 2, 2), Buckets.NONE);
    assertThat(h.fraction(0, 4)).isEqualTo(1);
    assertThat(h.fraction(0, 3.9)).isLessThan(0.5);
  }

  @Test
  void widenedZeroBucket_cutsTheBucketsAroundIt() {
    NativeHistogram h =
        NativeHistogram.exponential(0, 4, 0, 1.5, 2, Buckets.from(1, 2), Buckets.NONE);
    assertThat(h.quantile(0.5)).isEqualTo(1.5);
    assertThat(h.fraction(0, 1.5)).isEqualTo(0.5);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, Integer.MAX_VALUE, -5000, 5000, 1025, 1024, -1074})
  void bucketsAtTheEndsOfTheNumbers_haveQuantilesThatAreNumbers(int index) {
    for (int schema = NativeHistogram.SCHEMA_MIN; schema <= NativeHistogram.SCHEMA_MAX; schema++) {
      NativeHistogram h =
          NativeHistogram.exponential(
              schema, 2, 0, 0, 0, Buckets.from(index, 1), Buckets.from(index, 1));
      for (double q : new double[] {0, 0.1, 0.5, 0.9, 1}) {
        assertThat(h.quantile(q)).isNotNaN();
      }
      assertThat(h.fraction(-1, 1)).isBetween(0.0, 1.0);
      assertThat(h.toString()).startsWith("{count:2, sum:0");
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1, 0})
  void hostileCounts_areNoFault(double count) {
    NativeHistogram h =
        NativeHistogram.exponential(
            0, count, count, 0.5, count, Buckets.from(0, count, 1), Buckets.from(0, 1, count));
    assertThatCode(
            () -> {
              for (double value : new double[] {Double.NaN, -1, 0, 0.5, 1, Double.MAX_VALUE}) {
                h.quantile(value);
                h.fraction(-1, value);
                h.upTo(value).above(value);
              }
              h.variance();
              h.plus(h).minus(h).dividedBy(0).compact();
            })
        .doesNotThrowAnyException();
    assertThat(h.isResetSince(h)).isFalse();
  }

  @Test
  void emptyHistogram_hasNoQuantileNorFraction() {
    for (NativeHistogram empty :
        new NativeHistogram[] {
          NativeHistogram.exponential(0, 0, 0, 0, 0, Buckets.NONE, Buckets.NONE),
          NativeHistogram.custom(0, 0, Buckets.NONE, new double[] {1})
        }) {
      assertThat(empty.quantile(0.5)).isNaN();
      assertThat(empty.fraction(0, 1)).isNaN();
      assertThat(empty.variance()).isNaN();
      assertThat(empty.mean()).isNaN();
    }
  }

  @Test
  void variance_isThatOfTheBucketsMiddles() {
    NativeHistogram custom =
        NativeHistogram.custom(4, 20, Buckets.from(1, 2, 2), new double[] {0, 4, 12});
    assertThat(custom.variance()).isEqualTo(9);
    // Middles 2 and 8 on a logarithmic scale, and 0.
    NativeHistogram exponential =
        NativeHistogram.exponential(-1, 4, 12, 0.5, 1, Buckets.from(1, 2, 1), Buckets.NONE);
    assertThat(exponential.variance()).isCloseTo((1 + 1 + 25 + 9) / 4.0, within(1e-12));
  }
}
