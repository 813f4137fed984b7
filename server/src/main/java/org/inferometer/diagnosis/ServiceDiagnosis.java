package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.Diagnosis.State;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.jspecify.annotations.Nullable;

/** The diagnosis of one service: a pure function of its world. Made for one of them. */
final class ServiceDiagnosis {
  private final Causes causes = Causes.builtIn();
  private final ServiceWorld service;
  private final Thresholds thresholds;
  private final Sentence sentence;
  private final Advisor advisor;

  ServiceDiagnosis(ServiceWorld service, Thresholds thresholds) {
    this.service = service;
    this.thresholds = thresholds;
    this.sentence = new Sentence(causes, service);
    this.advisor = new Advisor(Advice.builtIn(), Flags.builtIn(), service);
  }

  /** By these checks. */
  Diagnosis by(List<Check> checks) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Check check : checks) {
      outcomes.addAll(check.examine(service, thresholds));
    }
    return of(outcomes);
  }

  /** By what checks came to. */
  Diagnosis of(List<Outcome> outcomes) {
    List<Verdict> verdicts = new ArrayList<>();
    DecisionTree.Walk walk = DecisionTree.builtIn().walk(service, thresholds);
    for (Arbiter.Placed placed : new Arbiter(causes, service, thresholds).order(outcomes)) {
      verdicts.add(verdict(placed.finding(), placed.follows()));
    }
    List<PathStep> path = new ArrayList<>(walk.steps());
    path.add(end(walk, verdicts));
    agree(walk, verdicts);
    List<RuledOut> ruledOut = new RuledOutReader(verdicts, thresholds).read(outcomes);
    Finding healthy = healthy(outcomes);
    State state = state(verdicts, healthy);
    if (state == State.HEALTHY && verdicts.isEmpty() && healthy != null) {
      verdicts.add(verdict(healthy, null));
    }
    return new Diagnosis(
        service.service().id(),
        service.window(),
        service.baseline(),
        state,
        summary(state, verdicts, ruledOut, outcomes),
        verdicts,
        path,
        ruledOut,
        service.telemetry(),
        new Layers(service, thresholds).lines(),
        new Changes(service, thresholds).ranked(),
        service.happenings(),
        service.changes());
  }

  /** What the questions end in, and whether the checks end there too. */
  private PathStep end(DecisionTree.Walk walk, List<Verdict> verdicts) {
    String end = walk.end();
    String told = end == null ? "It can't be told" : causes.get(end).title();
    String root = verdicts.isEmpty() ? null : verdicts.getFirst().cause();
    String agrees = "";
    if (root != null && !root.equals(end)) {
      boolean isOneOf = verdicts.stream().anyMatch(verdict -> verdict.cause().equals(end));
      agrees =
          isOneOf
              ? "; the checks explain it by: " + causes.get(root).title()
              : "; the checks end elsewhere: " + causes.get(root).title();
    }
    return new PathStep(
        "Where do the questions end?", told + agrees + ".", null, Double.NaN, null, null);
  }

  /** Two ways through the same numbers that end apart leave both less sure. */
  private void agree(DecisionTree.Walk walk, List<Verdict> verdicts) {
    String end = walk.end();
    boolean isAgreed =
        end == null || verdicts.stream().anyMatch(verdict -> verdict.cause().equals(end));
    if (verdicts.isEmpty() || isAgreed) {
      return;
    }
    Verdict root = verdicts.getFirst();
    double doubted = root.finding().confidence() * thresholds.get("doubt_tree");
    double least = thresholds.get("verdict_confidence_min");
    Finding finding = root.finding().withConfidence(Math.max(least, doubted));
    verdicts.set(0, new Verdict(finding, root.title(), root.follows(), root.next()));
  }

  private Verdict verdict(Finding finding, @Nullable Finding follows) {
    return new Verdict(
        finding,
        causes.get(finding.cause()).title(),
        follows == null ? null : follows.cause(),
        advisor.next(finding));
  }

  private State state(List<Verdict> verdicts, @Nullable Finding healthy) {
    boolean isFelt = !service.symptoms().isEmpty();
    if (isDown()) {
      return State.CRITICAL;
    }
    if (verdicts.isEmpty()) {
      return isFelt || !isKnown(healthy) ? State.CANNOT_TELL : State.HEALTHY;
    }
    if (verdicts.getFirst().cause().equals("no-traffic")) {
      return State.NO_TRAFFIC;
    }
    boolean isCritical =
        service.symptoms().all().stream().anyMatch(Symptom::isCritical)
            || verdicts.stream().anyMatch(verdict -> verdict.cause().equals("engine-stuck"));
    return isCritical ? State.CRITICAL : State.DEGRADED;
  }

  /**
   * Whether enough is known to call it healthy: a rate at least, since one look at gauges shows
   * nothing of what requests take.
   */
  private boolean isKnown(@Nullable Finding healthy) {
    return healthy != null
        || service.get("request_rate").isKnown()
        || service.get("request_start_rate").isKnown()
        || service.get("output_token_rate").isKnown();
  }

  /** Whether none of its replicas answers. */
  private boolean isDown() {
    return !service.replicas().isEmpty()
        && service.replicas().stream().allMatch(replica -> replica.upShare() == 0);
  }

  private String summary(
      State state, List<Verdict> verdicts, List<RuledOut> ruledOut, List<Outcome> outcomes) {
    boolean isHealthy = state == State.HEALTHY;
    if (isHealthy) {
      return sentence.healthy(healthy(outcomes));
    }
    if (!verdicts.isEmpty()) {
      return sentence.of(verdicts);
    }
    return isDown() ? sentence.down() : sentence.untold(ruledOut, likeliest(outcomes));
  }

  /** What explains most of what is seen, though not surely enough; null if that is too little. */
  private @Nullable Finding likeliest(List<Outcome> outcomes) {
    double least = thresholds.get("likely_confidence_min");
    Finding likeliest = null;
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Found found
          && !found.finding().cause().equals("healthy")
          && found.finding().confidence() >= least
          && (likeliest == null || found.finding().confidence() > likeliest.confidence())) {
        likeliest = found.finding();
      }
    }
    return likeliest;
  }

  private static @Nullable Finding healthy(List<Outcome> outcomes) {
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Found found && found.cause().equals("healthy")) {
        return found.finding();
      }
    }
    return null;
  }
}
