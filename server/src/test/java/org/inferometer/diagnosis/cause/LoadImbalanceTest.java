package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.three;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class LoadImbalanceTest {
  private final LoadImbalance check = new LoadImbalance();

  private static void overloaded(Worlds.Things replica) {
    replica
        .reading("request_start_rate", 9, 3)
        .reading("output_token_rate", 1800, 700)
        .reading("running", 48, 12)
        .reading("waiting", 200, 0)
        .reading("ttft_mean", 20, 0.08);
  }

  @Test
  void examine_oneQueuesWhileOthersIdle() {
    assertEquals(
        "a:8000", verdict(check, three(g -> {}, LoadImbalanceTest::overloaded)).scope().instance());
  }

  @Test
  void examine_unevenAndNobodyWaits() {
    assertNoVerdict(
        check,
        three(
            g -> {},
            r ->
                r.reading("request_start_rate", 6, 6)
                    .reading("output_token_rate", 1400, 1400)
                    .reading("running", 25, 25)));
  }

  @Test
  void examine_slowReplicaHoldsMore() {
    assertNoVerdict(
        check, three(g -> {}, r -> r.reading("running", 40, 12).reading("waiting", 5, 0)));
  }

  @Test
  void examine_stuckReplicaMakesNothing() {
    assertNoVerdict(
        check,
        three(
            g -> {},
            r -> {
              overloaded(r);
              r.reading("output_token_rate", 0, 700);
            }));
  }
}
