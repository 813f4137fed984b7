package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1, 1ms",
    "999, 999ms",
    "1000, 1s",
    "1500, 1.5s",
    "100001, 1m40.001s",
    "3600000, 1h0m0s",
    "7200000, 2h0m0s",
    "129600001, 36h0m0.001s",
    "-61000, -1m1s"
  })
  void durations_areThoseOfPromtool(long ms, String text) {
    assertThat(Amounts.duration(ms)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1410, 1.4 KiB",
    "1048576, 1.0 MiB",
    "1099511627776, 1.0 TiB"
  })
  void bytes_haveAUnit(long bytes, String text) {
    assertThat(Amounts.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void time_isRfc3339() {
    assertThat(Amounts.time(1_700_000_000_001L)).isEqualTo("2023-11-14T22:13:20.001Z");
  }

  @Test
  void count_isSingularOrPlural() {
    assertThat(Amounts.count(1, "block")).isEqualTo("1 block");
    assertThat(Amounts.count(0, "block")).isEqualTo("0 blocks");
    assertThat(Amounts.count(2, "series")).isEqualTo("2 series");
  }
}
