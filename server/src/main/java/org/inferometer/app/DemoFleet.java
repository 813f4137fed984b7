package org.inferometer.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.inferometer.api.SimulationRoutes;
import org.inferometer.api.SimulationRoutes.Happening;
import org.inferometer.api.SimulationRoutes.Kind;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.live.RealTime;
import org.inferometer.simulator.scenario.Causes;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * A simulated fleet as its viewers know it: what can be done to it, what is done, what happened.
 * Its history is made on one thread; once it is live, it is thread-safe.
 */
final class DemoFleet implements SimulationRoutes.Simulation {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** vLLM's. */
  private static final int ENGINE_PORT = 8000;

  /** What has happened before the latest so many is forgotten. */
  private static final int RESTARTS_MAX = 200;

  private final Fleet fleet;
  private final List<Fault> faults;
  private final InjectedFaults injected;
  private final List<Restart> restarts = new ArrayList<>();
  private final Map<String, Restart> down = new HashMap<>();
  private final Map<String, Integer> starts = new HashMap<>();
  private volatile @Nullable Live live;

  /** The clock that goes on by itself. */
  private record Live(RealTime time, WallClock clock) {}

  /** A process that ended, and when another one was ready. */
  private static final class Restart {
    private final String replica;
    private final long startMs;
    private @Nullable Long endMs;

    Restart(String replica, long startMs) {
      this.replica = replica;
      this.startMs = startMs;
    }

    Happening told() {
      return new Happening(
          Kind.RESTART,
          "Restart",
          "The process ended and another one began: its counters begin at 0, its caches are empty.",
          "engine",
          replica,
          startMs,
          endMs);
    }
  }

  DemoFleet(Fleet fleet, List<Fault> faults) {
    this.fleet = fleet;
    this.faults = List.copyOf(faults);
    this.injected =
        new InjectedFaults(
            fleet.scenario(),
            fleet.agenda(),
            (action, on) -> fleet.apply(action, on, 0),
            this::timeMs);
    look();
  }

  /** From now on it goes on by itself. */
  void goLive(RealTime time, WallClock clock) {
    live = new Live(time, clock);
  }

  /**
   * What happens live happens at the time of day; simulated time may have stood still in between.
   */
  private long timeMs() {
    Live now = live;
    return now == null ? fleet.startMs() + fleet.now() / NANOS_PER_MS : now.clock().nowMs();
  }

  /**
   * What an endpoint is called: by its machine and a port, as in any fleet, so that engines, GPUs
   * and hosts that belong together can be told.
   */
  String instance(Endpoint endpoint) {
    if (!endpoint.job().equals("engine")) {
      return endpoint.address();
    }
    for (Replica replica : fleet.replicas()) {
      if (replica.name().equals(endpoint.name())) {
        return replica.host().name() + ".sim:" + port(replica);
      }
    }
    return endpoint.address();
  }

  /** Replicas on one machine listen on one port after the other. */
  private int port(Replica replica) {
    int before = 0;
    for (Replica other : fleet.replicas()) {
      if (other == replica) {
        break;
      }
      before += other.host() == replica.host() ? 1 : 0;
    }
    return ENGINE_PORT + before;
  }

  // -------------------------------------------------------------------- the simulation's thread

  /** Looks every second whose process came and went. */
  private void look() {
    for (Replica replica : fleet.replicas()) {
      look(replica);
    }
    fleet.agenda().in(NANOS_PER_SECOND, this::look);
  }

  private void look(Replica replica) {
    String name = replica.name();
    Integer before = starts.put(name, replica.starts());
    Restart restart = down.get(name);
    boolean isNew = before != null && before != replica.starts();
    if (restart == null && (isNew || !replica.isUp()) && before != null) {
      restart = new Restart(name, timeMs());
      down.put(name, restart);
      restarts.add(restart);
      if (restarts.size() > RESTARTS_MAX) {
        restarts.removeFirst();
      }
    }
    if (restart != null && replica.isUp()) {
      restart.endMs = timeMs();
      down.remove(name);
    }
  }

  private SimulationRoutes.View look(Scenario scenario) {
    List<InjectedFaults.Told> told = injected.told();
    List<Happening> happened = new ArrayList<>();
    ofScenario(scenario, happened);
    told.forEach(one -> happened.add(happening(one)));
    restarts.forEach(one -> happened.add(one.told()));
    happened.sort(Comparator.comparingLong(Happening::startMs).reversed());
    return new SimulationRoutes.View(
        scenario.name(),
        scenario.title() + ".",
        fleet.seed(),
        fleet.startMs(),
        faults.stream().map(fault -> fault(fault, told)).toList(),
        happened);
  }

  private void ofScenario(Scenario scenario, List<Happening> happened) {
    Scenario.Truth truth = scenario.truth();
    if (!Causes.isFine(truth.cause()) && fleet.now() >= truth.startNs()) {
      long startMs = fleet.startMs() + truth.startNs() / NANOS_PER_MS;
      happened.add(
          new Happening(
              Kind.EVENT,
              scenario.title(),
              truth.says(),
              truth.layer(),
              truth.scope(),
              startMs,
              null));
    }
  }

  private static Happening happening(InjectedFaults.Told told) {
    Fault fault = told.fault();
    return new Happening(
        Kind.FAULT,
        fault.title(),
        fault.says(),
        fault.layer(),
        told.on(),
        told.startMs(),
        told.endMs());
  }

  private SimulationRoutes.Fault fault(Fault fault, List<InjectedFaults.Told> told) {
    Long since = null;
    for (InjectedFaults.Told one : told) {
      if (one.fault().id().equals(fault.id()) && one.endMs() == null) {
        since = one.startMs();
      }
    }
    return new SimulationRoutes.Fault(
        fault.id(),
        fault.title(),
        fault.says(),
        fault.layer(),
        InjectedFaults.where(fault, fleet.scenario()),
        fault.lastsNs() / NANOS_PER_MS,
        since);
  }

  // ------------------------------------------------------------------------------- any thread

  @Override
  public SimulationRoutes.View view() {
    return ask(() -> look(fleet.scenario()));
  }

  @Override
  public boolean inject(String id) {
    return with(id, injected::inject);
  }

  @Override
  public boolean undo(String id) {
    return with(id, injected::undo);
  }

  @Override
  public void undoAll() {
    ask(
        () -> {
          injected.undoAll();
          return true;
        });
  }

  private boolean with(String id, Consumer<Fault> does) {
    for (Fault fault : faults) {
      if (fault.id().equals(id)) {
        return ask(
            () -> {
              does.accept(fault);
              return true;
            });
      }
    }
    return false;
  }

  /** On the simulation's thread, which is the caller's until it is live. */
  private <T> T ask(Supplier<T> question) {
    Live now = live;
    if (now == null) {
      return question.get();
    }
    try {
      return now.time().ask(question::get);
    } catch (RealTime.BusyException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the question was interrupted", e);
    }
  }
}
