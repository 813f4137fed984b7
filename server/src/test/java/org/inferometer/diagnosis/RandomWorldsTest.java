package org.inferometer.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.junit.jupiter.api.Test;

class RandomWorldsTest {
  @Test
  void diagnosis_ofWorldsThatNoEngineMakes() {
    for (long seed = 0; seed < 60; seed++) {
      diagnose(seed, 4);
    }
  }

  @Test
  void diagnosis_ofManyReplicas() {
    diagnose(1_004, 200);
  }

  private static void diagnose(long seed, int most) {
    String which = "seed " + seed;
    ServiceWorld world = new RandomWorlds(seed).next(most);
    Diagnosis diagnosis = of(world, which);
    for (Verdict verdict : diagnosis.verdicts()) {
      Finding finding = verdict.finding();
      assertFalse(finding.evidence().isEmpty(), which + ": " + verdict.cause());
      assertTrue(
          finding.confidence() > 0 && finding.confidence() <= 1, which + ": " + verdict.cause());
    }
    assertFalse(diagnosis.summary().isBlank(), which);
    assertEquals(diagnosis.summary(), of(world, which).summary(), which);
  }

  private static Diagnosis of(ServiceWorld world, String which) {
    try {
      return new ServiceDiagnosis(world, Thresholds.builtIn()).by(Checks.ALL);
    } catch (RuntimeException e) {
      throw new AssertionError(which, e);
    }
  }
}
