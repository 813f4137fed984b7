package org.inferometer.check;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Random;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;

/** Pages with bytes changed, cut or repeated: there is a report on each. */
class DamagedPageTest {
  private static final long SEED = 1;
  private static final int ROUNDS = 15;

  @Test
  void damagedPages_areReportedOn() throws IOException {
    Random random = new Random(SEED);
    byte[] page =
        Files.readAllBytes(
            Shared.path("fixtures/metrics/sglang_v0.4-production-metrics_sglang-docs.prom"));
    for (int round = 0; round < ROUNDS; round++) {
      byte[] damaged = page.clone();
      for (int i = 0; i < 30; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      int length = random.nextInt(damaged.length);
      CheckFuzz.check(java.util.Arrays.copyOf(damaged, round % 2 == 0 ? length : damaged.length));
    }
  }
}
