package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.scenario.Scenarios;
import org.junit.jupiter.api.Test;

class FleetApisTest {
  private static Fleet fleet(String scenario) {
    return Fleet.of(Scenarios.builtIn().get(scenario), 1, 0);
  }

  @Test
  void replicaWithAdapters_offersThemAsModels() {
    Fleet fleet = fleet("adapters");
    List<ModelCard> models = FleetApis.of(fleet, fleet.replicas().getFirst()).models();
    assertThat(models).hasSizeGreaterThan(2);
    assertThat(models.getFirst().parent()).isNull();
    assertThat(models.get(1).id()).isEqualTo("adapter-0");
    assertThat(models.get(1).parent()).isEqualTo(models.getFirst().id());
    assertThat(FleetApis.ofEntry(fleet).models()).isEqualTo(models);
  }

  @Test
  void replicaWithout_offersItsModelAlone() {
    Fleet fleet = fleet("healthy");
    assertThat(FleetApis.of(fleet, fleet.replicas().getFirst()).models()).hasSize(1);
    assertThat(FleetApis.ofEntry(fleet).models()).hasSize(1);
  }
}
