package org.inferometer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0s, 0",
    "1ms, 1",
    "90s, 90000",
    "1m30s, 90000",
    "1h0m, 3600000",
    "1y2w3d4h5m6s7ms, 33019506007",
    "9223372036854ms, 9223372036854"
  })
  void duration_isRead(String text, long ms) {
    assertThat(Durations.parseMs(text)).isEqualTo(ms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "s", "-1s", "1.5s", "1s1m", "1s1s", "1x", " 1s", "1s ", "1S", "٣s"})
  void whatIsNoDuration_isRefused(String text) {
    assertThatThrownBy(() -> Durations.parseMs(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a duration such as 15s, 500ms or 1h30m");
  }

  @Test
  void tooLongDuration_isRefused() {
    assertThatThrownBy(() -> Durations.parseMs("293y")).hasMessageContaining("292 years");
    assertThatThrownBy(() -> Durations.parseMs("9999999999999999999y")).hasMessageContaining("292");
  }

  @Test
  void printedDuration_readsBack() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long ms = random.nextLong(1L << random.nextInt(1, 42));
      assertThat(Durations.parseMs(Durations.format(ms))).isEqualTo(ms);
    }
  }

  @ParameterizedTest
  @CsvSource({"15MB, 15728640", "1KiB, 1024", "0, 0", "1.5GB, 1610612736", "1GB1B, 1073741825"})
  void size_isRead(String text, long bytes) {
    assertThat(ByteSizes.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "15", "MB", "-1MB", "1mb", "1MB ", "1XB", "9999999999EB"})
  void whatIsNoSize_isRefused(String text) {
    assertThatThrownBy(() -> ByteSizes.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
