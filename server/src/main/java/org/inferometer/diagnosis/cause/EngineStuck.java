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
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.inferometer.signals.Quality;
import org.jspecify.annotations.Nullable;

/**
 * A replica has requests inside and makes no token: its process answers scrapes, its work stands
 * still. Told from no traffic by the requests inside, from a page that stands still by the
 * process's own counters and by what others see of it, from one very long prefill by its length.
 */
public final class EngineStuck implements Check {
  @Override
  public String cause() {
    return "engine-stuck";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> outcomes = new ArrayList<>();
    for (ReplicaWorld replica : service.replicas()) {
      outcomes.add(at(replica, service, thresholds));
    }
    if (outcomes.isEmpty()) {
      outcomes.add(new Outcome.Unknown(cause(), "No replica is scraped.", List.of("running")));
    }
    return outcomes;
  }

  private Outcome at(ReplicaWorld replica, ServiceWorld service, Thresholds thresholds) {
    Period window = service.window();
    Reading tokens = replica.get("output_token_rate");
    Reading running = replica.get("running");
    Reading waiting = replica.get("waiting");
    Long silent = OutsideLine.since(tokens, window, v -> v <= 0);
    Long loaded =
        earlier(
            OutsideLine.since(running, window, v -> v > 0),
            OutsideLine.since(waiting, window, v -> v > 0));
    double still = Math.min(lasting(window, silent), lasting(window, loaded));
    double inside =
        zero(OutsideLine.recent(running, window, thresholds.get("recent_seconds")))
            + zero(OutsideLine.recent(waiting, window, thresholds.get("recent_seconds")));
    double least = patience(replica, tokens, thresholds);
    Argument argument = new Argument(cause());
    argument
        .needsKnown(
            !Double.isNaN(OutsideLine.mean(tokens, window.startMs(), window.endMs())),
            tokens.signal())
        .needsKnown(
            !Double.isNaN(OutsideLine.mean(running, window.startMs(), window.endMs())),
            running.signal());
    if (argument.isOver()) {
      return argument.over();
    }
    argument.needs(
        silent != null && loaded != null && lasting(window, loaded) >= least,
        Strength.DECISIVE,
        Evidence.of(
                running,
                0.0,
                silent == null
                    ? "Tokens are made."
                    : loaded == null
                        ? "No request is in it."
                        : number(inside)
                            + " requests are in it and no token has come for "
                            + seconds(still)
                            + " or longer.")
            .at(replica.instance()));
    if (!argument.isOver()) {
      page(argument, replica, service, thresholds);
      alone(argument, running, waiting, inside, window, thresholds);
      peers(argument, replica, service, thresholds);
    }
    return argument.conclude(
        service,
        replica.instance(),
        null,
        new Effect(
            "output_token_rate",
            part(replica, service),
            0,
            replica.get("output_token_rate").baselineOr(Double.NaN),
            "It would make as many tokens as before; requests sent to it wait until somebody gives"
                + " up."),
        number(inside)
            + " requests are in "
            + replica.instance()
            + " and no token has come out for "
            + seconds(still)
            + " or longer.",
        silent);
  }

  /** The part of the service's requests that went there, which fail now. */
  private static double part(ReplicaWorld replica, ServiceWorld service) {
    return replica.get("request_rate").baseline() / service.get("request_rate").baseline();
  }

  /**
   * How long no token may come. Where tokens only count when a request ends, as long as requests
   * take.
   */
  private static double patience(ReplicaWorld replica, Reading tokens, Thresholds thresholds) {
    double least = thresholds.get("stall_seconds");
    if (tokens.quality() == Quality.EXACT) {
      return least;
    }
    Reading total = replica.get("e2e_p99");
    double longest = Math.max(zero(total.value()), zero(total.baseline()));
    return Math.max(least, thresholds.get("stall_e2e_factor") * longest);
  }

  /** A page that stands still looks the same: is it alive, and does anybody get answers from it? */
  private static void page(
      Argument argument, ReplicaWorld replica, ServiceWorld service, Thresholds thresholds) {
    TelemetryProblem frozen = frozen(replica, service);
    if (frozen != null) {
      argument.needs(
          false,
          Strength.WEAK,
          Evidence.computed("telemetry", frozen.problem(), 1, "count", 0.0, frozen.says())
              .at(replica.instance()));
      return;
    }
    Reading cpu = replica.get("process_cpu");
    // A rate looks back by itself: its newest value tells of a stretch, and earlier ones of before.
    double now = OutsideLine.newest(cpu, service.window(), thresholds.get("stall_seconds"));
    if (!Double.isNaN(now)) {
      argument.needs(
          now > 0,
          Strength.WEAK,
          Evidence.of(
                  cpu,
                  0.0,
                  now > 0
                      ? "Its process still uses CPU, so its page is alive."
                      : "Its process's CPU time stands still too: its page is old.")
              .at(replica.instance()));
    }
    OutsideAnswers answers = OutsideAnswers.of(service, thresholds);
    if (answers != null) {
      argument.needs(
          answers.beyond() < thresholds.get("unseen_answers_share"),
          Strength.MODERATE,
          OutsideEvidence.computed(
              answers.edge(),
              "completed_beyond_engines",
              answers.beyond(),
              "ratio",
              thresholds.get("unseen_answers_share"),
              answers.beyond() < thresholds.get("unseen_answers_share")
                  ? "No more answers come out at the "
                      + OutsideEvidence.subject(answers.edge())
                      + " than the other replicas tell of."
                  : share(answers.beyond())
                      + " of the answers at the "
                      + OutsideEvidence.subject(answers.edge())
                      + " come from an engine whose page doesn't tell of them."));
    }
  }

  private static @Nullable TelemetryProblem frozen(ReplicaWorld replica, ServiceWorld service) {
    return service.telemetry().stream()
        .filter(p -> p.target().equals(replica.instance()) && p.problem().contains("frozen"))
        .findFirst()
        .orElse(null);
  }

  /** A single request may be one very long prefill; a queue behind it, or several, are not. */
  private static void alone(
      Argument argument,
      Reading running,
      Reading waiting,
      double inside,
      Period window,
      Thresholds thresholds) {
    double growth =
        OutsideLine.recent(waiting, window, thresholds.get("recent_seconds"))
            - OutsideLine.mean(waiting, window.startMs(), window.startMs() + 60_000);
    if (growth >= 1) {
      argument.supports(
          Strength.MODERATE,
          Evidence.of(waiting, null, number(growth) + " more requests wait in it than before."));
    }
    double least = thresholds.get("stuck_requests");
    argument.weighs(
        inside >= least,
        Strength.WEAK,
        Strength.STRONG,
        Evidence.of(running, least, number(inside) + " requests are in it."));
  }

  private static void peers(
      Argument argument, ReplicaWorld replica, ServiceWorld service, Thresholds thresholds) {
    double span = thresholds.get("stall_seconds");
    long serving =
        service.replicas().stream()
            .filter(other -> !other.instance().equals(replica.instance()))
            .filter(
                other ->
                    OutsideLine.recent(other.get("output_token_rate"), service.window(), span) > 0)
            .count();
    if (serving > 0) {
      argument.supports(
          Strength.MODERATE,
          Evidence.computed(
              "engine",
              "serving_replicas",
              (double) serving,
              "count",
              null,
              serving + " other replicas make tokens meanwhile."));
    }
  }

  private static @Nullable Long earlier(@Nullable Long a, @Nullable Long b) {
    return a == null ? b : b == null ? a : Long.valueOf(Math.min(a, b));
  }

  private static double lasting(Period window, @Nullable Long since) {
    return since == null ? 0 : (window.endMs() - since) / 1000.0;
  }

  private static double zero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }
}
