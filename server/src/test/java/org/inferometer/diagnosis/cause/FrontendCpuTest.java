package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.HardwareExamined.one;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;

import java.util.Arrays;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class FrontendCpuTest {
  private final FrontendCpu check = new FrontendCpu();

  @Test
  void examine_waitsBeforeTheEngine() {
    verdict(
        check,
        one(
                g -> {},
                r ->
                    r.reading("first_token_rest_mean", 2, 0.03)
                        .reading("ttft_mean", 2.05, 0.08)
                        .reading("process_cpu", 0.98, 0.05))
            .reading("ttft_p95", 4, 0.2));
  }

  @Test
  void examine_imagesOnAnEngineWithoutPhases() {
    verdict(
        check,
        Worlds.sglang()
            .replica(
                "a:8000",
                r ->
                    r.reading("ttft_mean", 30, 0.4)
                        .reading("e2e_mean", 31, 1)
                        .reading("request_rate", 6, 4)
                        .reading("queue_time_mean", 0, 0)
                        .reading("running", 4, 3)
                        .reading("waiting", 0, 0)
                        .reading("tpot_mean", 0.005, 0.005))
            .reading("ttft_p95", 60, 0.5));
  }

  /** Prefill isn't timed, and takes as much longer as there is to compute. */
  @Test
  void examine_longerPromptsOnAnEngineWithoutPhases() {
    assertUnknown(
        check,
        Worlds.sglang()
            .replica(
                "a:8000",
                r ->
                    r.reading("ttft_mean", 2, 0.2)
                        .reading("prompt_length_mean", 6000, 1000)
                        .reading("request_rate", 4, 4)
                        .reading("queue_time_mean", 0, 0)
                        .reading("running", 4, 4)
                        .reading("waiting", 0, 0))
            .reading("prompt_length_mean", 6000, 1000)
            .reading("ttft_p95", 5, 0.5));
  }

  /** Who waits now is told by Little's law; the times are of those that ended, who waited less. */
  @Test
  void examine_queueThatGrows() {
    assertNoVerdict(
        check,
        one(
                g -> {},
                r ->
                    r.reading("ttft_mean", 5, 0.08)
                        .reading("queue_time_mean", 1, 0)
                        .reading("first_token_rest_mean", 3.9, 0.03)
                        .reading("e2e_mean", 9, 4)
                        .reading("request_rate", 6, 6)
                        .reading("waiting", 30, 0))
            .reading("ttft_p95", 9, 0.2));
  }

  private static Worlds withoutPhases(double ttft) {
    return Worlds.sglang()
        .withoutBaseline()
        .replica("a:8000", r -> r.reading("ttft_mean", ttft).reading("queue_time_mean", 0))
        .replica("b:8000", r -> r.reading("ttft_mean", 0.1).reading("tpot_mean", 0.01));
  }

  @Test
  void examine_firstTokenLikeThePeersWithoutPhasesOrBaseline() {
    assertNoVerdict(check, withoutPhases(0.09).reading("ttft_p95", 4));
  }

  @Test
  void examine_queueInTheEngine() {
    assertNoVerdict(
        check,
        one(
                g -> {},
                r ->
                    r.reading("ttft_mean", 5, 0.08)
                        .reading("queue_time_mean", 4.8, 0)
                        .reading("waiting", 30, 0))
            .reading("ttft_p95", 9, 0.2));
  }

  @Test
  void examine_slowerTokeniserWithTimeToSpare() {
    assertNoVerdict(check, one(g -> {}, r -> r.reading("first_token_rest_mean", 0.035, 0.03)));
  }

  /** A baseline that begins with a start: its mean is near nothing, its moments are as now. */
  @Test
  void examine_asEverButForTheStart() {
    assertNoVerdict(
        check,
        one(
            g -> {},
            r ->
                r.line("first_token_rest_mean", 0.3, 0.007, startsLate())
                    .reading("ttft_mean", 0.45, 0.78)));
  }

  /** Few moments of the baseline are known, and those are of the start. */
  @Test
  void examine_asEverThoughMostMomentsAreOfTheStart() {
    double[] rest = startsLate();
    Arrays.fill(rest, 4, 20, Double.NaN);
    assertNoVerdict(
        check,
        one(
            g -> {},
            r ->
                r.line("first_token_rest_mean", 0.3, 0.32, rest).reading("ttft_mean", 0.45, 0.78)));
  }

  private static double[] startsLate() {
    double[] rest = new double[40];
    Arrays.fill(rest, 0.3);
    Arrays.fill(rest, 0, 4, -1.6);
    return rest;
  }

  private static Worlds draining(Happening.Kind kind) {
    long time = Worlds.END_MS - 60_000;
    return one(
            g -> {},
            r -> r.reading("first_token_rest_mean", 0.25, 0.03).reading("ttft_mean", 0.35, 0.17))
        .reading("ttft_p95", 0.9, 0.3)
        .happening(new Happening(time, kind, "a:8000", "", null, null, "It happened."));
  }

  @Test
  void examine_replicaThatEnds() {
    assertNoVerdict(check, draining(Happening.Kind.GONE));
    assertNoVerdict(check, draining(Happening.Kind.RESTART));
    verdict(check, draining(Happening.Kind.CONFIG));
  }

  @Test
  void examine_nothingMeasured() {
    assertUnknown(check, Worlds.vllm().replica("a:8000", r -> {}));
  }
}
