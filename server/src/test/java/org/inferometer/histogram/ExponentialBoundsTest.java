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
}
