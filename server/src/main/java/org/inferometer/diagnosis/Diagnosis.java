package org.inferometer.diagnosis;

import java.util.List;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.jspecify.annotations.Nullable;

/**
 * What is the matter with one service, or with all that is watched.
 *
 * @param service the id of the service, null for all
 * @param baseline null if there is nothing to compare with
 * @param summary one sentence
 * @param verdicts the root cause first, what follows from it after it
 * @param path the questions of the decision tree, from the top
 * @param ruledOut what isn't the matter and why, what can't be told last
 * @param layers the layers set against one another
 * @param changes what changed, what can carry most first
 * @param timeline the signals that moved, who moved first in front
 */
public record Diagnosis(
    @Nullable String service,
    Period window,
    @Nullable Period baseline,
    State state,
    String summary,
    List<Verdict> verdicts,
    List<PathStep> path,
    List<RuledOut> ruledOut,
    List<TelemetryProblem> telemetry,
    List<LayerLine> layers,
    List<Change> changes,
    List<Happening> happenings,
    List<ChangePoint> timeline) {
  /** How it fares. */
  public enum State {
    HEALTHY("healthy"),
    NO_TRAFFIC("no-traffic"),
    CANNOT_TELL("cannot-tell"),
    DEGRADED("degraded"),
    CRITICAL("critical");

    private final String id;

    State(String id) {
      this.id = id;
    }

    /** As JSON has it. */
    public String id() {
      return id;
    }
  }

  public Diagnosis {
    verdicts = List.copyOf(verdicts);
    path = List.copyOf(path);
    ruledOut = List.copyOf(ruledOut);
    telemetry = List.copyOf(telemetry);
    layers = List.copyOf(layers);
    changes = List.copyOf(changes);
    happenings = List.copyOf(happenings);
    timeline = List.copyOf(timeline);
  }
}
