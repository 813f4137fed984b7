package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberLabelsTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1.0",
    "1., 1.0",
    "1e0, 1.0",
    "5e-1, 0.5",
    "0, 0.0",
    "-0, 0.0",
    "-1, -1.0",
    "100000, 100000.0",
    "1000000, 1e+06",
    "1500000, 1.5e+06",
    "123456.75, 123456.75",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "+Inf, +Inf",
    "inf, +Inf",
    "-INF, -Inf",
    "nan, NaN",
    "'', ''",
    "abc, abc",
    "0x10, 0x10",
    "1e999, 1e999"
  })
  void normalize(String sent, String stored) {
    assertThat(NumberLabels.normalize(sent)).isEqualTo(stored);
  }
}
