package org.inferometer.simulator.live;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.jspecify.annotations.Nullable;

/**
 * What somebody does to a running fleet, and takes back again; what nobody takes back ends by
 * itself when its time is over. On the simulation's thread.
 */
public final class Injections {
  /** What ended before the latest so many is forgotten. */
  private static final int ENDED_MAX = 200;

  /** A fleet has no use for more at a time. */
  private static final int ACTIVE_MAX = 100;

  /**
   * Something that was done.
   *
   * @param number distinct, rising
   * @param fault null if it was put together by hand
   * @param what was done, in a few words
   * @param on the part that has it; null for all
   * @param startNs when it began, simulated
   * @param endNs when it ended; -1 while it lasts
   * @param problem what couldn't be done of it; null if all could
   */
  public record Told(
      long number,
      @Nullable Fault fault,
      String what,
      @Nullable String on,
      long startNs,
      long endNs,
      @Nullable String problem) {
    public boolean isActive() {
      return endNs < 0;
    }
  }

  private final Fleet fleet;
  private final List<Injection> injections = new ArrayList<>();
  private long numbers;

  public Injections(Fleet fleet) {
    this.fleet = fleet;
  }

  /**
   * Puts a fault in.
   *
   * @param replica that is to have it; null for what the fault itself says
   * @throws IllegalArgumentException if it can't be done; says what was expected
   */
  public Told inject(Fault fault, @Nullable String replica) {
    Scenario scenario = fleet.scenario();
    if (!fault.fits(scenario)) {
      throw new IllegalArgumentException(
          "the fault " + fault.id() + " needs what this scenario hasn't: " + fault.needs());
    }
    if (replica != null && fleet.replicas().stream().noneMatch(r -> r.name().equals(replica))) {
      throw new IllegalArgumentException("there is no replica \"" + replica + "\"");
    }
    return begin(
        new Injection(
            fault, fault.id(), fault.events(scenario, replica), fault.lastsNs(), fleet.now()));
  }

  /**
   * Does one thing.
   *
   * @throws IllegalArgumentException if it can't be done; says what was expected
   */
  public Told inject(Happening happening) {
    return begin(
        new Injection(null, words(happening.action()), List.of(happening), 0, fleet.now()));
  }

  private Told begin(Injection injection) {
    if (injections.stream().filter(Injection::isActive).count() >= ACTIVE_MAX) {
      throw new IllegalArgumentException(
          "expected at most " + ACTIVE_MAX + " at a time; DELETE /faults takes all back");
    }
    injections.add(injection);
    try {
      injection.begin();
    } catch (IllegalArgumentException e) {
      // What of it was done before the rest was refused.
      injection.undo();
      injections.remove(injection);
      throw e;
    }
    forgetOld();
    return injection.told();
  }

  private void forgetOld() {
    int ended = 0;
    for (int i = injections.size() - 1; i >= 0; i--) {
      ended += injections.get(i).isActive() ? 0 : 1;
      if (ended > ENDED_MAX) {
        injections.remove(i);
      }
    }
  }

  /** Takes one back; false if there is none of that number that lasts. */
  public boolean undo(long number) {
    for (Injection injection : List.copyOf(injections)) {
      if (injection.number == number && injection.isActive()) {
        injection.undo();
        return true;
      }
    }
    return false;
  }

  /** Takes back all that last. */
  public void undoAll() {
    List.copyOf(injections).stream().filter(Injection::isActive).forEach(Injection::undo);
  }

  /** All that last and the latest that ended, in the order they were put in. */
  public List<Told> told() {
    return injections.stream().map(Injection::told).toList();
  }

  private static String words(Action action) {
    return switch (action) {
      case Action.Turn turn -> {
        List<String> words = new ArrayList<>();
        turn.knobs().forEach((knob, value) -> words.add(knob.id() + "=" + value));
        yield String.join(" ", words);
      }
      case Action.Restart _ -> "restart";
      case Action.Crash _ -> "crash";
      case Action.Xid xid -> "xid " + xid.code();
      case Action.Route route -> "route " + route.routing();
      case Action.Scale scale -> "scale " + scale.count();
    };
  }

  private static @Nullable String where(List<Happening> events) {
    for (Happening event : events) {
      Target on = event.on();
      if (on.replica() != null) {
        return on.gpu() == null ? on.replica() : on.replica() + "/gpu" + on.gpu();
      }
      if (on.host() != null) {
        return on.host();
      }
      if (on.workload() != null) {
        return on.workload();
      }
    }
    return null;
  }

  /** What makes it as it was; null for what ends by itself or can't be taken back. */
  private @Nullable Action reverse(Action action) {
    return switch (action) {
      case Action.Turn turn -> new Action.Turn(byDefault(turn));
      case Action.Route _ -> {
        Scenario.Gateway gateway = fleet.scenario().fleet().gateway();
        yield gateway == null ? null : new Action.Route(gateway.routing());
      }
      case Action.Restart _, Action.Scale _ -> null;
      case Action.Crash crash -> crash.startsAgain() ? null : new Action.Restart(null, null, false);
      // A GPU that fell off the bus comes back with a restart.
      case Action.Xid _ -> new Action.Restart(null, null, false);
    };
  }

  private static Map<Knob, Double> byDefault(Action.Turn turn) {
    Map<Knob, Double> knobs = new EnumMap<>(Knob.class);
    turn.knobs().keySet().forEach(knob -> knobs.put(knob, knob.byDefault()));
    return knobs;
  }

  /** Those whose end is told by {@code for} here; the fleet ends the others itself. */
  private static boolean isPassing(Action action) {
    return action instanceof Action.Turn || action instanceof Action.Route;
  }

  /** One on its way. */
  private final class Injection {
    private final long number = ++numbers;
    private final @Nullable Fault fault;
    private final String what;
    private final List<Happening> events;
    private final long lastsNs;
    private final long startNs;

    /** What has happened and isn't undone. */
    private final Set<Happening> inForce = new LinkedHashSet<>();

    private long endNs = -1;
    private @Nullable String problem;

    Injection(
        @Nullable Fault fault, String what, List<Happening> events, long lastsNs, long startNs) {
      this.fault = fault;
      this.what = what;
      this.events = events;
      this.lastsNs = lastsNs;
      this.startNs = startNs;
    }

    boolean isActive() {
      return endNs < 0;
    }

    Told told() {
      return new Told(number, fault, what, where(events), startNs, endNs, problem);
    }

    /** What is to be done at once is done, or refused; the rest when its time has come. */
    void begin() {
      long lastNs = 0;
      boolean lasts = false;
      for (Happening event : events) {
        if (event.atNs() == 0) {
          happen(event);
        } else {
          fleet.agenda().in(event.atNs(), () -> happenLater(event));
        }
        long until = event.atNs() + event.forNs();
        if (event.forNs() > 0 && isPassing(event.action())) {
          fleet.agenda().in(until, () -> end(event));
        }
        lasts |= event.forNs() == 0 && reverse(event.action()) != null;
        lastNs = Math.max(lastNs, until);
      }
      long endsNs = Math.max(lastNs, lastsNs);
      if (!lasts || lastsNs > 0) {
        closeAfter(endsNs);
      }
    }

    private void closeAfter(long nanos) {
      if (nanos == 0) {
        close();
      } else {
        fleet.agenda().in(nanos, this::close);
      }
    }

    private void happen(Happening event) {
      fleet.apply(event.action(), event.on(), isPassing(event.action()) ? 0 : event.forNs());
      inForce.add(event);
    }

    private void happenLater(Happening event) {
      if (!isActive()) {
        return;
      }
      try {
        happen(event);
      } catch (IllegalArgumentException e) {
        problem = e.getMessage();
      }
    }

    private void end(Happening event) {
      if (!inForce.remove(event)) {
        return;
      }
      Action reverse = reverse(event.action());
      if (reverse == null) {
        return;
      }
      try {
        fleet.apply(reverse, event.on(), 0);
        goOn();
      } catch (IllegalArgumentException e) {
        // What it was done to is gone.
        problem = e.getMessage();
      }
    }

    private void close() {
      if (isActive()) {
        endNs = fleet.now();
      }
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
        if (injection.isActive() && isPassing(event.action())) {
          fleet.apply(event.action(), event.on(), 0);
        }
      }
    }
  }
}
