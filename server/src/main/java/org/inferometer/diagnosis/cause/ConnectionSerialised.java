package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.number;
import static org.inferometer.diagnosis.cause.OutsideEvidence.seconds;
import static org.inferometer.diagnosis.cause.OutsideEvidence.share;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.jspecify.annotations.Nullable;

/**
 * Requests wait before the engine for one of too few connections, while the engine has slots to
 * spare: it runs as many as there are connections, and nothing waits in it.
 */
public final class ConnectionSerialised implements Check {
  @Override
  public String cause() {
    return "connection-serialised";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EdgeWorld edge = edge(service, thresholds);
    if (edge == null) {
      return List.of(new Argument(cause()).needsKnown(false, "ttft_mean").over());
    }
    return List.of(at(edge, service, thresholds));
  }

  /** The gateway that measures most lost time; clients only where no gateway measures any. */
  private static @Nullable EdgeWorld edge(ServiceWorld service, Thresholds thresholds) {
    EdgeWorld found = null;
    double most = Double.NEGATIVE_INFINITY;
    List<EdgeWorld> edges = new ArrayList<>(service.gateways());
    edges.addAll(service.clients());
    for (EdgeWorld edge : edges) {
      boolean isHidden =
          found != null
              && edge.vantage() == EdgeWorld.Vantage.CLIENT
              && found.vantage() == EdgeWorld.Vantage.GATEWAY;
      double lost = lost(edge, service, thresholds);
      if (!isHidden && lost > most) {
        found = edge;
        most = lost;
      }
    }
    return found;
  }

  private static double lost(EdgeWorld edge, ServiceWorld service, Thresholds thresholds) {
    return OutsideGap.toEngines(service, edge, thresholds).seconds();
  }

  private Outcome at(EdgeWorld edge, ServiceWorld service, Thresholds thresholds) {
    OutsideGap gap = OutsideGap.toEngines(service, edge, thresholds);
    double least = thresholds.get("outside_wait_seconds");
    Argument argument = new Argument(cause());
    argument.needsKnown(!Double.isNaN(gap.seconds()), "ttft_mean");
    if (argument.isOver()) {
      return argument.over();
    }
    boolean isWait = gap.seconds() >= least || isNew(edge, gap, service, thresholds);
    argument.needs(
        isWait && gap.share() >= thresholds.get("outside_wait_share"),
        Strength.MODERATE,
        OutsideEvidence.computed(
            edge,
            "time_outside",
            gap.seconds(),
            "seconds",
            least,
            "Of "
                + seconds(Double.isNaN(gap.outerTtft()) ? gap.outerE2e() : gap.outerTtft())
                + " at the "
                + OutsideEvidence.subject(edge)
                + ", "
                + seconds(Math.max(0, gap.seconds()))
                + " pass before the engine."));
    if (!argument.isOver()) {
      engineWaits(argument, gap, service, thresholds);
      ownQueue(argument, edge, gap, service, thresholds);
      pinned(argument, service, thresholds);
    }
    double value = Double.isNaN(gap.outerTtft()) ? gap.outerE2e() : gap.outerTtft();
    String signal = Double.isNaN(gap.outerTtft()) ? "e2e_mean" : "ttft_mean";
    Effect effect =
        new Effect(
            signal,
            gap.share(),
            value,
            value - gap.seconds(),
            "With enough connections requests would reach the engine at once; it has room, so its"
                + " own time is taken to stay as it is.");
    return argument.conclude(
        service,
        edge.vantage() == EdgeWorld.Vantage.GATEWAY ? edge.name() : null,
        null,
        effect,
        "Requests wait "
            + seconds(gap.seconds())
            + " before the engine, which has nothing waiting and runs "
            + number(OutsideLine.recent(service.get("running"), service.window(), span(thresholds)))
            + ".",
        OutsideLine.onset(edge.get(signal), service.window(), value));
  }

  /** A way doesn't get longer: what is lost beyond what was lost before isn't a distance. */
  private static boolean isNew(
      EdgeWorld edge, OutsideGap gap, ServiceWorld service, Thresholds thresholds) {
    double before = OutsideGap.before(service, edge, thresholds).seconds();
    return service.symptoms().hasAnywhere(Symptom.Kind.TTFT)
        && gap.seconds() - Math.max(0, before) >= thresholds.get("symptom_ttft_rise");
  }

  private static double span(Thresholds thresholds) {
    return thresholds.get("recent_seconds");
  }

  /** If requests wait in the engine, it is the engine that is short of something. */
  private static void engineWaits(
      Argument argument, OutsideGap gap, ServiceWorld service, Thresholds thresholds) {
    Reading queue = service.get("queue_time_mean");
    Reading waiting = service.get("waiting");
    double most = thresholds.get("engine_wait_share");
    if (queue.isKnown()) {
      argument.needs(
          queue.value() <= most * gap.seconds(),
          Strength.WEAK,
          Evidence.of(
              queue,
              most * gap.seconds(),
              "In the engine requests wait " + seconds(queue.value()) + " on average."));
    }
    double now = OutsideLine.recent(waiting, service.window(), span(thresholds));
    if (!Double.isNaN(now)) {
      double few = Math.max(1, most * service.get("running").or(0));
      argument.needs(
          now <= few,
          Strength.MODERATE,
          Evidence.of(waiting, few, number(now) + " requests wait in the engine."));
    }
  }

  /** Some gateways tell how long requests waited in them. */
  private static void ownQueue(
      Argument argument,
      EdgeWorld edge,
      OutsideGap gap,
      ServiceWorld service,
      Thresholds thresholds) {
    Reading queue = edge.get("queue_time_mean");
    double now =
        gap.isRecent()
            ? OutsideLine.recent(queue, service.window(), span(thresholds))
            : queue.value();
    if (!Double.isNaN(now)) {
      double least = thresholds.get("own_queue_share") * gap.seconds();
      argument.weighs(
          now >= least,
          Strength.DECISIVE,
          Strength.MODERATE,
          OutsideEvidence.of(
              edge,
              queue,
              least,
              "The "
                  + OutsideEvidence.subject(edge)
                  + " itself counts "
                  + seconds(now)
                  + " of waiting."));
    }
  }

  /** A limit of connections holds each replica at one number of running requests. */
  private static void pinned(Argument argument, ServiceWorld service, Thresholds thresholds) {
    double span = thresholds.get("pinned_seconds");
    int flat = 0;
    int busy = 0;
    double most = 0;
    for (ReplicaWorld replica : service.replicas()) {
      Reading running = replica.get("running");
      double spread = OutsideLine.spread(running, service.window(), span);
      double level = OutsideLine.recent(running, service.window(), span);
      if (level >= thresholds.get("pinned_running_min")) {
        busy++;
        flat += spread <= thresholds.get("pinned_spread_max") ? 1 : 0;
        most = Math.max(most, level);
      }
    }
    if (busy == 0) {
      return;
    }
    double full = service.get("max_running").value() / Math.max(1, service.replicas().size());
    boolean isFull = most >= full;
    argument.weighs(
        flat == busy && !isFull,
        Strength.STRONG,
        Strength.MODERATE,
        Evidence.computed(
            "engine",
            "running_pinned",
            (double) flat / busy,
            "ratio",
            1.0,
            share((double) flat / busy)
                + " of the busy replicas run one number of requests all the time, "
                + number(most)
                + " at most."));
  }
}
