package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.HostWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * Requests wait in the process that answers HTTP, tokenises and prepares images, where no scheduler
 * counts them: the first token is late by more than queue and prefill explain, and more requests
 * are in the server than wait and run.
 */
public final class FrontendCpu implements Check {
  private static final String BROKEN =
      "A replica began or ended: its first tokens and its answers are those of other requests.";

  @Override
  public String cause() {
    return "frontend-cpu";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> outcomes = new ArrayList<>();
    List<Outcome> found = new ArrayList<>();
    for (ReplicaWorld replica : service.replicas()) {
      Outcome outcome =
          isBroken(service, replica)
              ? new Outcome.Unknown(cause(), BROKEN, List.of("first_token_rest_mean"))
              : examine(service, replica, thresholds);
      outcomes.add(outcome);
      if (outcome instanceof Outcome.Found) {
        found.add(outcome);
      }
    }
    if (!found.isEmpty()) {
      return found.size() == service.replicas().size() ? List.of(found.getFirst()) : found;
    }
    return outcomes.isEmpty()
        ? List.of(
            new Outcome.Unknown(cause(), "It can't be told without a replica.", List.of("ttft")))
        : List.of(outcomes.getFirst());
  }

  /**
   * Whether a replica began or ended within the window. Its first tokens are then those of other
   * requests than its answers, which tell of queue and prefill.
   */
  private static boolean isBroken(ServiceWorld service, ReplicaWorld replica) {
    return service.replicaChanges().stream()
        .anyMatch(one -> replica.instance().equals(one.instance()));
  }

  private Outcome examine(ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Argument argument = new Argument(cause());
    FrontendRest rest = FrontendRest.of(service, replica, thresholds);
    argument.needsKnown(!Double.isNaN(rest.seconds()), "first_token_rest_mean");
    if (argument.isOver()) {
      return argument.over();
    }
    late(argument, service, replica, rest, thresholds);
    if (argument.isOver()) {
      return argument.over();
    }
    inFlight(argument, service, replica, thresholds);
    queue(argument, service, replica, thresholds);
    process(argument, service, replica, thresholds);
    page(argument, service, replica, thresholds);
    decode(argument, service, replica, thresholds);
    if (!service.symptoms().hasAnywhere(Symptom.Kind.TTFT)) {
      argument.opposes(
          Strength.MODERATE,
          Evidence.of(service.get("ttft_p95"), null, "The first token comes in time."));
    }
    double limit = rest.before() * thresholds.get("frontend_grew");
    boolean isOnly = service.replicas().size() > 1;
    return argument.conclude(
        service,
        isOnly && !isEverywhere(service, thresholds) ? replica.instance() : null,
        null,
        effect(rest, replica),
        "Requests wait %s in the front end before the engine sees them, of %s until the first token."
            .formatted(
                Phrases.value("seconds", rest.seconds()), Phrases.value("seconds", rest.ttft())),
        HardwareTime.since(
            service, rest.reading(), value -> value >= Math.max(limit, rest.seconds() / 3)));
  }

  private static boolean isEverywhere(ServiceWorld service, Thresholds thresholds) {
    double least = thresholds.get("frontend_share_min");
    return service.replicas().stream()
        .allMatch(replica -> FrontendRest.of(service, replica, thresholds).share() >= least);
  }

  /** A step that is under way has to end before a new request is seen: that much is no fault. */
  private static void late(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      FrontendRest rest,
      Thresholds thresholds) {
    double least = thresholds.get("frontend_share_min");
    String seconds = Phrases.value("seconds", rest.seconds());
    String says =
        "Neither queue nor prefill explains %s of the first token's %s."
            .formatted(seconds, Phrases.value("seconds", rest.ttft()));
    argument.needs(
        rest.share() >= least,
        Strength.STRONG,
        Evidence.of(rest.reading(), least, says).at(replica.instance()));
    double step = HardwareTime.recent(service, HardwareSteps.step(replica));
    double steps = thresholds.get("frontend_steps");
    argument.needs(
        !(rest.seconds() < steps * step),
        Strength.WEAK,
        Evidence.computed(
                "request",
                "first_token_rest_steps",
                rest.seconds() / step,
                "count",
                steps,
                "What is unexplained, %s, is %s steps of the engine."
                    .formatted(seconds, Phrases.number(rest.seconds() / step)))
            .at(replica.instance()));
    if (rest.before() > 0) {
      double grew = rest.seconds() / rest.before();
      double min = thresholds.get("frontend_grew");
      String more = "It was %s before.".formatted(Phrases.value("seconds", rest.before()));
      argument.weighs(
          grew >= min,
          Strength.MODERATE,
          Strength.STRONG,
          Evidence.of(rest.reading(), min, more).at(replica.instance()));
    }
  }

  /** Little's law: arrivals times the time in the server, against those that wait and run. */
  private static void inFlight(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    double rate = HardwareTime.recent(service, replica.get("request_rate"));
    double seconds = HardwareTime.recent(service, replica.get("e2e_mean"));
    double queued = HardwareTime.recent(service, replica.get("queue_time_mean"));
    double inside = rate * (seconds - (Double.isNaN(queued) ? 0 : queued));
    double running = HardwareTime.recent(service, replica.get("running"));
    double factor = thresholds.get("in_flight_factor");
    if (inside >= running * factor && inside - running >= 1) {
      String says =
          "%s are in the server by Little's law, and %s run."
              .formatted(Phrases.value("requests", inside), Phrases.value("requests", running));
      argument.supports(
          Strength.STRONG,
          Evidence.computed("request", "in_flight", inside, "requests", running, says)
              .at(replica.instance()));
    }
  }

  private static void queue(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Reading waiting = replica.get("waiting");
    double now = HardwareTime.recent(service, waiting);
    double running = HardwareTime.recent(service, replica.get("running"));
    boolean isEmpty = now <= Math.max(1, running * thresholds.get("queue_of_running"));
    if (!Double.isNaN(now)) {
      String says =
          isEmpty
              ? "Nothing waits in the engine."
              : Phrases.value("requests", now) + " wait in the engine itself.";
      argument.weighs(
          isEmpty,
          Strength.MODERATE,
          Strength.STRONG,
          Evidence.of(waiting, null, says).at(replica.instance()));
    }
  }

  private static void process(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Reading process = replica.get("process_cpu");
    double now = HardwareTime.recent(service, process);
    double ratio = HardwareTime.ratio(service, process);
    @Nullable HostWorld host = HostCpu.host(service, replica);
    double core =
        host == null ? Double.NaN : HardwareTime.recent(service, host.get("host_cpu_core_max"));
    double busy = thresholds.get("frontend_core_busy");
    double grew = thresholds.get("frontend_grew");
    if (now >= busy || (ratio >= grew && now >= busy / 2)) {
      String says =
          "Its process uses %s cores%s."
              .formatted(
                  Phrases.number(now),
                  ratio > 0 ? ", " + Phrases.number(ratio) + " times as much as before" : "");
      argument.supports(Strength.STRONG, Evidence.of(process, busy, says).at(replica.instance()));
    } else if (host != null && core >= busy) {
      Reading reading = host.get("host_cpu_core_max");
      String says =
          "A core of its host is busy %s of the time.".formatted(Phrases.value("ratio", core));
      argument.supports(
          Strength.MODERATE, Evidence.of(reading, busy, says).by("host", host.id(), host.name()));
    } else if (process.isKnown()) {
      String says = "Its process uses %s cores, which is little.".formatted(Phrases.number(now));
      argument.opposes(Strength.MODERATE, Evidence.of(process, busy, says).at(replica.instance()));
    }
  }

  /** One loop serves the page and the streams. */
  private static void page(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Reading scrape = replica.get("scrape_time");
    double ratio = HardwareTime.ratio(service, scrape);
    if (ratio >= thresholds.get("work_grew")) {
      String says =
          "Its page of metrics takes %s times as long to answer.".formatted(Phrases.number(ratio));
      argument.supports(Strength.MODERATE, Evidence.of(scrape, null, says).at(replica.instance()));
    }
  }

  private static void decode(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Reading step = HardwareSteps.step(replica);
    double ratio = HardwareTime.ratio(service, step);
    double most = thresholds.get("slowdown_much");
    if (!Double.isNaN(ratio)) {
      String says =
          "Tokens come %s once they come."
              .formatted(ratio < most ? "as fast as before" : "more slowly as well");
      argument.weighs(
          ratio < most,
          Strength.MODERATE,
          Strength.MODERATE,
          Evidence.of(step, most, says).at(replica.instance()));
    }
  }

  private static Effect effect(FrontendRest rest, ReplicaWorld replica) {
    double usual = rest.before() > 0 ? rest.before() : 0;
    return HardwareEffects.of(
        replica.get("ttft_mean"),
        rest.ttft(),
        rest.ttft() - rest.seconds() + usual,
        "the front end passed requests on as fast as before");
  }
}
