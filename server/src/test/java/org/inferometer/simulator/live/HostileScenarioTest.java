package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.inferometer.simulator.scenario.Scenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios and injections that can be read and are odd: none of them may end the simulation. */
class HostileScenarioTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String NO_THINKING = "{law: closed, users: 10, think: 0s}";

  private static Scenario scenario(String arrivals, String ofWorkload, String events) {
    return Scenarios.builtIn()
        .read(
            "hostile",
            """
            title: Hostile
            fleet:
              replicas:
                - {name: r, count: 2, release: 0.15.0, model: llama-3.1-8b, gpu: L40S, start: 10s}
            workloads:
              - {name: w, arrivals: %s, prompt: 100, output: 20%s}
            events: [%s]
            truth: {cause: healthy, layer: none, says: "Nothing is wrong."}
            """
                .formatted(arrivals, ofWorkload, events));
  }

  private static Fleet fleet(Scenario scenario) {
    return Fleet.of(scenario, 1, 1_790_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{at: 5s, do: crash, starts_again: false}",
        "{at: 5s, do: scale, count: 0}",
        "{at: 5s, do: restart}",
      })
  void usersWhoDontThink_andAreRefusedAtOnce_dontStopTime(String event) {
    Fleet fleet = fleet(scenario(NO_THINKING, "", event));
    fleet.runUntil(30 * SECOND);
    assertThat(fleet.now()).isEqualTo(30 * SECOND);
    assertThat(fleet.agenda().happened()).isLessThan(100_000);
  }

  @Test
  void usersWhoLeaveAtOnce_dontStopTime() {
    Fleet fleet = fleet(scenario(NO_THINKING, ", cancel: {share: 1, after: 0s}", ""));
    fleet.runUntil(30 * SECOND);
    assertThat(fleet.agenda().happened()).isLessThan(100_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{at: 1s, do: scale, count: 0}, {at: 9s, set: {gpu.clock: 0.5}}, {at: 10s, do: restart}",
        "{at: 1s, do: scale, count: 0, on: {replica: r-1}, for: 5s}",
        "{at: 1s, do: scale, count: 0}, {at: 9s, do: scale, count: 3, on: {replica: r-1}}",
      })
  void eventOnWhatIsGone_endsNothing(String events) {
    Fleet fleet = fleet(scenario("{law: poisson, rate: 2}", "", events));
    fleet.runUntil(30 * SECOND);
    assertThat(fleet.now()).isEqualTo(30 * SECOND);
  }

  @Test
  void scaleOfAReplica_isUndoneThoughTheReplicaIsGone() {
    Fleet fleet =
        fleet(
            scenario(
                "{law: poisson, rate: 2}",
                "",
                "{at: 1s, do: scale, count: 0, on: {replica: r-1}, for: 5s}"));
    fleet.runUntil(30 * SECOND);
    assertThat(fleet.replicas()).hasSize(2).allMatch(Replica::isUp);
  }

  @Test
  void adapterThatNoReplicaHas_isAModelThatIsntThere() {
    Fleet fleet =
        fleet(scenario("{law: constant, rate: 2}", ", adapters: {count: 5, skew: 0}", ""));
    fleet.runUntil(10 * SECOND);
    assertThat(fleet.clients().getFirst().inFlight()).isLessThan(3);
    assertThat(fleet.replicas()).allMatch(one -> one.engines().getFirst().running() == 0);
  }

  @Test
  void knobsOfWhichOneHasNoPart_areNotTurnedAtAll() {
    Scenario scenario = scenario("{law: poisson, rate: 2}", "", "");
    Fleet fleet = fleet(scenario);
    Injections injections = new Injections(fleet);
    Scenario.Happening both =
        Scenarios.readHappening("{set: {workload.rate: 5, gateway.skew: 1}}", scenario);
    assertThatThrownBy(() -> injections.inject(both)).hasMessageContaining("gateway.skew");
    assertThat(injections.told()).isEmpty();
    assertThat(fleet.knobs(Knob.WORKLOAD_RATE.part(), Target.all()))
        .allMatch(knobs -> knobs.get(Knob.WORKLOAD_RATE) == 1);
  }

  @Test
  void anyInjections_inAnyOrder_endNothing() {
    for (long seed = 1; seed <= 3; seed++) {
      List<String> done = new ArrayList<>();
      Scenario scenario = scenario("{law: poisson, rate: 2}", "", "");
      Fleet fleet = fleet(scenario);
      Injections injections = new Injections(fleet);
      Random random = new Random(seed);
      for (int i = 0; i < 40; i++) {
        String event = event(random);
        done.add(event);
        try {
          long number = injections.inject(Scenarios.readHappening(event, scenario)).number();
          injections.undo(number - random.nextInt(4));
        } catch (IllegalArgumentException e) {
          done.add("refused: " + e.getMessage());
        }
        fleet.runUntil(fleet.now() + SECOND);
      }
      injections.undoAll();
      fleet.runUntil(fleet.now() + SECOND);
      assertThat(injections.told())
          .as("seed %d: %s", seed, done)
          .noneMatch(Injections.Told::isActive);
    }
  }

  private static String event(Random random) {
    String on = random.nextInt(3) == 0 ? ", on: {replica: r-" + random.nextInt(2) + "}" : "";
    String passing = random.nextBoolean() ? ", for: 3s" : "";
    Knob[] knobs = Knob.values();
    Knob knob = knobs[random.nextInt(knobs.length)];
    return switch (random.nextInt(8)) {
      case 0 -> "{do: restart" + on + "}";
      case 1 -> "{do: restart, one_by_one: true" + on + "}";
      case 2 -> "{do: crash, starts_again: " + random.nextBoolean() + on + "}";
      case 3 -> "{do: scale, count: " + random.nextInt(4) + on + passing + "}";
      case 4 -> "{do: xid, code: 79" + on + "}";
      default ->
          "{set: {"
              + knob.id()
              + ": "
              + Math.min(20, random.nextBoolean() ? knob.min() : knob.max())
              + "}"
              + passing
              + "}";
    };
  }
}
