package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  @ParameterizedTest
  @CsvSource({
    "1700000000.5, 1700000000500",
    "now, 1700000000000",
    "now-1h30m, 1699994600000",
    "now-90, 1699999910000",
    "2023-11-14T22:13:20Z, 1700000000000",
    "2023-11-14T23:13:20.25+01:00, 1700000000250"
  })
  void parse_takesTheKnownForms(String text, long expectedMs) {
    assertThat(Times.parseMs("--at", text, NOW_MS)).isEqualTo(expectedMs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "now-", "now+1h", "now-x", "-5", "1e3", "2023-11-14"})
  void parse_refusesTheRest(String text) {
    assertThatThrownBy(() -> Times.parseMs("--at", text, NOW_MS))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("--at: expected ");
  }

  @ParameterizedTest
  @CsvSource({"15, 15000", "0.5, 500", "15s, 15000", "1d2h3m4s5ms, 93784005", "250ms, 250"})
  void duration_takesSecondsAndUnits(String text, long expectedMs) {
    assertThat(Times.durationMs("--step", text)).isEqualTo(expectedMs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "0s", "1s1m", "5 m", "-1s", "x"})
  void duration_refusesTheRest(String text) {
    assertThatThrownBy(() -> Times.durationMs("--step", text))
        .isInstanceOf(CommandException.class)
        .hasMessage("--step: expected a duration such as 15s, 5m or 1h30m; got \"" + text + "\"");
  }
}
