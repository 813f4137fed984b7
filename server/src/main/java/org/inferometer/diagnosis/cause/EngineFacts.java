package org.inferometer.diagnosis.cause;

import java.util.List;
import org.inferometer.diagnosis.cause.EnginePart.When;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.jspecify.annotations.Nullable;

/** What several checks of the engine ask of a world: facts, no verdicts. */
final class EngineFacts {
  final ServiceWorld world;
  final Thresholds thresholds;
  final EnginePart whole;
  final List<EnginePart> parts;

  EngineFacts(ServiceWorld world, Thresholds thresholds) {
    this.world = world;
    this.thresholds = thresholds;
    whole = EnginePart.whole(world);
    parts = EnginePart.each(world);
  }

  double limit(String threshold) {
    return thresholds.get(threshold);
  }

  Reading get(String signal) {
    return world.get(signal);
  }

  boolean feels(Symptom.Kind... kinds) {
    for (Symptom.Kind kind : kinds) {
      if (world.symptoms().has(kind)) {
        return true;
      }
    }
    return false;
  }

  /** Requests through those of the baseline, NaN if that isn't known. */
  double rateRatio() {
    return ratio(whole.rate(When.NOW), whole.rate(When.BEFORE));
  }

  /** Computed prompt tokens of a request through those of the baseline. */
  double promptWorkRatio() {
    return ratio(whole.computedLength(When.NOW), whole.computedLength(When.BEFORE));
  }

  private double computedRateRatio() {
    return ratio(whole.computedRate(When.NOW), whole.computedRate(When.BEFORE));
  }

  static double ratio(double now, double before) {
    return before > 0 ? now / before : Double.NaN;
  }

  /** Whether more comes than before: requests, or work in each of them. */
  boolean asksMore() {
    double more = limit("workload_more");
    return rateRatio() >= more
        || computedRateRatio() >= more
        || get("output_token_rate").ratio() >= more
        || get("output_length_mean").ratio() >= more;
  }

  /** Whether there is a baseline that fared better, to compare what is asked with. */
  boolean isComparable() {
    double better = limit("baseline_better");
    boolean isBetter =
        get("ttft_mean").ratio() >= better
            || get("tpot_mean").ratio() >= better
            || get("itl_mean").ratio() >= better
            || get("e2e_mean").ratio() >= better;
    return isBetter && !Double.isNaN(rateRatio());
  }

  /** Whether it got slower though no more is asked of it: the engine itself is slower. */
  boolean isSlowerByItself() {
    return isComparable() && !asksMore();
  }

  /** Whether a request asks for what one asked before: lengths and hits alike. */
  boolean isSameRequest() {
    double more = limit("request_same");
    return isBetween(promptWorkRatio(), more) && isBetween(get("output_length_mean").ratio(), more);
  }

  private static boolean isBetween(double ratio, double more) {
    return ratio <= more && ratio >= 1 / more;
  }

  /**
   * Whether more of the same comes than all of an engine can serve: requests are what they were,
   * and of prompts and answers neither alone takes the steps, since as many decode as take as long
   * to compute as reading the weights does. Another resource may be full besides; it is the number
   * that filled it.
   */
  boolean isMoreOfTheSame() {
    double batch = whole.batch(When.NOW);
    return rateRatio() >= limit("workload_more")
        && isSameRequest()
        && batch >= limit("batch_compute_share") * whole.ridge(thresholds)
        && !whole.isPreempting(thresholds);
  }

  /** The parts for which prompts take the time of the steps. */
  List<EnginePart> prefillFull() {
    return parts.stream().filter(p -> p.isPrefillFull(thresholds)).toList();
  }

  /** The parts before which requests wait. */
  List<EnginePart> queued() {
    return parts.stream().filter(p -> p.isQueued(thresholds)).toList();
  }

  /**
   * Whether adapters that are asked for don't fit into the slots. Engines may name an adapter both
   * as running and as waited for (vLLM issue 45325), so the longer list counts, not both.
   */
  boolean lacksAdapterSlots() {
    double waiting = get("lora_waiting").or(0);
    double asked = Math.max(waiting, get("lora_running").or(0));
    return waiting >= limit("lora_waiting") && asked > get("lora_slots").or(0);
  }

  /** Whether moving KV takes several times as long as before. */
  boolean isTransferSlow() {
    return get("kv_transfer_time_mean").ratio() >= limit("kv_transfer_slower");
  }

  boolean isEngine(String dialect) {
    return world.service().engine().id().startsWith(dialect);
  }

  /** Whether a setting of any replica is told and has a value. */
  boolean isSetting(String name, String value) {
    return world.replicas().stream().anyMatch(r -> value.equalsIgnoreCase(r.settings().get(name)));
  }

  /** When the first of some signals left its level, null if none did. */
  @Nullable Long onset(String... signals) {
    List<String> names = List.of(signals);
    return world.changes().stream()
        .filter(c -> names.contains(c.signal()))
        .map(ChangePoint::timeMs)
        .min(Long::compare)
        .orElse(null);
  }
}
