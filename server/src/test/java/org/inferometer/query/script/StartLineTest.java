package org.inferometer.query.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StartLineTest {
  @Test
  void offsetsAreExpanded() throws ScriptException {
    StartLine line = StartLine.parse("m{a=\"b\"}@st _ -1m 1s+500msx2 _x2 0 -0ms 1m30sx1");
    assertThat(line.labels().get("a")).isEqualTo("b");
    assertThat(line.offsetsMs())
        .containsExactly(null, -60_000L, 1000L, 1500L, 2000L, null, null, 0L, 0L, 90_000L, 90_000L);
  }

  @Test
  void startsAreOfTheLineBelow() throws ScriptException {
    SeriesLine series = StartLine.parse("m@st _ -1s").on(SeriesLine.parse("m 1 2"));
    assertThat(series.startMs(0, 5000)).isZero();
    assertThat(series.startMs(1, 5000)).isEqualTo(4000);
    assertThat(SeriesLine.parse("m 1 2").startMs(1, 5000)).isZero();
  }

  @Test
  void lineBelowMustFit() throws ScriptException {
    StartLine line = StartLine.parse("m@st _ -1s");
    assertThatThrownBy(() -> line.on(SeriesLine.parse("m 1")))
        .hasMessage("expected below the start times of m a line of it with 2 values, got m with 1");
    assertThatThrownBy(() -> line.on(SeriesLine.parse("n 1 2"))).hasMessageContaining("got n");
    assertThatThrownBy(() -> StartLine.parse("m@st 1q")).hasMessageContaining("got \"1q\"");
    assertThatThrownBy(() -> StartLine.parse("m{@st 1s")).hasMessageContaining("not a metric");
  }

  @Test
  void scriptMayNotEndAfterStartTimes() {
    assertThatThrownBy(
            () -> new ScriptRunner(new LocalEvaluation(() -> 0)).run("t", "load 1m\n  m@st _\n"))
        .hasMessage("t: line 2: expected a series below its start times");
  }
}
