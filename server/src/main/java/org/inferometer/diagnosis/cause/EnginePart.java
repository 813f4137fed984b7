package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.Readings;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.jspecify.annotations.Nullable;

/**
 * A service or one of its replicas, with what follows from its readings by identities. Everything
 * is NaN where it can't be told.
 *
 * @param instance the replica, null for the whole service
 * @param replicas how many engines it is
 * @param gpus how many GPUs each engine has, 0 if that isn't known
 * @param spec what each of them can do, null if that isn't known
 * @param shape of the model, null if it isn't known
 */
record EnginePart(
    @Nullable String instance,
    Readings readings,
    int replicas,
    int gpus,
    Hardware.@Nullable Gpu spec,
    @Nullable ModelShape shape) {

  /** The window or the baseline. */
  enum When {
    NOW,
    BEFORE;

    double of(Reading reading) {
      return this == NOW ? reading.value() : reading.baseline();
    }
  }

  static EnginePart whole(ServiceWorld world) {
    int replicas = Math.max(1, world.replicas().size());
    return new EnginePart(
        null,
        world.readings(),
        replicas,
        world.gpus().size() / replicas,
        spec(world.gpus()),
        world.shape());
  }

  /** The replicas; where there is one it is the whole. */
  static List<EnginePart> each(ServiceWorld world) {
    if (world.replicas().size() < 2) {
      return List.of(whole(world));
    }
    List<EnginePart> parts = new ArrayList<>();
    for (ReplicaWorld replica : world.replicas()) {
      boolean own = !replica.gpus().isEmpty();
      List<GpuWorld> gpus = own ? replica.gpus() : world.gpus();
      int count = own ? gpus.size() : gpus.size() / world.replicas().size();
      parts.add(
          new EnginePart(
              replica.instance(), replica.readings(), 1, count, spec(gpus), world.shape()));
    }
    return parts;
  }

  private static Hardware.@Nullable Gpu spec(List<GpuWorld> gpus) {
    return gpus.isEmpty() ? null : gpus.getFirst().spec();
  }

  Reading get(String signal) {
    return readings.get(signal);
  }

  double value(String signal) {
    return readings.value(signal);
  }

  /** Requests that begin in a second, or end where only that is told. */
  double rate(When when) {
    double started = when.of(get("request_start_rate"));
    return Double.isNaN(started) ? when.of(get("request_rate")) : started;
  }

  /** Share of prompt tokens that needn't be computed; 0 where no engine tells it. */
  double hitShare(When when) {
    double found = when.of(hits());
    return Double.isNaN(found) ? 0 : Math.clamp(found, 0, 1);
  }

  /** What tells the share; requests that were preempted find their own blocks in the first. */
  Reading hits() {
    Reading cached = get("cached_prompt_share");
    Reading looked = get("prefix_hit_share");
    boolean isDistorted = get("preemption_rate").max() > 0 && looked.isKnown();
    return cached.isKnown() && !isDistorted ? cached : looked.isKnown() ? looked : cached;
  }

  /** Prompt tokens computed in a second. */
  double computedRate(When when) {
    return when.of(get("prompt_token_rate")) * (1 - hitShare(when));
  }

  /** Prompt tokens computed for a request. */
  double computedLength(When when) {
    return when.of(get("prompt_length_mean")) * (1 - hitShare(when));
  }

  /** Prompt tokens found in the cache for a request. */
  double cachedLength(When when) {
    return when.of(get("prompt_length_mean")) * hitShare(when);
  }

  /** Prompt tokens computed in a step. */
  double promptPerStep() {
    double steps = value("step_rate");
    return steps > 0 ? computedRate(When.NOW) / steps : Double.NaN;
  }

  /** Share of prompts in the tokens that are computed. */
  double promptTokenShare() {
    double computed = computedRate(When.NOW);
    return computed / (computed + get("output_token_rate").or(0));
  }

  /**
   * Requests of an engine that are in prefill at a time, by Little's law; where prefill isn't timed
   * it is what the queue leaves of the first token's time.
   */
  double inPrefill() {
    double rest = value("ttft_mean") - get("queue_time_mean").or(0);
    return rate(When.NOW) * get("prefill_time_mean").or(rest) / replicas;
  }

  /** Running requests of an engine. */
  double batch(When when) {
    return when.of(get("running")) / replicas;
  }

  /**
   * Operations that prompts ask for, through the peak of the GPUs. Attention over half the prompt
   * comes on top of the matrices.
   */
  double prefillFlopsShare() {
    return prefillFlopsShare(When.NOW);
  }

  double prefillFlopsShare(When when) {
    Double peak = spec == null ? null : spec.bf16Flops();
    if (shape == null || peak == null || gpus == 0) {
      return Double.NaN;
    }
    double attention = 2.0 * shape.layers() * shape.heads() * shape.headSize();
    double mean = when.of(get("prompt_length_mean"));
    double length = Double.isNaN(mean) ? 0 : mean;
    double token = 2 * shape.activeParameters() + attention * length;
    return computedRate(when) / replicas * token / (gpus * peak);
  }

  /** Tokens in a step with which its time becomes that of computing rather than of reading. */
  double ridge(Thresholds thresholds) {
    Double peak = spec == null ? null : spec.bf16Flops();
    Double bandwidth = spec == null ? null : spec.bandwidth();
    return peak == null || bandwidth == null ? thresholds.get("ridge_tokens") : peak / bandwidth;
  }

  /** How long a request waits: as those that began tell, or those that wait by Little's law. */
  double queueSeconds() {
    double told = get("queue_time_mean").or(0);
    double waiting = get("waiting").or(0);
    double rate = rate(When.NOW);
    return Math.max(told, rate > 0 ? waiting / rate : 0);
  }

  /** Share of the wait in the time to the first token. */
  double queueShare() {
    double queue = queueSeconds();
    double first = Math.max(get("ttft_mean").or(0), queue);
    return first > 0 ? queue / first : 0;
  }

  /** Whether requests wait before they run, for a good part of their first token's time. */
  boolean isQueued(Thresholds thresholds) {
    return get("waiting").or(0) >= thresholds.get("queue_waiting") * replicas
        && queueShare() >= thresholds.get("queue_share");
  }

  /** Whether computing prompts takes the time of its steps, with more prompts ready than fit. */
  boolean isPrefillFull(Thresholds thresholds) {
    boolean isOccupied =
        isQueued(thresholds)
            || inPrefill() >= thresholds.get("prefill_concurrency")
            || isPrefillWaitedFor();
    return isOccupied
        && promptTokenShare() >= thresholds.get("prefill_token_share_high")
        && isPromptComputing(thresholds);
  }

  /**
   * Whether prompts wait for as long as they are computed. Where one is computed at a time, those
   * that come by chance do so before a server that is busy for two thirds of the time (M/D/1: the
   * wait through the service is load / 2 (1 - load)).
   */
  private boolean isPrefillWaitedFor() {
    return value("queue_time_mean") >= value("prefill_time_mean");
  }

  private boolean isPromptComputing(Thresholds thresholds) {
    double flops = prefillFlopsShare();
    if (!Double.isNaN(flops)) {
      return flops >= flopsFull(thresholds);
    }
    double step = promptPerStep();
    return Double.isNaN(step)
        ? inPrefill() >= thresholds.get("prefill_concurrency")
        : step >= ridge(thresholds);
  }

  /** The share of the peak from which on prompts take the GPU; experts reach less. */
  double flopsFull(Thresholds thresholds) {
    boolean hasExperts = shape != null && shape.experts() > 0;
    return thresholds.get(hasExperts ? "prefill_flops_share_experts" : "prefill_flops_share");
  }

  /** Whether the KV cache has no room: full at its fullest, or requests put back for blocks. */
  boolean isKvFull(Thresholds thresholds) {
    return get("kv_usage_max").max() >= thresholds.get("kv_usage_full") || isPreempting(thresholds);
  }

  boolean isPreempting(Thresholds thresholds) {
    double each = get("preemption_rate").value() / rate(When.NOW);
    return each >= thresholds.get("preemptions_per_request");
  }

  /** Whether as many requests run as may: at the limit, or at a level while others wait. */
  boolean isPinned(Thresholds thresholds) {
    Reading running = get("running");
    double limit = value("max_running");
    double slack = thresholds.get("seats_slack");
    if (!Double.isNaN(limit)) {
      return running.max() >= limit * (1 - slack);
    }
    double spread = running.max() - running.min();
    return get("waiting").min() >= 1
        && running.value() >= thresholds.get("seats_running_min")
        && spread <= Math.max(replicas, slack * running.value());
  }
}
