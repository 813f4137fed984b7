package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.jspecify.annotations.Nullable;

/**
 * Puts findings in order: root causes first, each with what follows from it after it, those that
 * explain what users feel before those that don't, the surer and larger before the others. What is
 * neither felt nor a fault in itself nor follows from one that is told is left out.
 */
final class Arbiter {
  /**
   * A finding in its place.
   *
   * @param follows what it is a consequence of, null for a root
   */
  record Placed(Finding finding, @Nullable Finding follows) {}

  private final Causes causes;
  private final ServiceWorld service;
  private final Thresholds thresholds;
  private final Links links;

  Arbiter(Causes causes, ServiceWorld service, Thresholds thresholds) {
    this.causes = causes;
    this.service = service;
    this.thresholds = thresholds;
    this.links = new Links(causes, service, thresholds);
  }

  /** The verdicts, in order. */
  List<Placed> order(List<Outcome> outcomes) {
    List<Finding> sure = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Found found && !found.cause().equals("healthy")) {
        Finding finding = doubted(found.finding());
        if (finding.confidence() >= thresholds.get("verdict_confidence_min")) {
          sure.add(finding);
        }
      }
    }
    List<Finding> standing = sure.stream().filter(this::stands).toList();
    List<Finding> findings = new ArrayList<>();
    for (Finding finding : sure) {
      if (stands(finding) || standing.stream().anyMatch(one -> links.explains(one, finding))) {
        findings.add(finding);
      }
    }
    findings.sort(byWeight());
    return placed(findings);
  }

  private List<Placed> placed(List<Finding> findings) {
    IdentityHashMap<Finding, Finding> parents = new IdentityHashMap<>();
    for (Finding finding : findings) {
      Finding parent = parent(finding, findings);
      if (parent != null) {
        parents.put(finding, parent);
      }
    }
    List<Placed> placed = new ArrayList<>();
    for (Finding finding : findings) {
      if (!parents.containsKey(finding)) {
        addWithConsequences(finding, null, findings, parents, placed);
      }
    }
    return placed;
  }

  private static void addWithConsequences(
      Finding finding,
      @Nullable Finding parent,
      List<Finding> findings,
      IdentityHashMap<Finding, Finding> parents,
      List<Placed> placed) {
    placed.add(new Placed(finding, parent));
    for (Finding other : findings) {
      if (isSame(parents.get(other), finding)) {
        addWithConsequences(other, finding, findings, parents, placed);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // two findings may say the same and are two all the same
  private static boolean isSame(@Nullable Finding one, Finding other) {
    return one == other;
  }

  /** The nearest of what explains a finding: one that explains no other of them. */
  private @Nullable Finding parent(Finding finding, List<Finding> findings) {
    List<Finding> explainers = new ArrayList<>();
    for (Finding other : findings) {
      if (links.explains(other, finding)) {
        explainers.add(other);
      }
    }
    for (Finding one : explainers) {
      if (explainers.stream().noneMatch(other -> causes.leadsTo(one.cause(), other.cause()))) {
        return one;
      }
    }
    return null;
  }

  private Comparator<Finding> byWeight() {
    return Comparator.comparing((Finding finding) -> !isFelt(finding))
        .thenComparingDouble(finding -> -weight(finding));
  }

  /** How much a finding says: how sure it is, times how much it carries. */
  double weight(Finding finding) {
    double share = finding.effect().share();
    double least = thresholds.get("weight_effect_least");
    double effect =
        Double.isNaN(share)
            ? thresholds.get("weight_effect_unknown")
            : least + (1 - least) * Math.clamp(share, 0, 1);
    double generic = causes.get(finding.cause()).isGeneric() ? thresholds.get("weight_generic") : 1;
    return finding.confidence() * effect * generic;
  }

  /** Whether it is told for its own sake, and not only as what follows from another. */
  private boolean stands(Finding finding) {
    return causes.get(finding.cause()).standsAlone()
        || isFelt(finding)
        || isHarmful(finding.effect())
        || isMild(finding);
  }

  /** Whether users feel something that such a cause makes them feel. */
  private boolean isFelt(Finding finding) {
    Cause cause = causes.get(finding.cause());
    for (Symptom symptom : service.symptoms().all()) {
      if (cause.felt().contains(symptom.kind())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether something is so much worse than it would be without the cause that it is told though
   * nobody is seen to suffer. Without a baseline that is what would be called a symptom against
   * one, so that a fault that was there from the start is told; with one it must be more.
   */
  private boolean isHarmful(Effect effect) {
    double factor = thresholds.get("symptom_baseline_factor");
    double least = service.baseline() == null ? 1 - 1 / factor : thresholds.get("harm_share_min");
    return effect.share() >= least;
  }

  /** Whether what does it is measured and what it takes is enough to be worth a look. */
  private boolean isMild(Finding finding) {
    return causes.get(finding.cause()).isMild()
        && finding.effect().share() >= thresholds.get("mild_share_min");
  }

  /** A finding with less confidence if what it stands on is in doubt. */
  private Finding doubted(Finding finding) {
    boolean isDoubtful =
        !finding.cause().equals("telemetry-broken")
            && finding.evidence().stream().anyMatch(this::isDoubtful);
    return isDoubtful
        ? finding.withConfidence(finding.confidence() * thresholds.get("doubt_telemetry"))
        : finding;
  }

  private boolean isDoubtful(Evidence evidence) {
    for (TelemetryProblem problem : service.telemetry()) {
      boolean isHere = evidence.of() == null || evidence.of().equals(problem.target());
      if (problem.isFault() && isHere && problem.signals().contains(evidence.signal())) {
        return true;
      }
    }
    return false;
  }
}
