package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.alone;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.finding.Finding;
import org.junit.jupiter.api.Test;

final class SpecDecodeLosingTest {
  private final SpecDecodeLosing check = new SpecDecodeLosing();

  @Test
  void examine_draftsAreRejected() {
    Finding finding =
        verdict(
            check,
            well()
                .reading("spec_acceptance_length", 1.1, 2.7)
                .reading("spec_draft_length", 4, 4)
                .reading("tpot_p95", 0.024, 0.0095)
                .reading("tpot_mean", 0.0193, 0.0072)
                .reading("itl_mean", 0.021, 0.019));
    assertTrue(finding.effect().share() > 0, () -> finding.effect().toString());
  }

  @Test
  void examine_noBaseline() {
    verdict(
        check,
        alone()
            .reading("spec_acceptance_length", 1.1)
            .reading("spec_draft_length", 4)
            .reading("tpot_mean", 0.0193)
            .reading("itl_mean", 0.021));
  }

  @Test
  void examine_draftsPay() {
    assertRuledOut(
        check,
        well().reading("spec_acceptance_length", 2.7, 2.7).reading("spec_draft_length", 4, 4));
  }

  @Test
  void examine_noDrafts() {
    assertRuledOut(check, well());
  }
}
