package org.inferometer.diagnosis.world;

import org.jspecify.annotations.Nullable;

/**
 * What a latency of before would be with what is asked now. Longer prompts take longer to compute
 * on the same machine, which is what was asked for and no suffering; so do answers of which a
 * baseline soon after a start has seen the short ones alone.
 */
final class SymptomAsked {
  /** Below this nothing is known of how long requests took. */
  private static final double SEEN_SHARE_MIN = 0.1;

  private final Readings engine;
  private final @Nullable Period baseline;

  /**
   * @param engine the engine's own readings, also for what is felt before it
   */
  SymptomAsked(Readings engine, @Nullable Period baseline) {
    this.engine = engine;
    this.baseline = baseline;
  }

  /** The baseline of a latency, with what its signal is asked for now. */
  double before(Reading reading) {
    String signal = reading.signal();
    if (signal.startsWith("ttft_")) {
      return reading.baseline() + added(statistic(signal));
    }
    if (signal.startsWith("ntpot_")) {
      // The first token is in it, spread over the answer's tokens.
      return reading.baseline()
          + added(statistic(signal)) / Math.max(1, engine.get("output_length_mean").or(1));
    }
    if (signal.startsWith("e2e_")) {
      double seen = reading.baseline() / seenShare(reading.value());
      return Math.max(seen, reading.baseline() + added("mean"));
    }
    return reading.baseline();
  }

  /** Whether a pace with the first token in it says nothing that the engine doesn't tell better. */
  boolean tellsPace(String signal) {
    return signal.startsWith("ntpot_") && engine.get("tpot_mean").isComparable();
  }

  /** How long the engine's prefill takes; the first token of a long prompt takes its time. */
  double prefillSeconds() {
    return engine.get("prefill_time_p95").or(0);
  }

  /** How long the tokens of an answer take to come; NaN if that isn't known. */
  double answerSeconds() {
    Reading pace = engine.get("tpot_mean");
    double seconds = pace.isKnown() ? pace.value() : engine.get("itl_mean").value();
    return (engine.get("output_length_mean").value() - 1) * seconds;
  }

  private static String statistic(String signal) {
    return signal.substring(signal.indexOf('_') + 1);
  }

  /**
   * Seconds that the added tokens of a prompt take at the old pace of prefill. Only what prompts
   * are longer counts: tokens that are no longer found in a cache aren't asked for.
   */
  private double added(String statistic) {
    Reading length = engine.get("prompt_length_" + statistic);
    double tokens = length.rise();
    double seconds = tokens * secondsPerToken();
    return seconds > 0 ? seconds : 0;
  }

  private double secondsPerToken() {
    double found = engine.get("cached_prompt_share").baselineOr(0);
    double computed = engine.get("prompt_length_mean").baseline() * (1 - Math.clamp(found, 0, 1));
    double prefill = engine.get("prefill_time_mean").baseline();
    double seconds = Double.isNaN(prefill) ? engine.get("ttft_mean").baseline() : prefill;
    return computed > 0 ? seconds / computed : 0;
  }

  /** Of requests that take as long, the share that could have ended by the baseline's end. */
  private double seenShare(double seconds) {
    Reading running = engine.get("running");
    for (int i = 0; baseline != null && i < running.values().length; i++) {
      if (!Double.isNaN(running.values()[i])) {
        double seen = (baseline.endMs() - running.timesMs()[i]) / 1000.0;
        return Double.isNaN(seconds) || seen <= 0
            ? 1
            : Math.max(SEEN_SHARE_MIN, 1 - seconds / seen);
      }
    }
    return 1;
  }
}
