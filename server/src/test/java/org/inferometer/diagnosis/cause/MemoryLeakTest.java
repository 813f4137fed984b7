package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.HardwareExamined.one;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class MemoryLeakTest {
  private final MemoryLeak check = new MemoryLeak();

  private static double[] memory(int from, int to) {
    double[] values = new double[40];
    for (int i = 0; i < values.length; i++) {
      values[i] = 1e9 + 1e8 * Math.max(0, Math.min(i, to) - from);
    }
    return values;
  }

  private static Worlds growing(int from, int to) {
    return one(g -> {}, r -> r.line("process_memory", 2e9, 1e9, memory(from, to)));
  }

  @Test
  void examine_straightLine() {
    assertEquals("a:8000", verdict(check, growing(10, 40)).scope().instance());
  }

  @Test
  void examine_fillsAndStops() {
    assertNoVerdict(check, growing(10, 25));
  }

  private static Worlds growingBy(double bytes, int from) {
    double[] values = new double[40];
    for (int i = 0; i < values.length; i++) {
      values[i] = 4e9 + bytes * Math.max(0, i - from);
    }
    return one(g -> {}, r -> r.line("process_memory", values[39], 4e9, values));
  }

  /** No cache of a front end is as large as all the rest of it. */
  @Test
  void examine_doublesWithinAMinute() {
    assertEquals("a:8000", verdict(check, growingBy(2e9, 34)).scope().instance());
  }

  @Test
  void examine_growsForAMinute() {
    assertNoVerdict(check, growingBy(2e8, 34));
  }

  @Test
  void examine_level() {
    assertNoVerdict(check, one(g -> {}, r -> {}));
  }

  @Test
  void examine_afterAStart() {
    assertNoVerdict(
        check,
        growing(10, 40)
            .happening(
                new Happening(
                    Worlds.START_MS + 100_000,
                    Happening.Kind.RESTART,
                    "a:8000",
                    "",
                    null,
                    null,
                    "It started again.")));
  }

  @Test
  void examine_nothingMeasured() {
    assertUnknown(check, Worlds.vllm().replica("a:8000", r -> {}));
  }
}
