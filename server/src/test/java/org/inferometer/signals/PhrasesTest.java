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
  void whatBucketsLetBeSaidOfAQuantile() {
    double inf = Double.POSITIVE_INFINITY;
    SignalSeries series =
        new SignalSeries(
            Labels.EMPTY,
            new double[] {2, 0.2, 80, Double.NaN},
            new double[] {1, 0, 80, Double.NaN},
            new double[] {2.5, 0.3, inf, Double.NaN},
            null);
    assertThat(series.side(0)).isEqualTo(SignalSeries.Side.WITHIN);
    assertThat(Phrases.reading("seconds", series, 0)).isEqualTo("2 s");
    assertThat(Phrases.readingWithEdges("seconds", series, 0))
        .isEqualTo("2 s (between 1 s and 2.5 s)");
    assertThat(series.side(1)).isEqualTo(SignalSeries.Side.BELOW);
    assertThat(Phrases.readingWithEdges("seconds", series, 1)).isEqualTo("< 300 ms");
    assertThat(series.side(2)).isEqualTo(SignalSeries.Side.ABOVE);
    assertThat(Phrases.readingWithEdges("seconds", series, 2)).isEqualTo("> 80 s");
    assertThat(series.side(3)).isEqualTo(SignalSeries.Side.WITHIN);
    assertThat(Phrases.readingWithEdges("seconds", series, 3)).isEqualTo("unknown");
  }

  @Test
  void boundsWithoutAValue() {
    double[] none = {Double.NaN};
    SignalSeries share =
        new SignalSeries(Labels.EMPTY, none, new double[] {0.6}, new double[] {0.75}, null);
    assertThat(Phrases.reading("ratio", share, 0)).isEqualTo("60 % to 75 %");
    assertThat(Phrases.readingWithEdges("ratio", share, 0)).isEqualTo("60 % to 75 %");
    assertThat(Phrases.reading("count", SignalSeries.of(Labels.EMPTY, new double[] {3}), 0))
        .isEqualTo("3");
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
