package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.yaml.YamlNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every fault does what it says to the demo's fleet, or to another that has what it needs: {@code
 * fault-effects.yaml} has what is to be seen. The runs are some four simulated hours together,
 * which is why this class takes a while.
 */
class FaultEffectsTest {
  private static final String FILE = "fault-effects.yaml";
  private static final Scenarios SCENARIOS = Scenarios.builtIn();
  private static final Faults FAULTS = Faults.builtIn();

  private static Scenario scenario(Fault fault) {
    return Stream.of("demo", "adapters", "speculative", "healthy-pd", "healthy-sglang")
        .map(SCENARIOS::get)
        .filter(fault::fits)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no scenario has what " + fault.id() + " needs"));
  }

  private static Scenario with(Scenario scenario, List<Happening> faults) {
    List<Happening> events = new ArrayList<>(scenario.events());
    for (Happening event : faults) {
      events.add(
          new Happening(Effects.LEAD + event.atNs(), event.forNs(), event.on(), event.action()));
    }
    return new Scenario(
        scenario.name(),
        scenario.title(),
        scenario.durationNs(),
        scenario.fleet(),
        scenario.workloads(),
        events,
        scenario.truth());
  }

  @TestFactory
  Stream<DynamicTest> everyFault_doesWhatItSays() throws IOException {
    YamlNode file = Effects.file(FILE);
    return FAULTS.all().stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.id(),
                    () -> {
                      Scenario scenario = scenario(fault);
                      Effects.of(file, fault.id())
                          .check(with(scenario, fault.events(scenario, null)), List.of());
                    }));
  }

  @Test
  void effects_areOfFaultsThatAreThere() throws IOException {
    assertThat(((YamlNode.Mapping) Effects.file(FILE)).entries())
        .extracting(YamlNode.Entry::key)
        .containsExactlyInAnyOrderElementsOf(FAULTS.all().stream().map(Fault::id).toList());
  }
}
