package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;

import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class DecodeSaturatedTest {
  private final DecodeSaturated check = new DecodeSaturated();

  private static Worlds large() {
    return well()
        .reading("running", 500, 20)
        .reading("tpot_p95", 0.145, 0.024)
        .reading("tpot_mean", 0.096, 0.016);
  }

  private static Worlds more() {
    return large()
        .reading("request_rate", 12, 3)
        .reading("request_start_rate", 12, 3)
        .reading("output_token_rate", 5700, 711);
  }

  @Test
  void examine_largeBatch() {
    verdict(check, more());
  }

  @Test
  void examine_noMoreIsAsked() {
    assertNoVerdict(check, large().reading("running", 100, 60));
  }

  @Test
  void examine_blocksBind() {
    assertNoVerdict(check, more().reading("running", 100, 60).reading("preemption_rate", 3, 0));
  }

  @Test
  void examine_largerBatchAtNearlyThePace() {
    assertRuledOut(
        check,
        well()
            .reading("running", 80, 40)
            .reading("tpot_p95", 0.025, 0.024)
            .reading("tpot_mean", 0.0175, 0.016));
  }
}
