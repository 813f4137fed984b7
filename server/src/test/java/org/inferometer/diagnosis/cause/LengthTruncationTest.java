package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.confidence;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class LengthTruncationTest {
  private static final LengthTruncation CHECK = new LengthTruncation();

  @Test
  void answers_cutAndShorter() {
    var world =
        engine().reading("length_share", 0.9, 0.01).reading("output_length_mean", 45, 200).build();
    assertThat(confidence(CHECK, world)).isGreaterThan(0.9);
  }

  /** Answers that run on until they meet the limit: the limit isn't what changed. */
  @Test
  void answers_cutAndLonger() {
    var world =
        engine().reading("length_share", 0.5, 0.01).reading("output_length_mean", 900, 200).build();
    assertThat(confidence(CHECK, world)).isLessThan(0.6);
  }

  @Test
  void answers_alwaysCut() {
    var world = engine().reading("length_share", 0.9, 0.9).build();
    assertThat(found(CHECK, world)).isNull();
    assertThat(confidence(CHECK, Worlds.vllm().reading("length_share", 0.9).build()))
        .isLessThan(0.6);
  }

  @Test
  void answers_shortByNature() {
    assertThat(found(CHECK, well())).isNull();
  }
}
