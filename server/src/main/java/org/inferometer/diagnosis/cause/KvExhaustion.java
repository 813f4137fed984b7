package org.inferometer.diagnosis.cause;

import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;

/** The KV cache has no room left: requests wait for blocks, or are preempted and computed again. */
public final class KvExhaustion implements Check {
  @Override
  public String cause() {
    return "kv-exhaustion";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    Argument argument = new Argument(cause());
    Reading usage = service.get("kv_usage_max");
    Reading preemptions = service.get("preemption_rate");
    double full = thresholds.get("kv_usage_full");
    String used = "The KV cache was " + Phrases.value(usage.unit(), usage.max()) + " full.";
    argument
        .needsKnown(usage.isKnown(), usage.signal())
        .needs(usage.max() >= full, Strength.MODERATE, Evidence.of(usage, full, used))
        .weighs(
            preemptions.value() > 0,
            Strength.STRONG,
            Strength.MODERATE,
            Evidence.of(
                preemptions,
                0.0,
                Phrases.value(preemptions.unit(), preemptions.value()) + " preemptions."));
    Effect effect =
        new Effect("ttft_p95", Double.NaN, service.get("ttft_p95").value(), Double.NaN, null);
    return List.of(argument.conclude(service, null, null, effect, used, null));
  }
}
