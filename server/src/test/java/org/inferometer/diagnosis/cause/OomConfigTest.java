package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.one;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class OomConfigTest {
  private final OomConfig check = new OomConfig();

  private static Worlds restarts(double share, int... seconds) {
    Worlds world = one(g -> g.reading("gpu_memory_share", share, 0.9), r -> {});
    for (int second : seconds) {
      long timeMs = Worlds.START_MS + second * 1000L;
      world.happening(
          new Happening(
              timeMs, Happening.Kind.RESTART, "a:8000", "", null, null, "It started again."));
    }
    return world;
  }

  @Test
  void examine_startsAgainAndAgain() {
    assertEquals("a:8000", verdict(check, restarts(0.98, 100, 300, 450)).scope().instance());
  }

  @Test
  void examine_oneRollout() {
    assertNoVerdict(check, restarts(0.98, 300));
  }

  @Test
  void examine_restartsWithMemoryToSpare() {
    assertNoVerdict(check, restarts(0.9, 100, 300, 450));
  }
}
