package org.inferometer.app;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.jspecify.annotations.Nullable;

/**
 * The faults that somebody puts into a fleet and takes out of it again; what nobody takes out ends
 * by itself when its time is over. On the simulation's thread.
 */
final class InjectedFaults {
  /** What things are done to. */
  @FunctionalInterface
  interface Patient {
    /** Does something, now and for good. */
    void apply(Action action, Target on);
  }

  /**
   * A fault that was put in.
   *
   * @param on the part that has it; null for all
   * @param endMs null while it lasts
   */
  record Told(Fault fault, @Nullable String on, long startMs, @Nullable Long endMs) {}

  private final Scenario scenario;
  private final Agenda agenda;
  private final Patient patient;
  private final LongSupplier timeMs;
  private final List<Injection> injections = new ArrayList<>();

  /**
   * @param timeMs the time of day
   */
  InjectedFaults(Scenario scenario, Agenda agenda, Patient patient, LongSupplier timeMs) {
    this.scenario = scenario;
    this.agenda = agenda;
    this.patient = patient;
    this.timeMs = timeMs;
  }

  /** Once is enough: of no effect while it lasts. */
  void inject(Fault fault) {
    if (active(fault) == null) {
      Injection injection = new Injection(fault);
      injections.add(injection);
      injection.begin();
    }
  }

  void undo(Fault fault) {
    Injection injection = active(fault);
    if (injection != null) {
      injection.undo();
    }
  }

  void undoAll() {
    List.copyOf(injections).stream().filter(Injection::isActive).forEach(Injection::undo);
  }

  /** All that were put in since the beginning, in that order. */
  List<Told> told() {
    return injections.stream().map(Injection::told).toList();
  }

  private @Nullable Injection active(Fault fault) {
    for (Injection injection : injections) {
      if (injection.isActive() && injection.fault.id().equals(fault.id())) {
        return injection;
      }
    }
    return null;
  }

  /** Where a fault is: a replica, one of its GPUs, or null for everywhere. */
  static @Nullable String where(Fault fault, Scenario scenario) {
    for (Happening event : fault.events(scenario, null)) {
      Target on = event.on();
      if (on.replica() != null) {
        return on.gpu() == null ? on.replica() : on.replica() + "/gpu" + on.gpu();
      }
    }
    return null;
  }

  /** What makes it as it was; null for what can't be undone. */
  private @Nullable Action reverse(Action action) {
    return switch (action) {
      case Action.Turn turn -> new Action.Turn(byDefault(turn));
      case Action.Route _ -> {
        Scenario.Gateway gateway = scenario.fleet().gateway();
        yield gateway == null ? null : new Action.Route(gateway.routing());
      }
      case Action.Restart _, Action.Crash _, Action.Xid _, Action.Scale _ -> null;
    };
  }

  private static Map<Knob, Double> byDefault(Action.Turn turn) {
    Map<Knob, Double> knobs = new EnumMap<>(Knob.class);
    turn.knobs().keySet().forEach(knob -> knobs.put(knob, knob.byDefault()));
    return knobs;
  }

  /** One fault on its way. */
  private final class Injection {
    private final Fault fault;
    private final List<Happening> events;
    private final long startMs;

    /** What has happened and isn't undone. */
    private final Set<Happening> inForce = new LinkedHashSet<>();

    private @Nullable Long endMs;

    Injection(Fault fault) {
      this.fault = fault;
      this.events = fault.events(scenario, null);
      this.startMs = timeMs.getAsLong();
    }

    boolean isActive() {
      return endMs == null;
    }

    Told told() {
      return new Told(fault, where(fault, scenario), startMs, endMs);
    }

    void begin() {
      long lastNs = 0;
      for (Happening event : events) {
        after(event.atNs(), () -> happen(event));
        long endNs = event.atNs() + event.forNs();
        if (event.forNs() > 0) {
          after(endNs, () -> end(event));
        }
        lastNs = Math.max(lastNs, endNs);
      }
      after(Math.max(lastNs, fault.lastsNs()), this::close);
    }

    /** At once if it is now, so that whoever asks next is told. */
    private void after(long nanos, Runnable what) {
      if (nanos == 0) {
        what.run();
      } else {
        agenda.in(nanos, () -> ifActive(what));
      }
    }

    private void ifActive(Runnable what) {
      if (isActive()) {
        what.run();
      }
    }

    private void happen(Happening event) {
      inForce.add(event);
      patient.apply(event.action(), event.on());
    }

    private void end(Happening event) {
      inForce.remove(event);
      Action reverse = reverse(event.action());
      if (reverse != null) {
        patient.apply(reverse, event.on());
        goOn();
      }
    }

    private void close() {
      endMs = timeMs.getAsLong();
    }

    void undo() {
      close();
      List.copyOf(inForce).forEach(this::end);
    }
  }

  /** Others may have turned the same knobs: what they did is in force again. */
  private void goOn() {
    for (Injection injection : injections) {
      for (Happening event : injection.inForce) {
        if (reverse(event.action()) != null) {
          patient.apply(event.action(), event.on());
        }
      }
    }
  }
}
