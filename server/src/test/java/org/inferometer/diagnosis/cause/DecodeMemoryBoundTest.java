package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.EngineExamined.onH100;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class DecodeMemoryBoundTest {
  private final DecodeMemoryBound check = new DecodeMemoryBound();

  private static Worlds longContexts() {
    return well()
        .reading("prompt_length_mean", 15_000, 1400)
        .reading("cached_prompt_share", 0.95, 0.7)
        .reading("running", 20, 11)
        .reading("tpot_p95", 0.045, 0.024)
        .reading("tpot_mean", 0.034, 0.016);
  }

  @Test
  void examine_longContexts() {
    Finding finding = verdict(check, onH100(longContexts(), 0.05, 0.7));
    assertTrue(finding.effect().share() > 0.3, () -> finding.effect().toString());
  }

  @Test
  void examine_noGpus() {
    assertUnknown(check, longContexts());
  }

  @Test
  void examine_contextsAsBefore() {
    assertNoVerdict(
        check,
        onH100(
            well().reading("tpot_p95", 0.045, 0.024).reading("tpot_mean", 0.034, 0.016),
            0.03,
            0.4));
  }

  /** Contexts grew, and a token takes longer by far more than reading them does. */
  @Test
  void examine_longContextsThatExplainLittle() {
    assertNoVerdict(
        check,
        onH100(
            longContexts()
                .reading("prompt_length_mean", 6000, 3000)
                .reading("tpot_p95", 0.09, 0.024)
                .reading("tpot_mean", 0.05, 0.016),
            0.05,
            0.7));
  }

  @Test
  void examine_aTokenIsFast() {
    assertRuledOut(check, onH100(well(), 0.05, 0.75));
  }

  @Test
  void examine_largeBatch() {
    assertRuledOut(check, onH100(longContexts().reading("running", 400, 11), 0.4, 0.5));
  }

  @Test
  void examine_busyWithNextToNothing_somebodyWaits() {
    Worlds world =
        onH100(well().reading("running", 2, 2), 0.04, 0.88)
            .gateway("edge", g -> g.reading("ttft_p95", 8, 0.5).reading("ttft_mean", 4, 0.3));
    verdict(check, world);
  }

  /** Contexts three times as long, but of a batch as small as this they take a millisecond. */
  @Test
  void examine_slowerByMoreThanIsRead() {
    assertNoVerdict(
        check,
        onH100(
            well()
                .reading("prompt_length_mean", 3500, 1400)
                .reading("running", 24, 11)
                .reading("tpot_p95", 0.05, 0.024)
                .reading("tpot_mean", 0.034, 0.016),
            0.05,
            0.7));
  }
}
