package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final Faults BUILT_IN = Faults.builtIn();
  private static final Scenario DEMO = Scenarios.builtIn().get("demo");

  private static Fault fault(String id) {
    Fault fault = BUILT_IN.find(id);
    if (fault == null) {
      throw new AssertionError("there is no fault " + id);
    }
    return fault;
  }

  @Test
  void faultOfAReplica_isAtTheFirstOfTheMost_orWhereItIsSaid() {
    assertThat(fault("slow-replica").events(DEMO, null))
        .extracting(event -> event.on().replica())
        .containsExactly("qwen-0");
    assertThat(fault("slow-replica").events(DEMO, "sglang"))
        .extracting(event -> event.on().replica())
        .containsExactly("sglang");
  }

  @Test
  void faultOfAGpu_isAtOneGpu_butItsEngineIsTheReplicas() {
    List<Happening> events = fault("hardware-fault").events(DEMO, null);
    assertThat(events).allSatisfy(event -> assertThat(event.on().replica()).isEqualTo("qwen-0"));
    assertThat(events.getFirst().on().gpu()).isZero();
    assertThat(events.getLast().on().gpu()).isNull();
  }

  @Test
  void faultOfTheFleet_isEverywhere() {
    assertThat(fault("power-throttle").events(DEMO, null))
        .extracting(Happening::on)
        .containsExactly(Scenario.Target.all());
  }

  @Test
  void knobs_turnBackWhenTheFaultEnds() {
    Fault fault = fault("hardware-fault");
    Happening stuck = fault.events().getLast();
    assertThat(stuck.atNs() + stuck.forNs()).isEqualTo(fault.lastsNs());
  }

  @Test
  void faultThatWouldDoNothing_isNotOffered() {
    assertThat(BUILT_IN.of(DEMO)).extracting(Fault::id).contains("slow-replica", "kv-exhaustion");
    assertThat(BUILT_IN.of(DEMO))
        .extracting(Fault::id)
        .doesNotContain("adapter-churn", "spec-decode-losing", "kv-transfer-bound");
  }

  @Test
  void everyFault_hasAnEffectThatCanBeTold() {
    assertThat(BUILT_IN.all()).hasSizeGreaterThan(25);
    for (Fault fault : BUILT_IN.all()) {
      assertThat(fault.says()).as(fault.id()).endsWith(".");
      assertThat(fault.cause()).as(fault.id()).isNotEqualTo(Causes.HEALTHY);
      assertThat(fault.layer()).as(fault.id()).isNotEqualTo("none");
    }
  }

  @Test
  void wrongFile_isToldAltogether() {
    String text =
        """
        faults:
          - {id: a, title: b, cause: nothing, layer: engine, says: c, reach: world, events: []}
          - {id: A!, title: b, cause: capacity, layer: cellar, says: c, needs: [luck], events: [{set: {a.b: 1}}]}
        """;
    assertThatThrownBy(() -> Faults.load("f.yaml", text))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("f.yaml:2:")
        .hasMessageContaining("not \"nothing\"")
        .hasMessageContaining("expected one of fleet, replica, gpu, not \"world\"")
        .hasMessageContaining("expected \"events\", what is done")
        .hasMessageContaining("f.yaml:3:")
        .hasMessageContaining("not \"cellar\"")
        .hasMessageContaining("not \"luck\"")
        .hasMessageContaining("there is no knob \"a.b\"");
  }
}
