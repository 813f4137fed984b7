package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.confidence;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.gateway;
import static org.inferometer.diagnosis.cause.OutsideWorlds.replica;
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

  /** A replica that starts answers no scrape, and no request either. */
  @Test
  void engine_down() {
    var down = new TelemetryProblem("target-down", "b:8000", List.of(), "Scraping fails.", true);
    var fleet = engine().replica("a:8000", replica()).replica("b:8000", replica()).telemetry(down);
    assertThat(found(CHECK, fleet.gateway("edge", gateway(0.1, 4, 0)).build())).isNull();
  }

  /** More answers come out than engines tell of: it serves, and only its page is missing. */
  @Test
  void engine_servesUnseen() {
    var down = new TelemetryProblem("target-down", "b:8000", List.of(), "Scraping fails.", true);
    var fleet = engine(4, 4, 0.1, 4).replica("a:8000", replica()).replica("b:8000", replica());
    assertThat(confidence(CHECK, fleet.telemetry(down).gateway("edge", gateway(0.1, 4, 0)).build()))
        .isGreaterThan(0.8);
  }

  @Test
  void layer_neverThere() {
    assertThat(found(CHECK, engine().telemetry(problem(false)).build())).isNull();
    assertThat(found(CHECK, well())).isNull();
  }
}
