package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.number;
import static org.inferometer.diagnosis.cause.OutsideEvidence.seconds;

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
 * Only the client's numbers are bad: the time passes in the client, or between it and the first
 * thing that measures. A load generator with too few threads looks like a slow server.
 */
public final class ClientArtifact implements Check {
  @Override
  public String cause() {
    return "client-artifact";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    if (service.clients().isEmpty()) {
      return List.of(
          new Outcome.Unknown(
              cause(), "No client tells what it measures.", List.of("ttft_mean", "e2e_mean")));
    }
    return service.clients().stream().map(client -> at(client, service, thresholds)).toList();
  }

  private Outcome at(EdgeWorld client, ServiceWorld service, Thresholds thresholds) {
    EdgeWorld gateway = gateway(client, service, thresholds);
    OutsideGap gap =
        gateway == null
            ? OutsideGap.toEngines(service, client, thresholds)
            : OutsideGap.between(service, client, gateway, thresholds);
    String inner = gateway == null ? "engine" : "gateway " + gateway.name();
    double least = thresholds.get("outside_wait_seconds");
    double value = Double.isNaN(gap.outerTtft()) ? gap.outerE2e() : gap.outerTtft();
    String signal = Double.isNaN(gap.outerTtft()) ? "e2e_mean" : "ttft_mean";
    Argument argument = new Argument(cause());
    argument.needsKnown(!Double.isNaN(gap.seconds()), "ttft_mean");
    if (argument.isOver()) {
      return argument.over();
    }
    argument.needs(
        gap.seconds() >= least && gap.share() >= thresholds.get("outside_wait_share"),
        Strength.STRONG,
        OutsideEvidence.computed(
            client,
            "time_outside",
            gap.seconds(),
            "seconds",
            least,
            "Of the client's "
                + seconds(value)
                + ", "
                + seconds(Math.max(0, gap.seconds()))
                + " pass before the "
                + inner
                + "."));
    if (!argument.isOver()) {
      engineIsWell(argument, service, thresholds);
      pace(argument, client, service, thresholds);
      if (gateway == null) {
        notPinned(argument, service, thresholds);
      }
    }
    Effect effect =
        new Effect(
            signal,
            gap.share(),
            value,
            value - gap.seconds(),
            "A client that keeps up would measure what the "
                + inner
                + " does: "
                + seconds(value - gap.seconds())
                + ".");
    return argument.conclude(
        service,
        client.name(),
        null,
        effect,
        "The client measures "
            + seconds(value)
            + " and loses "
            + seconds(gap.seconds())
            + " of it before the "
            + inner
            + "; the engine is well.",
        OutsideLine.onset(client.get(signal), service.window(), value));
  }

  /** The gateway to hold the client against: one that measures the same and has its traffic. */
  private static @Nullable EdgeWorld gateway(
      EdgeWorld client, ServiceWorld service, Thresholds thresholds) {
    for (EdgeWorld gateway : service.gateways()) {
      if (!Double.isNaN(OutsideGap.between(service, client, gateway, thresholds).seconds())) {
        return gateway;
      }
    }
    return null;
  }

  private static void engineIsWell(Argument argument, ServiceWorld service, Thresholds thresholds) {
    Symptom slow =
        service.symptoms().all().stream()
            .filter(s -> s.edge() == null && s.kind() == Symptom.Kind.TTFT)
            .findFirst()
            .orElse(null);
    Reading ttft = service.get("ttft_mean");
    if (ttft.isKnown()) {
      argument.weighs(
          slow == null,
          Strength.MODERATE,
          Strength.WEAK,
          Evidence.of(
              ttft,
              null,
              "The engine's own time to the first token is " + seconds(ttft.value()) + "."));
    }
    Reading waiting = service.get("waiting");
    double now = OutsideLine.recent(waiting, service.window(), thresholds.get("recent_seconds"));
    if (!Double.isNaN(now)) {
      double few = Math.max(1, thresholds.get("engine_wait_share") * service.get("running").or(0));
      argument.weighs(
          now <= few,
          Strength.MODERATE,
          Strength.STRONG,
          Evidence.of(waiting, few, number(now) + " requests wait in the engine."));
    }
  }

  /** A client that can't keep up sees gaps between tokens that the engine doesn't make. */
  private static void pace(
      Argument argument, EdgeWorld client, ServiceWorld service, Thresholds thresholds) {
    Reading outer = client.get("itl_mean");
    double inner = service.get("itl_mean").or(service.get("tpot_mean").value());
    if (outer.isKnown() && outer.value() >= thresholds.get("client_gap_factor") * inner) {
      argument.supports(
          Strength.MODERATE,
          OutsideEvidence.of(
              client,
              outer,
              thresholds.get("client_gap_factor") * inner,
              "Tokens come "
                  + seconds(outer.value())
                  + " apart at the client, "
                  + seconds(inner)
                  + " at the engine."));
    }
  }

  /** Without a gateway's numbers, a limit of connections on the way would look like this too. */
  private static void notPinned(Argument argument, ServiceWorld service, Thresholds thresholds) {
    double span = thresholds.get("pinned_seconds");
    for (ReplicaWorld replica : service.replicas()) {
      Reading running = replica.get("running");
      double level = OutsideLine.recent(running, service.window(), span);
      double spread = OutsideLine.spread(running, service.window(), span);
      if (level >= thresholds.get("pinned_running_min")
          && spread <= thresholds.get("pinned_spread_max")) {
        argument.opposes(
            Strength.STRONG,
            Evidence.of(
                    running,
                    thresholds.get("pinned_spread_max"),
                    "It runs "
                        + number(level)
                        + " requests all the time, as if something let no more through.")
                .at(replica.instance()));
        return;
      }
    }
  }
}
