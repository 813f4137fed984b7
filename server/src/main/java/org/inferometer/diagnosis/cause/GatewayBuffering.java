package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.seconds;
import static org.inferometer.diagnosis.cause.OutsideEvidence.share;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * Something before the engine holds streamed answers back until they are whole. The first token
 * comes out with the last, while the engine had it early and the total is no longer than before.
 */
public final class GatewayBuffering implements Check {
  @Override
  public String cause() {
    return "gateway-buffering";
  }

  /** A place's times, over the window or over its end, where the first token is later. */
  private record Held(double edgeTtft, double edgeE2e, double engineTtft, double engineE2e) {
    double edgeShare() {
      return edgeTtft / edgeE2e;
    }

    double engineShare() {
      return engineTtft / engineE2e;
    }
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<EdgeWorld> streams = new ArrayList<>();
    for (EdgeWorld edge : innermostFirst(service)) {
      if (edge.get("ttft_mean").isKnown() && edge.get("e2e_mean").isKnown()) {
        streams.add(edge);
      }
    }
    if (streams.isEmpty()) {
      return List.of(new Argument(cause()).needsKnown(false, "ttft_mean").over());
    }
    Outcome first = null;
    for (EdgeWorld edge : streams) {
      Outcome outcome = at(edge, service, thresholds);
      if (outcome instanceof Outcome.Found) {
        return List.of(outcome);
      }
      first = first == null ? outcome : first;
    }
    return List.of(first == null ? new Argument(cause()).over() : first);
  }

  /** Gateways before clients, since what a gateway holds back clients see too. */
  private static List<EdgeWorld> innermostFirst(ServiceWorld service) {
    List<EdgeWorld> edges = new ArrayList<>(service.gateways());
    edges.addAll(service.clients());
    return edges;
  }

  private Outcome at(EdgeWorld edge, ServiceWorld service, Thresholds thresholds) {
    Held held = held(edge, service, thresholds);
    OutsideGap gap = OutsideGap.toEngines(service, edge, thresholds);
    double whole = thresholds.get("whole_answer_share");
    double early = thresholds.get("early_token_share");
    Argument argument = new Argument(cause());
    argument.needsKnown(!Double.isNaN(held.engineShare()), "ttft_mean");
    if (argument.isOver()) {
      return argument.over();
    }
    argument
        .needs(
            held.edgeShare() >= whole,
            Strength.STRONG,
            OutsideEvidence.computed(
                edge,
                "first_token_share",
                held.edgeShare(),
                "ratio",
                whole,
                "At the "
                    + OutsideEvidence.subject(edge)
                    + " the first token comes after "
                    + share(Math.min(1, held.edgeShare()))
                    + " of the whole answer's time ("
                    + seconds(held.edgeTtft())
                    + " of "
                    + seconds(held.edgeE2e())
                    + ")."))
        .needs(
            held.engineShare() <= early,
            Strength.STRONG,
            Evidence.computed(
                "request",
                "first_token_share",
                held.engineShare(),
                "ratio",
                early,
                "The engine has the first token after "
                    + share(held.engineShare())
                    + " of the time ("
                    + seconds(held.engineTtft())
                    + " of "
                    + seconds(held.engineE2e())
                    + ")."));
    if (!argument.isOver()) {
      total(argument, edge, held, gap, thresholds);
      gaps(argument, edge, service, thresholds);
    }
    double late = held.edgeTtft() - held.engineTtft();
    Reading suffers = edge.get("ttft_mean");
    Effect effect =
        new Effect(
            "ttft_mean",
            late / held.edgeTtft(),
            held.edgeTtft(),
            held.engineTtft(),
            "Passed on at once, the first token would come as early as at the engine: a mean of "
                + seconds(held.engineTtft())
                + " instead of "
                + seconds(held.edgeTtft())
                + ".");
    return argument.conclude(
        service,
        edge.name(),
        null,
        effect,
        "The "
            + OutsideEvidence.subject(edge)
            + " gets its first token after "
            + seconds(held.edgeTtft())
            + ", with the last one; the engine had it after "
            + seconds(held.engineTtft())
            + ".",
        OutsideLine.onset(suffers, service.window(), held.edgeTtft()));
  }

  /** Held-back answers take no longer in all; answers that waited do. */
  private static void total(
      Argument argument, EdgeWorld edge, Held held, OutsideGap gap, Thresholds thresholds) {
    double late = held.edgeTtft() - held.engineTtft();
    double longer = Double.isNaN(gap.total()) ? held.edgeE2e() - held.engineE2e() : gap.total();
    double most = thresholds.get("held_total_share");
    argument.needs(
        longer <= most * late,
        Strength.MODERATE,
        OutsideEvidence.computed(
            edge,
            "total_outside",
            longer,
            "seconds",
            most * late,
            "Whole answers take "
                + seconds(Math.max(0, longer))
                + " longer than at the engine, first tokens "
                + seconds(late)
                + "."));
  }

  /**
   * Tokens that were held back come in a burst: clients tell, whoever held them back. Where they
   * come one after the other, first tokens are late for another reason and their last are still to
   * come.
   */
  private static void gaps(
      Argument argument, EdgeWorld edge, ServiceWorld service, Thresholds thresholds) {
    EdgeWorld teller =
        service.clients().stream()
            .filter(client -> client.get("itl_mean").isKnown())
            .findFirst()
            .orElse(edge);
    Reading outer = teller.get("itl_mean");
    double now = Math.min(outer.value(), recent(service, thresholds).applyAsDouble(outer));
    double inner = service.get("itl_mean").or(service.get("tpot_mean").value());
    if (Double.isNaN(now) || Double.isNaN(inner)) {
      return;
    }
    double least = thresholds.get("burst_gap_share");
    argument.needs(
        now <= least * inner,
        Strength.STRONG,
        OutsideEvidence.of(
            teller,
            outer,
            least * inner,
            "Tokens come "
                + seconds(now)
                + " apart at the "
                + OutsideEvidence.subject(teller)
                + ", "
                + seconds(inner)
                + " at the engine."));
  }

  private static Held held(EdgeWorld edge, ServiceWorld service, Thresholds thresholds) {
    Held window = held(edge, service, Reading::value);
    Held end = held(edge, service, recent(service, thresholds));
    return end.edgeShare() > window.edgeShare() && end.engineShare() >= 0 ? end : window;
  }

  private static ToDoubleFunction<Reading> recent(ServiceWorld service, Thresholds thresholds) {
    return r -> OutsideLine.recent(r, service.window(), thresholds.get("last_seconds"));
  }

  private static Held held(EdgeWorld edge, ServiceWorld service, ToDoubleFunction<Reading> value) {
    OutsideFlow outside = OutsideFlow.of(edge.readings(), value);
    OutsideFlow inside = OutsideFlow.engines(service, edge, value);
    return new Held(outside.ttft(), outside.e2e(), inside.ttft(), inside.e2e());
  }
}
