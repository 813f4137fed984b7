package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.confidence;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.gateway;
import static org.inferometer.diagnosis.cause.OutsideWorlds.replica;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class EngineStuckTest {
  private static final EngineStuck CHECK = new EngineStuck();

  /** The last minutes without a token. */
  private static double[] silent(double before) {
    double[] values = new double[40];
    Arrays.fill(values, 0, 30, before);
    return values;
  }

  private static double[] lasting(double value) {
    double[] values = new double[40];
    Arrays.fill(values, value);
    return values;
  }

  private static Consumer<Worlds.Things> stuck(double running, double waiting, double cpu) {
    return r ->
        r.reading("request_rate", 1, 4)
            .reading("running", running, 16)
            .reading("waiting", waiting, 0)
            .line("output_token_rate", 300, 800, silent(800))
            .line("process_cpu", cpu, 0.2, cpu > 0 ? lasting(cpu) : silent(0.2));
  }

  private static Worlds fleet(Consumer<Worlds.Things> second) {
    return engine(6, 6, 0.1, 4).replica("a:8000", replica()).replica("b:8000", second);
  }

  @Test
  void replica_runsWithoutTokens() {
    var finding =
        found(CHECK, fleet(stuck(12, 0, 0.1)).gateway("edge", gateway(0.1, 4, 0.25)).build());
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.9);
    assertThat(finding.scope().instance()).isEqualTo("b:8000");
    assertThat(finding.onsetMs()).isNotNull();
  }

  /** vLLM issue 39734: nothing runs, requests wait, the cache is free. */
  @Test
  void replica_waitsWithoutRunning() {
    assertThat(confidence(CHECK, fleet(stuck(0, 5, 0.1)).build())).isGreaterThan(0.8);
  }

  @Test
  void replica_idle() {
    assertThat(found(CHECK, fleet(stuck(0, 0, 0.1)).build())).isNull();
  }

  /** Its page stands still: not even its process uses CPU. */
  @Test
  void page_old() {
    assertThat(found(CHECK, fleet(stuck(12, 0, 0)).build())).isNull();
  }

  /** A rate looks back by itself: it was nothing just now, and earlier it tells of before. */
  @Test
  void page_oldSinceAMoment() {
    double[] cpu = new double[40];
    Arrays.fill(cpu, 0, 38, 0.2);
    var world = fleet(stuck(12, 0, 0.1).andThen(r -> r.line("process_cpu", 0.1, 0.2, cpu)));
    assertThat(found(CHECK, world.build())).isNull();
  }

  @Test
  void page_saidToBeFrozen() {
    var world =
        fleet(stuck(12, 0, 0.1))
            .telemetry(new TelemetryProblem("frozen-page", "b:8000", List.of(), "Old.", true))
            .build();
    assertThat(found(CHECK, world)).isNull();
  }

  /** More answers come out than the other replicas tell of, so it serves. */
  @Test
  void answers_comeOut() {
    assertThat(found(CHECK, fleet(stuck(12, 0, 0.1)).gateway("edge", gateway(0.1, 4, 0)).build()))
        .isNull();
  }

  /** One very long prompt: requests are in it for half a minute only. */
  @Test
  void prompt_long() {
    double[] running = new double[40];
    running[38] = 1;
    running[39] = 1;
    var world =
        fleet(
                r ->
                    r.line("running", 0.2, 0.4, running)
                        .reading("waiting", 0, 0)
                        .line("output_token_rate", 3, 5, silent(5)))
            .build();
    assertThat(found(CHECK, world)).isNull();
  }

  @Test
  void replicas_serve() {
    assertThat(found(CHECK, well())).isNull();
  }
}
