package org.inferometer.diagnosis.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.TargetHistory;
import org.junit.jupiter.api.Test;

/** Twenty minutes in steps of half a minute, of which the last five are judged. */
class TelemetryReaderTest {
  private static final int STEPS = 40;
  private static final long STEP_MS = 30_000;
  private static final Period JUDGED = new Period(900_000, STEPS * STEP_MS);

  private static double[] up(double... last) {
    double[] up = new double[STEPS];
    Arrays.fill(up, 1);
    System.arraycopy(last, 0, up, STEPS - last.length, last.length);
    return up;
  }

  private static List<TelemetryProblem> problems(double[] up) {
    long[] times = new long[STEPS];
    for (int i = 0; i < STEPS; i++) {
      times[i] = (i + 1) * STEP_MS;
    }
    TargetHistory target =
        new TargetHistory(
            "vllm/m", ServiceKind.ENGINE, "engine", "a:8000", times, up, up, up, Map.of());
    TelemetryReader reader =
        new TelemetryReader(Thresholds.builtIn(), Basis.of(JUDGED, null), 15_000);
    reader.targets(List.of(target));
    reader.missed(List.of(target));
    return reader.problems();
  }

  @Test
  void targets_thatAnswer_areNoProblem() {
    assertThat(problems(up())).isEmpty();
  }

  @Test
  void targets_lastScrapeFailed_ofAFlakyOne_isNoFault() {
    double[] flaky = up(0);
    for (int i = 1; i < STEPS; i += 5) {
      flaky[i] = 0;
    }
    assertThat(problems(flaky))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.problem()).isEqualTo("scrapes-missed");
              assertThat(one.isFault()).isFalse();
              assertThat(one.says()).contains("a:8000");
            });
  }

  @Test
  void targets_thatFailInARow_areDown() {
    assertThat(problems(up(0, 0, 0)))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.problem()).isEqualTo("target-down");
              assertThat(one.isFault()).isTrue();
            });
  }

  @Test
  void targets_thatNeverAnswered_areDown() {
    double[] never = new double[STEPS];
    assertThat(problems(never)).extracting(TelemetryProblem::problem).contains("target-down");
  }

  @Test
  void missed_aGapThatIsOver_isSaid() {
    double none = Double.NaN;
    assertThat(problems(up(none, none, none, 1, 1)))
        .extracting(TelemetryProblem::problem)
        .containsExactly("scrapes-missed");
  }

  @Test
  void missed_beforeTheFirstScrape_isNoGap() {
    double[] late = up();
    Arrays.fill(late, 0, STEPS - 4, Double.NaN);
    assertThat(problems(late)).isEmpty();
  }
}
