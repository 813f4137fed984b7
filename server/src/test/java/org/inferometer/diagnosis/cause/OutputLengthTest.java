package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.confidence;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.outcomes;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import java.util.Arrays;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class OutputLengthTest {
  private static final OutputLength CHECK = new OutputLength();

  /** Four times the tokens at 20 ms: 600 more, 12 s more. */
  private static Worlds longer(double e2e, double tpot) {
    return engine(8, 8, 0.1, e2e)
        .reading("output_length_mean", 800, 200)
        .reading("tpot_mean", tpot, 0.02);
  }

  @Test
  void answers_longer() {
    var finding = found(CHECK, longer(16, 0.02).build());
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.9);
    assertThat(finding.effect().without()).isEqualTo(4);
  }

  /** The batch got larger for it, and each token a little slower. */
  @Test
  void answers_longerAndPaceSomewhatSlower() {
    assertThat(confidence(CHECK, longer(20, 0.025).build())).isGreaterThan(0.6);
  }

  /** Tokens take five times as long: that some answers are longer too is beside the point. */
  @Test
  void pace_muchSlower() {
    var world = engine(8, 8, 0.1, 30).reading("output_length_mean", 280, 200).build();
    assertThat(found(CHECK, world)).isNull();
  }

  @Test
  void answers_fewAndLongerByChance() {
    var world =
        longer(16, 0.02)
            .reading("request_rate", 0.02, 0.02)
            .reading("output_length_mean", 420, 200)
            .build();
    assertThat(found(CHECK, world)).isNull();
  }

  /** When traffic stops, the long answers are the last to end. */
  @Test
  void arrivals_stopped() {
    assertThat(confidence(CHECK, longer(16, 0.02).reading("request_start_rate", 0, 8).build()))
        .isLessThan(0.6);
  }

  @Test
  void arrivals_stoppedJustNow() {
    double[] began = new double[40];
    Arrays.fill(began, 0, 39, 8);
    var world = longer(16, 0.02).line("request_start_rate", 7, 8, began).build();
    assertThat(confidence(CHECK, world)).isLessThan(0.6);
  }

  @Test
  void baseline_none() {
    var world =
        Worlds.vllm()
            .reading("output_length_mean", 3000)
            .reading("e2e_mean", 60)
            .withoutBaseline()
            .build();
    assertThat(outcomes(CHECK, world)).singleElement().isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void nothing_longer() {
    assertThat(found(CHECK, well())).isNull();
  }
}
