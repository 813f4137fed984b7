package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.simulator.scenario.Effects.Effect;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.yaml.YamlNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario does what it says: {@code effects.yaml} has what is to be seen before and after
 * its start. Scenarios run in a short form, with three healthy minutes in place of eight and the
 * rest cut after what is looked at; all of them together are some ten simulated hours, which is why
 * this class takes more than half a minute.
 */
class ScenarioEffectsTest {
  private static final String FILE = "effects.yaml";
  private static final String HEALTHY = "every-healthy-one";
  private static final Scenarios SCENARIOS = Scenarios.builtIn();

  /** When what a scenario is about begins; a twin's is when something is done to it. */
  private static long pivot(Scenario scenario) {
    long start = scenario.truth().startNs();
    return start > 0
        ? start
        : scenario.events().stream()
            .mapToLong(Happening::atNs)
            .filter(at -> at > 0)
            .min()
            .orElse(Effects.LEAD);
  }

  /** The same with a shorter time before anything happens. */
  private static Scenario shortened(Scenario scenario) {
    long pivot = pivot(scenario);
    long cut = pivot - Effects.LEAD;
    List<Happening> events = new ArrayList<>();
    for (Happening event : scenario.events()) {
      boolean isBefore = event.atNs() < pivot;
      boolean endsThen = event.atNs() + event.forNs() == pivot;
      events.add(
          new Happening(
              isBefore ? event.atNs() : event.atNs() - cut,
              isBefore && endsThen ? event.forNs() - cut : event.forNs(),
              event.on(),
              event.action()));
    }
    return new Scenario(
        scenario.name(),
        scenario.title(),
        scenario.durationNs() - cut,
        scenario.fleet(),
        scenario.workloads(),
        events,
        scenario.truth());
  }

  @TestFactory
  Stream<DynamicTest> everyScenario_doesWhatItSays() throws IOException {
    YamlNode file = Effects.file(FILE);
    List<Effect> fine = Effects.of(file, HEALTHY).effects();
    return SCENARIOS.names().stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      Scenario scenario = SCENARIOS.get(name);
                      boolean isHealthy = scenario.truth().cause().equals(Causes.HEALTHY);
                      Effects.of(file, name)
                          .check(shortened(scenario), isHealthy ? fine : List.of());
                    }));
  }

  @Test
  void effects_areOfScenariosThatAreThere() throws IOException {
    List<String> names = new ArrayList<>(SCENARIOS.names());
    names.add(HEALTHY);
    assertThat(((YamlNode.Mapping) Effects.file(FILE)).entries())
        .extracting(YamlNode.Entry::key)
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void everyFault_isComparedWithTheTimeBefore() throws IOException {
    YamlNode file = Effects.file(FILE);
    for (Scenarios.Entry entry : SCENARIOS.entries()) {
      if (!entry.cause().equals(Causes.HEALTHY)) {
        assertThat(Effects.of(file, entry.name()).effects())
            .as(entry.name())
            .anyMatch(effect -> !effect.before().isEmpty() || !effect.ratio().isEmpty());
      }
    }
  }
}
