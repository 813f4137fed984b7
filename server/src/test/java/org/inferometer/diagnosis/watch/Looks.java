package org.inferometer.diagnosis.watch;

import java.util.List;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Period;
import org.jspecify.annotations.Nullable;

/** What looks find, made by hand. */
public final class Looks {
  public static final String SERVICE = "vllm/m";

  private Looks() {}

  /** A root that was found. */
  public static Verdict verdict(String cause, double confidence) {
    return verdict(cause, confidence, null, null, null);
  }

  public static Verdict verdict(
      String cause,
      double confidence,
      @Nullable String instance,
      @Nullable String follows,
      @Nullable Long onsetMs) {
    Finding finding =
        new Finding(
            cause,
            confidence,
            new Scope(SERVICE, "m", instance, null),
            new Effect("ttft_p95", 0.5, 2, 1, null),
            cause + " it is.",
            List.of(Evidence.computed("engine", "kv_usage", 0.99, "ratio", 0.95, "It is full.")),
            List.of(),
            onsetMs);
    return new Verdict(finding, "Title of " + cause, follows, List.of());
  }

  public static Diagnosis diagnosis(Diagnosis.State state, Verdict... verdicts) {
    return diagnosis(state, List.of(), List.of(), verdicts);
  }

  public static Diagnosis diagnosis(
      Diagnosis.State state,
      List<ChangePoint> timeline,
      List<Happening> happenings,
      Verdict... verdicts) {
    return new Diagnosis(
        SERVICE,
        new Period(0, 300_000),
        null,
        state,
        verdicts.length == 0 ? "It is " + state.id() + "." : verdicts[0].finding().says(),
        List.of(verdicts),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        happenings,
        timeline);
  }

  /** A look at the one service. */
  public static Report report(Diagnosis diagnosis) {
    return new Report(diagnosis, List.of(diagnosis));
  }

  public static Report healthy() {
    return report(diagnosis(Diagnosis.State.HEALTHY));
  }

  public static Report degraded(Verdict... verdicts) {
    return report(diagnosis(Diagnosis.State.DEGRADED, verdicts));
  }
}
