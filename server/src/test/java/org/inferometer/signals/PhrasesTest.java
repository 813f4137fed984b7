package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class PhrasesTest {
  @Test
  void valuesAreRoundedToWhatCanBeKnown() {
    assertThat(Phrases.value("seconds", 0.21346)).isEqualTo("213 ms");
    assertThat(Phrases.value("seconds", 0.0021346)).isEqualTo("2.1 ms");
    assertThat(Phrases.value("seconds", 2.149)).isEqualTo("2.1 s");
    assertThat(Phrases.value("seconds", 0)).isEqualTo("0 ms");
    assertThat(Phrases.value("ratio", 0.9753)).isEqualTo("98 %");
    assertThat(Phrases.value("ratio", 0.0051)).isEqualTo("0.51 %");
    assertThat(Phrases.value("bytes", 1.5 * 1024 * 1024 * 1024)).isEqualTo("1.5 GiB");
    assertThat(Phrases.value("requests", 1)).isEqualTo("1 request");
    assertThat(Phrases.value("requests", 12)).isEqualTo("12 requests");
    assertThat(Phrases.value("requests/s", 1.25)).isEqualTo("1.3 req/s");
    assertThat(Phrases.value("tokens/s", 1234.4)).isEqualTo("1234 tok/s");
    assertThat(Phrases.value("hertz", 1.98e9)).isEqualTo("1980 MHz");
    assertThat(Phrases.value("count", Double.NaN)).isEqualTo("unknown");
  }

  @Test
  void boundsOfAQuantile() {
    assertThat(Phrases.bounds("seconds", 1, 2.5)).isEqualTo(" (between 1 s and 2.5 s)");
    assertThat(Phrases.bounds("seconds", 0, 0.3)).isEqualTo(" (under 300 ms)");
    assertThat(Phrases.bounds("seconds", 80, Double.POSITIVE_INFINITY)).isEqualTo(" (over 80 s)");
    assertThat(Phrases.bounds("seconds", Double.NaN, Double.NaN)).isEmpty();
  }

  @Test
  void titlesInSentences() {
    assertThat(Phrases.inSentence("Time to first token, P95")).isEqualTo("time to first token P95");
    assertThat(Phrases.inSentence("KV cache usage")).isEqualTo("KV cache usage");
  }

  @Test
  void stretchesOfTime() {
    assertThat(Phrases.duration(40_000)).isEqualTo("40 s");
    assertThat(Phrases.duration(300_000)).isEqualTo("5 min");
    assertThat(Phrases.duration(3 * 3_600_000)).isEqualTo("3 h");
    assertThat(Phrases.duration(-5)).isEqualTo("0 s");
  }

  @Test
  void seriesAreNamedByWhatTellsThemApart() {
    assertThat(Phrases.which(Labels.of("gpu", "3", "UUID", "u"))).isEqualTo("GPU 3");
    assertThat(Phrases.which(Labels.of("instance", "a:1"))).isEqualTo("a:1");
    assertThat(Phrases.which(Labels.EMPTY)).isEqualTo("it");
  }
}
