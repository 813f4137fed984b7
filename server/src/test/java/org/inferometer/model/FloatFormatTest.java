package org.inferometer.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloatFormatTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "-0.0, -0",
    "0.1, 0.1",
    "1e-6, 0.000001",
    "1e-7, 1e-07",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "1.5e300, 1.5e+300",
    "123456789012345680, 123456789012345680",
    "NaN, NaN",
    "Infinity, +Inf",
    "-Infinity, -Inf",
    "4.9E-324, 5e-324"
  })
  void sample_writesWhatTheHttpApiShows(double value, String expected) {
    assertThat(FloatFormat.sample(value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, 0e+00", "1, 1e+00", "-12.5, -1.25e+01", "1e-10, 1e-10", "1e100, 1e+100"})
  void scientific_hasOneDigitAndASignedExponent(double value, String expected) {
    assertThat(FloatFormat.scientific(value)).isEqualTo(expected);
  }
}
