package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.number;
import static org.inferometer.diagnosis.cause.OutsideEvidence.seconds;
import static org.inferometer.diagnosis.cause.OutsideEvidence.share;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.jspecify.annotations.Nullable;

/**
 * Replicas started, and users feel it: nobody answers until they are ready, then caches are empty
 * and first steps slow. It ends by itself. A start that nobody feels, one replica after the other,
 * is none.
 */
public final class ColdStart implements Check {
  @Override
  public String cause() {
    return "cold-start";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    return List.of(outcome(service, thresholds));
  }

  private Outcome outcome(ServiceWorld service, Thresholds thresholds) {
    long from =
        service.window().startMs() - Math.round(thresholds.get("start_lasts_seconds") * 1000);
    List<Happening> starts =
        service.happenings().stream()
            .filter(h -> h.timeMs() >= from && h.timeMs() <= service.window().endMs())
            .filter(h -> h.kind() == Happening.Kind.RESTART)
            .toList();
    Set<String> started = new TreeSet<>();
    starts.forEach(h -> started.add(h.instance() == null ? "" : h.instance()));
    double part = (double) started.size() / Math.max(1, service.replicas().size());
    Argument argument = new Argument(cause());
    if (starts.isEmpty()) {
      return new Outcome.RuledOut(cause(), "No replica started again.", List.of());
    }
    Happening first = starts.getFirst();
    argument.needs(
        !service.symptoms().isEmpty(),
        Strength.MODERATE,
        Evidence.computed(
            "engine",
            "restarts",
            starts.size(),
            "count",
            0.0,
            service.symptoms().isEmpty()
                ? "Replicas started again and nobody feels it."
                : started.size()
                    + " of "
                    + service.replicas().size()
                    + " replicas started again, and users feel something."));
    if (!argument.isOver()) {
      together(argument, starts, part, thresholds);
      failures(argument, service);
      slowSince(argument, service, started, thresholds);
      again(argument, starts, started);
      cachingOff(argument, service, thresholds);
    }
    Symptom worst = service.symptoms().isEmpty() ? null : service.symptoms().all().getFirst();
    return argument.conclude(
        service,
        started.size() == 1 && service.replicas().size() > 1 ? started.iterator().next() : null,
        null,
        effect(worst),
        started.size()
            + " of "
            + service.replicas().size()
            + " replicas started again; until they are ready and warm, requests fail or take longer.",
        first.timeMs());
  }

  private static Effect effect(@Nullable Symptom worst) {
    String ends = "It ends by itself when all are ready and their caches are filled.";
    return worst == null
        ? new Effect("ttft_p95", Double.NaN, Double.NaN, Double.NaN, ends)
        : new Effect(
            worst.reading().signal(),
            Double.NaN,
            worst.reading().value(),
            worst.reading().baseline(),
            ends);
  }

  /** One after the other the rest can carry; all at once nobody does. */
  private static void together(
      Argument argument, List<Happening> starts, double part, Thresholds thresholds) {
    long span = starts.getLast().timeMs() - starts.getFirst().timeMs();
    boolean isTogether =
        part > thresholds.get("started_together_share")
            && span <= thresholds.get("started_together_seconds") * 1000;
    argument.weighs(
        isTogether,
        Strength.STRONG,
        Strength.WEAK,
        Evidence.computed(
            "engine",
            "restarted_share",
            part,
            "ratio",
            thresholds.get("started_together_share"),
            share(part) + " of the replicas started within " + seconds(span / 1000.0) + "."));
  }

  private static void failures(Argument argument, ServiceWorld service) {
    Symptom failures = service.symptoms().find(Symptom.Kind.FAILURES);
    if (failures != null) {
      argument.supports(
          Strength.MODERATE,
          Evidence.of(
              failures.reading(),
              failures.limit(),
              share(failures.reading().value()) + " of the requests fail."));
    }
  }

  /** What started is slower than it was, or its cache finds less. */
  private static void slowSince(
      Argument argument, ServiceWorld service, Set<String> started, Thresholds thresholds) {
    double factor = thresholds.get("steady_factor");
    for (ReplicaWorld replica : service.replicas()) {
      if (!started.contains(replica.instance())) {
        continue;
      }
      for (String signal : List.of("tpot_mean", "ttft_mean")) {
        Reading reading = replica.get(signal);
        if (reading.ratio() > factor) {
          argument.supports(
              Strength.MODERATE,
              Evidence.of(
                      reading,
                      factor * reading.baseline(),
                      reading.title()
                          + " is "
                          + seconds(reading.value())
                          + " there since, before it was "
                          + seconds(reading.baseline())
                          + ".")
                  .at(replica.instance()));
          return;
        }
      }
    }
  }

  /** A cache that is off doesn't fill: that it was started without one is what lasts. */
  private static void cachingOff(
      Argument argument, ServiceWorld service, Thresholds thresholds) {
    boolean hadHits = service.get("prefix_hit_share").baselineOr(0) >= thresholds.get("hits_worth");
    if (hadHits && PrefixCacheLoss.isOff(new EngineFacts(service, thresholds))) {
      argument.opposes(
          Strength.DECISIVE,
          Evidence.of(
              service.get("prefix_hit_share"),
              null,
              "Since the start nothing is looked up in the prefix cache: it is off, and doesn't"
                  + " fill."));
    }
  }

  /** What starts again and again has a reason of its own. */
  private static void again(Argument argument, List<Happening> starts, Set<String> started) {
    if (starts.size() > started.size()) {
      argument.opposes(
          Strength.STRONG,
          Evidence.computed(
              "engine",
              "restarts_per_replica",
              (double) starts.size() / started.size(),
              "count",
              1.0,
              number((double) starts.size() / started.size())
                  + " starts a replica: something ends it again and again."));
    }
  }
}
