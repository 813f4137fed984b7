package org.inferometer.diagnosis.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.signals.Layer;
import org.inferometer.signals.Quality;
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

  private static long[] times() {
    long[] times = new long[STEPS];
    for (int i = 0; i < STEPS; i++) {
      times[i] = (i + 1) * STEP_MS;
    }
    return times;
  }

  private static List<TelemetryProblem> problems(double[] up) {
    TargetHistory target =
        new TargetHistory(
            "vllm/m", ServiceKind.ENGINE, "engine", "a:8000", times(), up, up, up, Map.of());
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

  @Test
  void vanished_aShortPageWithoutTheEnginesNumbers_isAFault() {
    assertThat(vanished(20, Double.NaN))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.problem()).isEqualTo("metrics-gone");
              assertThat(one.target()).isEqualTo("a:8000");
              assertThat(one.isFault()).isTrue();
            });
  }

  @Test
  void vanished_aShortPageWithTheEnginesNumbers_isNone() {
    assertThat(vanished(20, 0)).as("as after a start").isEmpty();
  }

  @Test
  void vanished_aWholePageOfAnotherRelease_isNone() {
    assertThat(vanished(90, Double.NaN)).isEmpty();
  }

  /**
   * A replica whose page had 100 samples and that ran 3 requests.
   *
   * @param samples what its page has for two minutes
   * @param running what it tells to run since then
   */
  private static List<TelemetryProblem> vanished(double samples, double running) {
    double[] pages = new double[STEPS];
    double[] requests = new double[STEPS];
    Arrays.fill(pages, 100);
    Arrays.fill(requests, 3);
    Arrays.fill(pages, STEPS - 4, STEPS, samples);
    Arrays.fill(requests, STEPS - 4, STEPS, running);
    TargetHistory target =
        new TargetHistory(
            "vllm/m", ServiceKind.ENGINE, "engine", "a:8000", times(), up(), up(), pages, Map.of());
    ReplicaWorld replica =
        new ReplicaWorld(
            "a:8000",
            "engine",
            null,
            1,
            new Readings(Map.of("running", running(requests))),
            List.of(),
            null,
            Map.of());
    TelemetryReader reader =
        new TelemetryReader(Thresholds.builtIn(), Basis.of(JUDGED, null), 15_000);
    reader.vanished(List.of(target), List.of(replica));
    return reader.problems();
  }

  private static double[] ending(double before, double... last) {
    double[] values = new double[STEPS];
    Arrays.fill(values, before);
    System.arraycopy(last, 0, values, STEPS - last.length, last.length);
    return values;
  }

  /** What is told of a replica whose counts stand still since two minutes. */
  private static List<TelemetryProblem> frozen(double[] running, double[] cpu) {
    Map<String, Reading> readings =
        Map.of(
            "running",
            running(running),
            "process_cpu",
            reading("process_cpu", "cores", cpu),
            "output_token_rate",
            reading("output_token_rate", "tokens/s", ending(700, 0, 0, 0, 0)),
            "request_rate",
            reading("request_rate", "requests/s", ending(3, 0, 0, 0, 0)));
    ReplicaWorld replica =
        new ReplicaWorld(
            "a:8000", "engine", null, 1, new Readings(readings), List.of(), null, Map.of());
    TelemetryReader reader =
        new TelemetryReader(Thresholds.builtIn(), Basis.of(JUDGED, null), 15_000);
    reader.frozen(replica, List.of(), 2);
    return reader.problems();
  }

  /** A rate looks back by itself: with its newest value it has stood still for long. */
  @Test
  void frozen_aPageOnWhichNothingMovesAnyMore_isAFault() {
    assertThat(frozen(ending(3), ending(0.2, 0.1, 0)))
        .extracting(TelemetryProblem::problem)
        .containsExactly("frozen");
  }

  @Test
  void frozen_aProcessThatIsAtWork_isNone() {
    assertThat(frozen(ending(3), ending(0.2))).isEmpty();
  }

  @Test
  void frozen_anEngineWithNothingToDo_isNone() {
    assertThat(frozen(ending(3, 0, 0, 0), ending(0.2, 0.1, 0))).isEmpty();
  }

  private static Reading running(double[] values) {
    return reading("running", "requests", values);
  }

  private static Reading reading(String signal, String unit, double[] values) {
    return new Reading(
        signal,
        signal,
        unit,
        Layer.ENGINE,
        Quality.EXACT,
        null,
        "q",
        3,
        Double.NaN,
        Double.NaN,
        3,
        3,
        3,
        times(),
        values,
        null,
        Reading.Detail.NONE);
  }

  @Test
  void frozen_aStillPageWhileManyAnswersComeOut_isAFault() {
    assertThat(frozen(4, 2)).extracting(TelemetryProblem::problem).containsExactly("frozen");
  }

  @Test
  void frozen_idleByNightWhileAnotherReplicaAnswers_isNone() {
    assertThat(frozen(0.05, 2)).as("three a minute may all be the other's").isEmpty();
    assertThat(frozen(0.05, 1)).as("there is no other").hasSize(1);
  }

  /**
   * A replica that served two requests a second and has stood still for two minutes, even the CPU
   * time of its process.
   *
   * @param answers that come out of the gateway in a second
   * @param replicas how many there are behind it
   */
  private static List<TelemetryProblem> frozen(double answers, int replicas) {
    Map<String, Reading> readings = new LinkedHashMap<>();
    for (String rate : List.of("request_rate", "output_token_rate", "process_cpu")) {
      readings.put(rate, falling(rate, 2, 0));
    }
    readings.put("running", falling("running", 0, 0));
    ReplicaWorld replica =
        new ReplicaWorld("a:8000", "engine", null, 1, new Readings(readings), List.of(), null);
    Readings outside =
        new Readings(Map.of("completed_rate", falling("completed_rate", 4, answers)));
    EdgeWorld edge = new EdgeWorld("edge", "edge", EdgeWorld.Vantage.GATEWAY, outside);
    TelemetryReader reader =
        new TelemetryReader(Thresholds.builtIn(), Basis.of(JUDGED, new Period(0, 900_000)), 15_000);
    reader.frozen(replica, List.of(edge), replicas);
    return reader.problems();
  }

  /** A signal that has been another for two minutes. */
  private static Reading falling(String signal, double before, double now) {
    double[] values = new double[STEPS];
    Arrays.fill(values, before);
    Arrays.fill(values, STEPS - 4, STEPS, now);
    return new Reading(
        signal,
        signal,
        "",
        Layer.ENGINE,
        Quality.EXACT,
        null,
        "q",
        now,
        Double.NaN,
        Double.NaN,
        before,
        now,
        before,
        times(),
        values,
        null);
  }
}
