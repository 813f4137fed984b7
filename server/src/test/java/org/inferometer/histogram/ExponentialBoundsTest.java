package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentialBoundsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 1",
    "1, 0, 2",
    "-3, 0, 0.125",
    "1, 1, 1.414213562373095",
    "3, 2, 1.6817928305074288",
    "13, 4, 1.756252160373299",
    "1, 8, 1.0027112750502025",
    "5, 8, 1.0136300849514894",
    "1, -4, 65536",
    "-1, -4, 0.0000152587890625",
    "0, -4, 1",
    "256, 8, 2",
    "-256, 8, 0.5"
  })
  void upperBounds_areThoseOfPrometheus(int index, int schema, double expected) {
    assertThat(ExponentialBounds.upper(index, schema)).isEqualTo(expected);
  }

  @Test
  void boundsAscend_andPowersOfTwoAreExact() {
    for (int schema = 0; schema <= ExponentialBounds.SCHEMA_MAX; schema++) {
      for (int i = -300; i < 300; i++) {
        assertThat(ExponentialBounds.upper(i, schema))
            .isLessThan(Math.max(ExponentialBounds.upper(i + 1, schema), Double.MIN_NORMAL));
      }
    }
    assertThat(ExponentialBounds.upper(7 << 5, 5)).isEqualTo(128);
  }

  @Test
  void theLastFiniteBoundIsTheLargestNumber() {
    assertThat(ExponentialBounds.upper(1024, 0)).isEqualTo(Double.MAX_VALUE);
    assertThat(ExponentialBounds.upper(1025, 0)).isInfinite();
    assertThat(ExponentialBounds.upper(1024L << 8, 8)).isEqualTo(Double.MAX_VALUE);
    assertThat(ExponentialBounds.upper(64, -4)).isEqualTo(Double.MAX_VALUE);
  }

  @Test
  void powersOfTwo_areExactInEverySchema() {
    for (int schema = ExponentialBounds.SCHEMA_MIN;
        schema <= ExponentialBounds.SCHEMA_MAX;
        schema++) {
      for (int exponent = -63; exponent <= 63; exponent++) {
        int index = schema < 0 ? exponent : exponent << schema;
        assertThat(ExponentialBounds.upper(index, schema))
            .isEqualTo(Math.scalb(1.0, exponent << Math.max(0, -schema)));
      }
    }
  }

  @Test
  void bucketOfACoarserSchema_holdsTheFinerOne() {
    for (int schema = -3; schema <= 8; schema++) {
      for (int target = -4; target < schema; target++) {
        for (int index = -300; index < 300; index++) {
          int coarser = ExponentialBounds.coarser(index, schema, target);
          assertThat(ExponentialBounds.upper(coarser, target))
              .isGreaterThanOrEqualTo(ExponentialBounds.upper(index, schema));
          assertThat(ExponentialBounds.upper(coarser - 1L, target))
              .isLessThanOrEqualTo(ExponentialBounds.upper(index - 1L, schema));
        }
      }
    }
  }

  @Test
  void indexesFarOut_doNotWrapAround() {
    assertThat(ExponentialBounds.upper(Integer.MAX_VALUE, -4)).isInfinite();
    assertThat(ExponentialBounds.upper(Integer.MIN_VALUE, 8)).isEqualTo(0);
    assertThat(ExponentialBounds.upper(Integer.MIN_VALUE - 1L, -4)).isEqualTo(0);
    assertThat(ExponentialBounds.coarser(Integer.MIN_VALUE, 1, 0)).isNegative();
  }
}
