package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import java.util.List;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.junit.jupiter.api.Test;

final class TelemetryBrokenTest {
  private static final TelemetryBroken CHECK = new TelemetryBroken();

  private static TelemetryProblem problem(boolean isFault) {
    return new TelemetryProblem("target-gone", "dcgm:9400", List.of(), "Nobody answers.", isFault);
  }

  @Test
  void exporter_gone() {
    var finding = found(CHECK, engine().telemetry(problem(true)).build());
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.8);
    assertThat(finding.scope().instance()).isEqualTo("dcgm:9400");
  }

  @Test
  void layer_neverThere() {
    assertThat(found(CHECK, engine().telemetry(problem(false)).build())).isNull();
    assertThat(found(CHECK, well())).isNull();
  }
}
