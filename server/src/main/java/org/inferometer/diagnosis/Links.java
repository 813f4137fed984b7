package org.inferometer.diagnosis;

import java.util.Objects;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether one finding explains another: causes lead to their consequences, in the same place,
 * and don't begin after them.
 */
final class Links {
  private final Causes causes;
  private final ServiceWorld service;
  private final Thresholds thresholds;

  Links(Causes causes, ServiceWorld service, Thresholds thresholds) {
    this.causes = causes;
    this.service = service;
    this.thresholds = thresholds;
  }

  /** Whether the second follows from the first. */
  boolean explains(Finding cause, Finding consequence) {
    return causes.leadsTo(cause.cause(), consequence.cause())
        && isSamePlace(cause, consequence)
        && !beginsAfter(cause, consequence)
        && isStrongEnough(cause, consequence);
  }

  /** Whether the first began clearly after the second. */
  boolean beginsAfter(Finding one, Finding other) {
    Long onset = one.onsetMs();
    Long before = other.onsetMs();
    return onset != null
        && before != null
        && onset - before > 1000 * thresholds.get("explain_lag_seconds");
  }

  private boolean isStrongEnough(Finding cause, Finding consequence) {
    // What takes a replica out of service takes all of it, whatever that is of the whole.
    boolean isTooSmall =
        cause.effect().share() < thresholds.get("explain_share_min")
            && !causes.get(cause.cause()).takesOut();
    double least = consequence.confidence() * thresholds.get("explain_confidence_ratio");
    return !isTooSmall && cause.confidence() >= least;
  }

  /**
   * Whether a cause's place is that of its consequence. What is everywhere, or before or below the
   * replicas, may be felt by each of them; what is at one replica is felt by the service; it is
   * felt by another replica only if that gets the load.
   */
  private boolean isSamePlace(Finding cause, Finding consequence) {
    String from = replica(cause.scope());
    String at = replica(consequence.scope());
    return from == null
        || at == null
        || from.equals(at)
        || causes.get(cause.cause()).takesOut()
        || cause.cause().equals("load-imbalance");
  }

  /** The replica that a finding is about; null if it is about none or all. */
  @Nullable String replica(Scope scope) {
    for (ReplicaWorld replica : service.replicas()) {
      boolean isIt =
          Objects.equals(replica.instance(), scope.instance())
              || (scope.instance() != null && scope.instance().equals(replica.name()));
      if (isIt || replica.gpus().stream().anyMatch(gpu -> gpu.name().equals(scope.gpu()))) {
        return replica.instance();
      }
    }
    return null;
  }
}
