package org.inferometer.acceptance.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.acceptance.peers.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a process that writes, cuts blocks and compacts; {@code bin/fuzz kill} does it
 * more often.
 */
class KillTest {
  private static final int ROUNDS = 20;
  private static final long SEED = 20261130;

  @Test
  void whatWasAcknowledged_isThereOnce(@TempDir Path folder) throws Exception {
    KillRun run = new KillRun(folder, SEED);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(run.round(i)).as("seed %d", SEED).isEmpty();
    }
    assertThat(run.model().acknowledgedCount()).isGreaterThan(1_000);
    assertThat(Program.run(List.of(Program.installed("promtool"), "tsdb", "list", "" + run.data())))
        .startsWith("exit 0");
  }
}
