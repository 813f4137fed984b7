package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.confidence;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.gateway;
import static org.inferometer.diagnosis.cause.OutsideWorlds.outcomes;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import java.util.Arrays;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class NoTrafficTest {
  private static final NoTraffic CHECK = new NoTraffic();

  private static double[] ending(double before) {
    double[] values = new double[40];
    Arrays.fill(values, 0, 34, before);
    return values;
  }

  private static Worlds stopped(double before) {
    return Worlds.vllm()
        .line("request_rate", 0.7 * before, before, ending(before))
        .line("request_start_rate", 0.7 * before, before, ending(before))
        .line("running", 2 * before, 4 * before, ending(4 * before))
        .reading("waiting", 0, 0);
  }

  @Test
  void requests_stopped() {
    var finding = found(CHECK, stopped(8).build());
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.9);
    assertThat(finding.onsetMs()).isNotNull();
  }

  @Test
  void requests_never() {
    var world =
        Worlds.vllm()
            .reading("request_rate", 0, 0)
            .reading("request_start_rate", 0, 0)
            .reading("running", 0, 0)
            .reading("waiting", 0, 0)
            .build();
    assertThat(confidence(CHECK, world)).isGreaterThan(0.9);
  }

  /** One request in 20 s: a minute without one is chance. */
  @Test
  void requests_few() {
    assertThat(found(CHECK, stopped(0.05).build())).isNull();
  }

  @Test
  void requests_inside() {
    assertThat(found(CHECK, stopped(8).reading("running", 12, 12).build())).isNull();
  }

  /** The last answers ended just now. */
  @Test
  void requests_insideUntilNow() {
    double[] running = new double[40];
    Arrays.fill(running, 0, 39, 4);
    assertThat(confidence(CHECK, stopped(8).line("running", 4, 4, running).build()))
        .isGreaterThan(0.9);
  }

  /** The gateway still has them: they don't reach the engine, which is another matter. */
  @Test
  void gateway_hasRequests() {
    assertThat(found(CHECK, stopped(8).gateway("edge", gateway(0.1, 4, 1)).build())).isNull();
  }

  @Test
  void engine_notMeasured() {
    assertThat(outcomes(CHECK, Worlds.vllm().build()))
        .singleElement()
        .isInstanceOf(Outcome.Unknown.class);
    assertThat(found(CHECK, well())).isNull();
  }
}
