package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.seconds;
import static org.inferometer.diagnosis.cause.OutsideEvidence.share;

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
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * A gateway, or a client, gives up after a fixed time. Failures take longer than answers, all about
 * as long; answers that would take longer are missing; the engine has no errors of its own. If the
 * engine itself is what is slow this is a consequence, which is for the arbiter to say.
 */
public final class GatewayTimeout implements Check {
  @Override
  public String cause() {
    return "gateway-timeout";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    OutsideFailures failures = OutsideFailures.find(service, thresholds);
    OutsideLost lost = OutsideLost.of(service, thresholds);
    return List.of(
        failures == null
            ? ofEngine(lost, service, thresholds)
            : ofEdge(failures, lost, service, thresholds));
  }

  private Outcome ofEdge(
      OutsideFailures failures, OutsideLost lost, ServiceWorld service, Thresholds thresholds) {
    EdgeWorld edge = failures.edge();
    double least = thresholds.get("failed_share");
    Argument argument = new Argument(cause());
    argument.needs(
        failures.share() >= least,
        Strength.MODERATE,
        OutsideEvidence.of(
            edge,
            failures.reading(),
            least,
            share(failures.share())
                + " of the requests fail at the "
                + OutsideEvidence.subject(edge)
                + "."));
    if (!argument.isOver()) {
      duration(argument, failures, thresholds);
      OutsideTail tail =
          OutsideTail.of(answers(edge, service).readings(), service.window(), thresholds);
      tail(argument, tail, thresholds);
      lost(argument, lost, failures.share() / 2);
      engineFails(argument, service, thresholds);
    }
    String says =
        share(failures.share())
            + " of the requests fail at the "
            + OutsideEvidence.subject(edge)
            + (Double.isNaN(failures.seconds())
                ? ""
                : ", after " + seconds(failures.seconds()) + " on average")
            + "; the engine answers what it may.";
    return argument.conclude(
        service,
        edge.vantage() == EdgeWorld.Vantage.GATEWAY ? edge.name() : null,
        null,
        effect(failures.reading().signal(), failures.share()),
        says,
        OutsideLine.onset(failures.reading(), service.window(), failures.share()));
  }

  /** The edge that times answers alone: the gateway if it times them, else the one that fails. */
  private static EdgeWorld answers(EdgeWorld failing, ServiceWorld service) {
    return service.gateways().stream()
        .filter(gateway -> gateway.get("e2e_p99").isKnown())
        .findFirst()
        .orElse(failing);
  }

  private static Effect effect(String signal, double failing) {
    return new Effect(
        signal,
        1,
        failing,
        0,
        "With a longer limit these requests would be answered; the engine is taken to go on at its"
            + " pace.");
  }

  /** Timeouts take longer than answers; what is refused fails at once. */
  private static void duration(Argument argument, OutsideFailures failures, Thresholds thresholds) {
    double answer = failures.answerSeconds();
    double ratio = failures.seconds() / answer;
    if (Double.isNaN(ratio)) {
      return;
    }
    double least = thresholds.get("timeout_answer_factor");
    Evidence fact =
        OutsideEvidence.computed(
            failures.edge(),
            "failed_e2e_mean",
            failures.seconds(),
            "seconds",
            least * answer,
            "Failed requests take "
                + seconds(failures.seconds())
                + " on average, answered ones "
                + seconds(answer)
                + ".");
    if (ratio >= least) {
      argument.supports(Strength.DECISIVE, fact);
    } else {
      argument.needs(ratio >= thresholds.get("refused_answer_share"), Strength.WEAK, fact);
    }
  }

  private static void tail(Argument argument, OutsideTail tail, Thresholds thresholds) {
    if (tail.isCut(thresholds)) {
      argument.supports(
          Strength.STRONG,
          Evidence.computed(
              "request",
              "e2e_p99",
              tail.p99(),
              "seconds",
              thresholds.get("cut_tail_share") * tail.before(),
              "No answer takes longer than about "
                  + seconds(tail.p99())
                  + "; before, P99 was "
                  + seconds(tail.before())
                  + "."));
    } else if (tail.isPiled(thresholds)) {
      argument.supports(
          Strength.STRONG,
          Evidence.computed(
              "request",
              "e2e_p99",
              tail.p99(),
              "seconds",
              thresholds.get("far_tail_factor") * tail.p50(),
              "P99 of the total stands still at "
                  + seconds(tail.p99())
                  + " with P95 close to it, while P50 is "
                  + seconds(tail.p50())
                  + "."));
    }
  }

  private static void lost(Argument argument, OutsideLost lost, double least) {
    if (lost.aborted() >= least) {
      argument.supports(
          Strength.MODERATE,
          Evidence.computed(
              "request",
              "abort_share",
              lost.aborted(),
              "ratio",
              least,
              share(lost.aborted()) + " of the requests are aborted in the engine."));
    } else if (lost.vanished() >= least) {
      argument.supports(
          Strength.MODERATE,
          Evidence.computed(
              "request",
              "vanished_share",
              lost.vanished(),
              "ratio",
              least,
              share(lost.vanished())
                  + " of the requests get a first token and never end: somebody hangs up."));
    }
  }

  /** Errors of the engine's own, or a replica that is gone, explain failures better. */
  private static void engineFails(Argument argument, ServiceWorld service, Thresholds thresholds) {
    Reading errors = service.get("error_share");
    double own = errors.value() - service.get("abort_share").or(0);
    if (own >= thresholds.get("failed_share")) {
      argument.opposes(
          Strength.STRONG,
          Evidence.of(
              errors,
              thresholds.get("failed_share"),
              share(own) + " of the requests end in an error in the engine itself."));
    }
    service.replicas().stream()
        .filter(replica -> replica.upShare() < thresholds.get("up_share_min"))
        .findFirst()
        .ifPresent(
            replica ->
                argument.opposes(
                    Strength.STRONG,
                    Evidence.computed(
                            "engine",
                            "up_share",
                            replica.upShare(),
                            "ratio",
                            thresholds.get("up_share_min"),
                            "A replica answered "
                                + share(replica.upShare())
                                + " of its scrapes, so requests to it fail.")
                        .at(replica.instance())));
  }

  /** Where nothing before the engine is measured, a limit shows in what the engine loses. */
  private Outcome ofEngine(OutsideLost lost, ServiceWorld service, Thresholds thresholds) {
    Argument argument = new Argument(cause());
    double least = thresholds.get("lost_share");
    OutsideTail tail = OutsideTail.of(service.readings(), service.window(), thresholds);
    boolean isKnown = !Double.isNaN(lost.aborted()) || !Double.isNaN(lost.vanished());
    argument.needsKnown(isKnown, "abort_share").needsKnown(!Double.isNaN(tail.p99()), "e2e_p99");
    if (argument.isOver()) {
      return argument.over();
    }
    boolean isLost = lost.share() >= least;
    argument.needs(
        isLost,
        Strength.WEAK,
        Evidence.computed(
            "request",
            "lost_share",
            lost.share(),
            "ratio",
            least,
            share(lost.share()) + " of the requests end without an answer."));
    if (!argument.isOver()) {
      tail(argument, tail, thresholds);
      lost(argument, lost, least);
      engineFails(argument, service, thresholds);
    }
    return argument.conclude(
        service,
        null,
        null,
        effect("abort_share", lost.share()),
        share(lost.share())
            + " of the requests are given up before the engine, at about "
            + seconds(tail.p99())
            + ".",
        OutsideLine.onset(service.get("e2e_p99"), service.window(), tail.p99()));
  }
}
