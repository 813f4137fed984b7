package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Faults;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.junit.jupiter.api.Test;

class InjectedFaultsTest {
  private static final long SECOND = 1_000_000_000;
  private static final Scenario DEMO = Scenarios.builtIn().get(DemoPlan.OWN);

  private final Agenda agenda = new Agenda();
  private final Map<Knob, Double> knobs = new EnumMap<>(Knob.class);
  private Scenario.Routing routing = routingOfDemo();
  private int actions;
  private final InjectedFaults injected =
      new InjectedFaults(DEMO, agenda, (action, on) -> apply(action), this::timeMs);

  private static Scenario.Routing routingOfDemo() {
    return Objects.requireNonNull(DEMO.fleet().gateway()).routing();
  }

  private void apply(Action action) {
    actions++;
    switch (action) {
      case Action.Turn turn -> knobs.putAll(turn.knobs());
      case Action.Route route -> routing = route.routing();
      default -> {}
    }
  }

  private long timeMs() {
    return agenda.now() / 1_000_000;
  }

  private static Fault fault(String id) {
    return Objects.requireNonNull(Faults.builtIn().find(id));
  }

  private double knob(Knob knob) {
    return knobs.getOrDefault(knob, knob.byDefault());
  }

  @Test
  void fault_endsByItselfWhenItsTimeIsOver() {
    Fault load = fault("load-spike");
    agenda.runUntil(7 * SECOND);
    injected.inject(load);
    assertThat(knob(Knob.WORKLOAD_RATE)).isEqualTo(4);
    assertThat(injected.told())
        .containsExactly(new InjectedFaults.Told(load, null, 7_000, null));
    agenda.runUntil(7 * SECOND + load.lastsNs());
    assertThat(knob(Knob.WORKLOAD_RATE)).isEqualTo(1);
    assertThat(injected.told().getFirst().endMs()).isEqualTo(7_000 + load.lastsNs() / 1_000_000);
  }

  @Test
  void faultUndone_canBePutInAgainAndTheOldEndDoesNothing() {
    Fault load = fault("load-spike");
    injected.inject(load);
    agenda.runUntil(load.lastsNs() / 2);
    injected.undo(load);
    assertThat(knob(Knob.WORKLOAD_RATE)).isEqualTo(1);
    injected.inject(load);
    agenda.runUntil(load.lastsNs() + SECOND);
    assertThat(knob(Knob.WORKLOAD_RATE)).as("the second one lasts").isEqualTo(4);
    assertThat(injected.told()).extracting(InjectedFaults.Told::endMs).hasSize(2).last().isNull();
  }

  @Test
  void faultPutInTwice_isOne() {
    injected.inject(fault("load-spike"));
    int once = actions;
    injected.inject(fault("load-spike"));
    assertThat(actions).isEqualTo(once);
    assertThat(injected.told()).hasSize(1);
  }

  @Test
  void knobsThatTwoTurn_stayTurnedWhileOneLasts() {
    injected.inject(fault("gateway-buffering"));
    injected.inject(fault("gateway-timeout"));
    injected.undo(fault("gateway-timeout"));
    assertThat(knob(Knob.GATEWAY_TIMEOUT)).isEqualTo(Knob.GATEWAY_TIMEOUT.byDefault());
    assertThat(knob(Knob.GATEWAY_BUFFERING)).as("the other one's").isEqualTo(1);
    injected.undoAll();
    assertThat(knob(Knob.GATEWAY_BUFFERING)).isEqualTo(Knob.GATEWAY_BUFFERING.byDefault());
  }

  @Test
  void routing_becomesTheGatewaysOwnAgain() {
    injected.inject(fault("routing-loss"));
    assertThat(routing).isEqualTo(Scenario.Routing.RANDOM);
    injected.undoAll();
    assertThat(routing).isEqualTo(routingOfDemo());
  }

  @Test
  void laterEvents_comeInTheirTimeAndNotAfterTheyAreUndone() {
    injected.inject(fault("hardware-fault"));
    agenda.runUntil(30 * SECOND);
    int soFar = actions;
    assertThat(knob(Knob.GPU_ECC)).isPositive();
    injected.undoAll();
    assertThat(knob(Knob.GPU_ECC)).isZero();
    agenda.runUntil(600 * SECOND);
    assertThat(actions).as("one action: the reverse").isEqualTo(soFar + 1);
    assertThat(knob(Knob.ENGINE_STUCK)).isZero();
  }

  @Test
  void restart_isAMoment() {
    Fault restart = fault("cold-start");
    injected.inject(restart);
    agenda.runUntil(SECOND);
    assertThat(injected.told())
        .containsExactly(
            new InjectedFaults.Told(restart, InjectedFaults.where(restart, DEMO), 0, 0L));
    assertThat(InjectedFaults.where(restart, DEMO)).startsWith("qwen-");
  }

  @Test
  void everyFaultOfTheDemo_leavesTheFleetAsItWas() {
    for (Fault fault : Faults.builtIn().of(DEMO)) {
      injected.inject(fault);
    }
    agenda.runUntil(agenda.now() + 90 * SECOND);
    injected.undoAll();
    knobs.forEach((knob, value) -> assertThat(value).as(knob.id()).isEqualTo(knob.byDefault()));
    assertThat(knobs).hasSizeGreaterThan(15);
    assertThat(routing).isEqualTo(routingOfDemo());
  }
}
