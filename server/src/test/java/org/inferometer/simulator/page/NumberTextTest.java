package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
  /** What prometheus_client 0.26 wrote, as the catalogue has it, and what follows from its code. */
  @ParameterizedTest
  @CsvSource({
    "0, 0.0",
    "-0.0, -0.0",
    "1, 1.0",
    "0.25, 0.25",
    "2560, 2560.0",
    "100000, 100000.0",
    "0.00001, 1e-05",
    "1000000, 1e+06",
    "2097152, 2.097152e+06",
    "8589934592, 8.589934592e+09",
    "1234567, 1.234567e+06",
    "-1234567, -1234567.0",
    "0.0001, 0.0001",
    "0.3, 0.3",
    "1753795326.9352946, 1.7537953269352946e+09",
    "9.75010481363281e-6, 9.75010481363281e-06",
    "12345678901.5, 1.23456789015e+010",
    "120000000000, 1.2e+011",
    "1e15, 1e+015",
    "1e16, 1e+16",
    "1.5e300, 1.5e+300",
    "Infinity, +Inf",
    "-Infinity, -Inf",
    "NaN, NaN",
  })
  void python(double value, String text) {
    assertThat(NumberText.PYTHON.text(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "-1, -1",
    "0.5, 0.5",
    "999999, 999999",
    "1000000, 1e+06",
    "1.37e9, 1.37e+09",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "Infinity, +Inf",
    "NaN, NaN",
  })
  void go(double value, String text) {
    assertThat(NumberText.GO.text(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.0",
    "1, 1.0",
    "0.001, 0.001",
    "2560, 2560.0",
    "131072, 131072.0",
    "1e7, 10000000.0",
    "1e-5, 0.00001",
    "1.5e-7, 1.5e-7",
    "1e21, 1e21",
    "1.2e30, 1.2e30",
    "1790000005.25, 1790000005.25",
  })
  void dtoa(double value, String text) {
    assertThat(NumberText.DTOA.text(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "5, 5",
    "15.330000000000002, 15.330000000000002",
    "0.00015000000000000001, 0.00015000000000000001",
    "1e7, 10000000",
    "1e21, 1000000000000000000000",
  })
  void plain(double value, String text) {
    assertThat(NumberText.PLAIN.text(value)).isEqualTo(text);
  }

  @Test
  void fixedAndInteger() {
    assertThat(NumberText.FIXED.text(35.686)).isEqualTo("35.686000");
    assertThat(NumberText.FIXED.text(0)).isEqualTo("0.000000");
    assertThat(NumberText.INTEGER.text(1410.4)).isEqualTo("1410");
    assertThat(NumberText.INTEGER.text(5_551_899_580.0)).isEqualTo("5551899580");
  }

  /** Whatever is written reads back as what it was. */
  @Test
  void text_readsBack() {
    for (long i = 1; i < 5_000; i++) {
      double value = Double.longBitsToDouble(0x3e00_0000_0000_0000L + i * 0x0003_1234_5678_9abcL);
      for (NumberText numbers :
          new NumberText[] {NumberText.PYTHON, NumberText.GO, NumberText.DTOA, NumberText.PLAIN}) {
        if (Double.isFinite(value)) {
          assertThat(Double.parseDouble(numbers.text(value)))
              .as("%s %s", numbers, i)
              .isEqualTo(value);
        }
      }
    }
  }
}
