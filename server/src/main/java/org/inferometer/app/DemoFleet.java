package org.inferometer.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.inferometer.api.SimulationRoutes;
import org.inferometer.api.SimulationRoutes.Happening;
import org.inferometer.api.SimulationRoutes.Kind;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.live.Injections;
import org.inferometer.simulator.live.LiveFleet;
import org.inferometer.simulator.live.RealTime;
import org.inferometer.simulator.scenario.Causes;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * A simulated fleet as its viewers know it: what can be done to it, what is done, what happened.
 * While its past is made it belongs to one thread; once it is live, it is thread-safe.
 */
final class DemoFleet implements SimulationRoutes.Simulation {
  private static final long LOOK_EVERY_NS = 1_000_000_000;

  /** vLLM's. */
  private static final int ENGINE_PORT = 8000;

  /** What happened before the latest so many is forgotten. */
  private static final int RESTARTS_MAX = 200;

  private final Fleet fleet;
  private final LiveFleet live;
  private final List<Fault> faults;
  private final List<Restart> restarts = new ArrayList<>();
  private final Map<String, Restart> down = new HashMap<>();
  private final Map<String, Integer> starts = new HashMap<>();

  /** What was done to it, by number. */
  private final Map<Long, Times> done = new HashMap<>();

  private volatile boolean isLive;

  /**
   * Times of day; simulated time may stand still for a while, so they are taken when something is
   * first seen.
   */
  private record Times(long startMs, @Nullable Long endMs) {}

  /** A process that ended, and when another one was ready. */
  private record Restart(String replica, long startMs, @Nullable Long endMs) {
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

  DemoFleet(Fleet fleet, LiveFleet live, List<Fault> faults) {
    this.fleet = fleet;
    this.live = live;
    this.faults = List.copyOf(faults);
    look();
  }

  /** From now on it goes on by itself. */
  void begunLive() {
    isLive = true;
  }

  /**
   * What an endpoint is called: by its machine and a port, as in any fleet, so that engines, GPUs
   * and hosts that belong together can be told.
   */
  String instance(Endpoint endpoint) {
    for (Replica replica : fleet.replicas()) {
      if (endpoint.job().equals("engine") && replica.name().equals(endpoint.name())) {
        return replica.host().name() + ":" + port(replica);
      }
    }
    return endpoint.address().replace(".sim:", ":");
  }

  /** Replicas on one machine listen on one port after the other. */
  private int port(Replica replica) {
    String host = replica.host().name();
    int before = 0;
    for (Replica other : fleet.replicas()) {
      if (other.name().equals(replica.name())) {
        break;
      }
      before += other.host().name().equals(host) ? 1 : 0;
    }
    return ENGINE_PORT + before;
  }

  /** What is scraped, where it listens and what it is called. */
  List<DemoConfig.Endpoint> listening() {
    Map<String, Named> named = ask(this::named);
    List<DemoConfig.Endpoint> all = new ArrayList<>();
    for (LiveFleet.Listening one : live.listening()) {
      Named found = named.get(one.job() + " " + one.name());
      if (found != null && one.path() != null) {
        all.add(
            new DemoConfig.Endpoint(
                one.job(), one.path(), one.address(), found.instance(), found.labels()));
      }
    }
    return all;
  }

  /** What an endpoint is called, and what is known of it besides. */
  private record Named(String instance, Map<String, String> labels) {}

  private Map<String, Named> named() {
    Map<String, Named> named = new HashMap<>();
    fleet
        .endpoints()
        .forEach(e -> named.put(e.job() + " " + e.name(), new Named(instance(e), e.labels())));
    return named;
  }

  // -------------------------------------------------------------------- the simulation's thread

  private long timeMs() {
    return timeMs(fleet.now());
  }

  private long timeMs(long ns) {
    return fleet.startMs() + TimeUnit.NANOSECONDS.toMillis(ns + live.time().heldBackNs());
  }

  /** Looks every second what is new. */
  private void look() {
    fleet.replicas().forEach(this::look);
    List<Injections.Told> told = live.injections().told();
    told.forEach(this::look);
    done.keySet().retainAll(told.stream().map(Injections.Told::number).toList());
    fleet.agenda().in(LOOK_EVERY_NS, this::look);
  }

  private void look(Replica replica) {
    String name = replica.name();
    Integer before = starts.put(name, replica.starts());
    boolean isNew = before != null && before != replica.starts();
    if (before != null && (isNew || !replica.isUp()) && !down.containsKey(name)) {
      down.put(name, new Restart(name, timeMs(), null));
    }
    Restart restart = down.get(name);
    if (restart != null && replica.isUp()) {
      down.remove(name);
      restarts.add(new Restart(name, restart.startMs(), timeMs()));
      if (restarts.size() > RESTARTS_MAX) {
        restarts.removeFirst();
      }
    }
  }

  private Times look(Injections.Told told) {
    Times before = done.get(told.number());
    long startMs = before == null ? timeMs(told.startNs()) : before.startMs();
    Long endMs = before == null ? null : before.endMs();
    if (endMs == null && !told.isActive()) {
      endMs = timeMs(told.endNs());
    }
    Times now = new Times(startMs, endMs);
    done.put(told.number(), now);
    return now;
  }

  private SimulationRoutes.View viewNow() {
    Scenario scenario = fleet.scenario();
    List<Happening> happened = new ArrayList<>();
    ofScenario(scenario, happened);
    live.injections().told().forEach(told -> happened.add(happening(told)));
    restarts.forEach(restart -> happened.add(restart.told()));
    down.values().forEach(restart -> happened.add(restart.told()));
    happened.sort(Comparator.comparingLong(Happening::startMs).reversed());
    return new SimulationRoutes.View(
        scenario.name(),
        scenario.title() + ".",
        fleet.seed(),
        fleet.startMs(),
        faults.stream().map(this::fault).toList(),
        happened);
  }

  private void ofScenario(Scenario scenario, List<Happening> happened) {
    Scenario.Truth truth = scenario.truth();
    if (!Causes.isFine(truth.cause()) && fleet.now() >= truth.startNs()) {
      long startMs = fleet.startMs() + TimeUnit.NANOSECONDS.toMillis(truth.startNs());
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

  /** Something that was put together by hand, at the port that controls the fleet, has no fault. */
  private Happening happening(Injections.Told told) {
    Fault fault = told.fault();
    Times times = look(told);
    return new Happening(
        Kind.FAULT,
        fault == null ? told.what() : fault.title(),
        fault == null ? "Put together by hand." : fault.says(),
        fault == null ? null : fault.layer(),
        told.on(),
        times.startMs(),
        times.endMs());
  }

  private SimulationRoutes.Fault fault(Fault fault) {
    Injections.Told told = active(fault);
    return new SimulationRoutes.Fault(
        fault.id(),
        fault.title(),
        fault.says(),
        fault.layer(),
        where(fault),
        TimeUnit.NANOSECONDS.toMillis(fault.lastsNs()),
        told == null ? null : Long.valueOf(look(told).startMs()));
  }

  private Injections.@Nullable Told active(Fault fault) {
    for (Injections.Told told : live.injections().told()) {
      if (told.isActive() && told.fault() != null && told.fault().id().equals(fault.id())) {
        return told;
      }
    }
    return null;
  }

  /** A replica, one of its GPUs, or null for everywhere. */
  private @Nullable String where(Fault fault) {
    for (Scenario.Happening event : fault.events(fleet.scenario(), null)) {
      Scenario.Target on = event.on();
      if (on.replica() != null) {
        return on.gpu() == null ? on.replica() : on.replica() + "/gpu" + on.gpu();
      }
    }
    return null;
  }

  private boolean injectNow(Fault fault) {
    if (active(fault) == null) {
      look(live.injections().inject(fault, null));
    }
    return true;
  }

  private boolean undoNow(Fault fault) {
    Injections.Told told = active(fault);
    if (told != null) {
      live.injections().undo(told.number());
    }
    return true;
  }

  // --------------------------------------------------------------------------------- any thread

  @Override
  public SimulationRoutes.View view() {
    return ask(this::viewNow);
  }

  @Override
  public boolean inject(String id) {
    Fault fault = find(id);
    return fault != null && ask(() -> injectNow(fault));
  }

  @Override
  public boolean undo(String id) {
    Fault fault = find(id);
    return fault != null && ask(() -> undoNow(fault));
  }

  @Override
  public void undoAll() {
    ask(
        () -> {
          live.injections().undoAll();
          return true;
        });
  }

  private @Nullable Fault find(String id) {
    for (Fault fault : faults) {
      if (fault.id().equals(id)) {
        return fault;
      }
    }
    return null;
  }

  /** On the simulation's thread, which is the caller's until it is live. */
  private <T> T ask(Supplier<T> question) {
    if (!isLive) {
      return question.get();
    }
    try {
      return live.time().ask(question::get);
    } catch (RealTime.BusyException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the question was interrupted", e);
    }
  }
}
