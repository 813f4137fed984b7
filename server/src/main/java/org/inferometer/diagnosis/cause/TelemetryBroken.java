package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.TelemetryProblem;

/**
 * What measures broke, while what is measured goes on. A layer that never was there, or a scrape
 * that is missed now and then, is none.
 */
public final class TelemetryBroken implements Check {
  @Override
  public String cause() {
    return "telemetry-broken";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    Map<String, List<TelemetryProblem>> byProblem = new LinkedHashMap<>();
    for (TelemetryProblem problem : service.telemetry()) {
      if (problem.isFault()) {
        byProblem.computeIfAbsent(problem.problem(), _ -> new ArrayList<>()).add(problem);
      }
    }
    if (byProblem.isEmpty()) {
      return List.of(new Outcome.RuledOut(cause(), "What measures is as it was.", List.of()));
    }
    return byProblem.values().stream().map(same -> found(same, service)).toList();
  }

  private Outcome found(List<TelemetryProblem> same, ServiceWorld service) {
    TelemetryProblem first = same.getFirst();
    Argument argument = new Argument(cause());
    argument.supports(
        Strength.DECISIVE,
        Evidence.computed("telemetry", first.problem(), same.size(), "count", 0.0, first.says())
            .at(first.target()));
    for (TelemetryProblem other : same.subList(1, same.size())) {
      argument.supports(
          Strength.WEAK,
          Evidence.computed("telemetry", other.problem(), 1, "count", 0.0, other.says())
              .at(other.target()));
    }
    boolean isWell = service.symptoms().isEmpty();
    argument.weighs(
        isWell,
        Strength.MODERATE,
        Strength.WEAK,
        Evidence.computed(
            "request",
            "symptoms",
            service.symptoms().all().size(),
            "count",
            0.0,
            isWell
                ? "Users feel nothing of it, as far as it is measured."
                : "Users feel something, which telemetry can't cause."));
    return argument.conclude(
        service,
        same.size() == 1 ? first.target() : null,
        null,
        new Effect(
            "telemetry",
            Double.NaN,
            same.size(),
            0,
            "It costs users nothing; what it can't tell isn't used."),
        first.says(),
        null);
  }
}
