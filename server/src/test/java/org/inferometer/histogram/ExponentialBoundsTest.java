package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentialBoundsTest {
  @Test
  void powersOfTwo_areExactInEverySchema() {
    for (int schema = ExponentialBounds.SCHEMA_MIN;
        schema <= ExponentialBounds.SCHEMA_MAX;
        schema++) {
      int coarse = Math.max(0, -schema);
      for (int exponent = -63; exponent <= 63; exponent++) {
        int index = schema < 0 ? exponent : exponent << schema;
        assertThat(ExponentialBounds.upper(index, schema))
            .isEqualTo(Math.scalb(1.0, exponent << coarse));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1.4142135623730951",
    "1, 2, 1.189207115002721",
    "3, 3, 1.2968395546510096",
    "1, 3, 1.0905077326652577",
    "-1, 3, 0.9170040432046712",
    "9, 3, 2.1810154653305154",
    "1, 8, 1.0027112750502025",
    "255, 8, 1.9945921121709402"
  })
  void bounds_areTheRootsOfTwo(int index, int schema, double expected) {
    assertThat(ExponentialBounds.upper(index, schema)).isEqualTo(expected);
  }

  @Test
  void bounds_areTheNearestNumbersToTheRoots() {
    for (int k = 1; k < 256; k++) {
      double bound = ExponentialBounds.upper(k, 8);
      BigDecimal below = middle(Math.nextDown(bound), bound).pow(256);
      BigDecimal above = middle(bound, Math.nextUp(bound)).pow(256);
      BigDecimal exact = BigDecimal.TWO.pow(k);
      assertThat(exact).isGreaterThan(below).isLessThan(above);
    }
  }

  private static BigDecimal middle(double a, double b) {
    return new BigDecimal(a).add(new BigDecimal(b)).divide(BigDecimal.TWO);
  }

  @Test
  void lastFiniteBound_isTheLargestNumber() {
    assertThat(ExponentialBounds.upper(1024, 0)).isEqualTo(Double.MAX_VALUE);
    assertThat(ExponentialBounds.upper(64, -4)).isEqualTo(Double.MAX_VALUE);
    assertThat(ExponentialBounds.upper(1024 << 8, 8)).isEqualTo(Double.MAX_VALUE);
    assertThat(ExponentialBounds.upper(1025, 0)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(ExponentialBounds.upper(Integer.MAX_VALUE, -4)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(ExponentialBounds.upper(Integer.MIN_VALUE, 8)).isEqualTo(0);
    assertThat(ExponentialBounds.upper(Integer.MIN_VALUE - 1L, -4)).isEqualTo(0);
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
  void smallestIndex_doesNotWrapAround() {
    assertThat(ExponentialBounds.coarser(Integer.MIN_VALUE, 1, 0)).isNegative();
  }
}
