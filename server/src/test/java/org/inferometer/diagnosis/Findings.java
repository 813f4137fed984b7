package org.inferometer.diagnosis;

import java.util.List;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.finding.Scope;
import org.jspecify.annotations.Nullable;

/** Findings made by hand for tests. */
final class Findings {
  private Findings() {}

  static Outcome found(String cause, double confidence) {
    return at(cause, confidence, null, null);
  }

  static Outcome at(
      String cause, double confidence, @Nullable String instance, @Nullable Long onsetMs) {
    return of(cause, confidence, instance, onsetMs, Double.NaN);
  }

  static Outcome of(
      String cause,
      double confidence,
      @Nullable String instance,
      @Nullable Long onsetMs,
      double share) {
    return new Outcome.Found(
        new Finding(
            cause,
            confidence,
            new Scope("vllm/Qwen/Qwen3-32B", "Qwen/Qwen3-32B", instance, null),
            new Effect("ttft_p95", share, Double.NaN, Double.NaN, null),
            "It is " + cause + ".",
            List.of(Evidence.computed("engine", "kv_usage_max", 1, "ratio", null, "Full.")),
            List.of(),
            onsetMs));
  }
}
