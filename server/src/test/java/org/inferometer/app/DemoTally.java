package org.inferometer.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.diagnosis.Diagnosis.State;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.ServiceStatus;

/** What was told of one fault of the demo, and after how long. Not thread-safe. */
final class DemoTally {
  /** What goes on. */
  enum Phase {
    BEFORE,
    FAULT,
    AFTER
  }

  private final String id;
  private final String cause;
  private final long everyS;
  private final Map<String, Service> services = new TreeMap<>();

  /** Of one service: seconds by what was told wrongly, in each phase. */
  private static final class Service {
    long toldS = -1;
    long clearS = -1;
    boolean isHeldAfter;
    final Map<Phase, Map<String, Long>> wrong = new TreeMap<>();

    void add(Phase phase, String what, long seconds) {
      wrong.computeIfAbsent(phase, _ -> new LinkedHashMap<>()).merge(what, seconds, Long::sum);
    }
  }

  DemoTally(String id, String cause, long everyS) {
    this.id = id;
    this.cause = cause;
    this.everyS = everyS;
  }

  String cause() {
    return cause;
  }

  /** The letter by which a service is told: it is the engine's. */
  static String initial(String service) {
    return service.substring(0, 1).toUpperCase(Locale.ROOT);
  }

  /** What is told so many seconds after a phase began. */
  void take(Phase phase, long seconds, List<ServiceStatus> statuses) {
    for (ServiceStatus status : statuses) {
      take(
          phase,
          seconds,
          status,
          services.computeIfAbsent(initial(status.service()), _ -> new Service()));
    }
  }

  private void take(Phase phase, long seconds, ServiceStatus status, Service of) {
    boolean isTold = false;
    for (HeldFinding one : status.findings()) {
      isTold |= one.cause().equals(cause);
      if (one.isRoot() && !one.cause().equals(cause)) {
        of.add(phase, one.cause(), everyS);
      }
    }
    isTold |= status.state() == State.NO_TRAFFIC && cause.equals("no-traffic");
    if (phase == Phase.FAULT && isTold && of.toldS < 0) {
      of.toldS = seconds;
    }
    if (status.state() == State.CANNOT_TELL) {
      of.add(phase, "?", everyS);
    }
    boolean isClear = status.state() == State.HEALTHY && status.findings().isEmpty();
    if (phase == Phase.AFTER) {
      of.isHeldAfter |= !isClear;
      of.clearS = isClear ? of.clearS < 0 ? seconds : of.clearS : -1;
    }
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder("%-20s".formatted(id));
    services.forEach((name, of) -> line.append(" | ").append(words(name, of)));
    return line.toString();
  }

  private static String words(String name, Service of) {
    return "%s told %s %s%s clear %s %s"
        .formatted(
            name,
            seconds(of.toldS),
            of.wrong.containsKey(Phase.BEFORE) ? "before " + of.wrong.get(Phase.BEFORE) + " " : "",
            of.wrong.getOrDefault(Phase.FAULT, Map.of()),
            of.isHeldAfter ? seconds(of.clearS) : "0",
            of.wrong.getOrDefault(Phase.AFTER, Map.of()));
  }

  private static String seconds(long seconds) {
    return seconds < 0 ? "-" : Long.toString(seconds);
  }
}
