package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.cause.EnginePart.When;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.signals.Phrases;

/** Evidence that several checks of the engine give, in words. */
final class EngineEvidence {
  private EngineEvidence() {}

  /** A reading in a sentence that has its value, with what it was. */
  static Evidence now(Reading reading, double threshold, String says) {
    return Evidence.of(reading, threshold, says + before(reading) + ".");
  }

  static String before(Reading reading) {
    return Double.isNaN(reading.baseline())
        ? ""
        : ", before " + Phrases.value(reading.unit(), reading.baseline());
  }

  static String value(Reading reading) {
    return Phrases.value(reading.unit(), reading.value());
  }

  static String percent(double share) {
    return Phrases.value("ratio", share);
  }

  static String seconds(double seconds) {
    return Phrases.value("seconds", seconds);
  }

  static Evidence felt(EngineFacts facts, String signal, String what) {
    Reading reading = facts.get(signal);
    return Evidence.of(reading, null, what + " " + value(reading) + before(reading) + ".");
  }

  static Evidence queue(EnginePart part, EngineFacts facts) {
    return at(
        part,
        Evidence.computed(
            "engine",
            "queue_share",
            part.queueShare(),
            "ratio",
            facts.limit("queue_share"),
            Phrases.value("requests", part.get("waiting").or(0))
                + " wait; waiting is "
                + percent(part.queueShare())
                + " of the first token's time."));
  }

  static Evidence noQueue(EngineFacts facts) {
    Reading waiting = facts.get("waiting");
    return Evidence.of(
        waiting, facts.limit("queue_waiting"), "Hardly a request waits to be scheduled.");
  }

  static Evidence kvFree(EngineFacts facts) {
    Reading usage = facts.get("kv_usage_max");
    return Evidence.of(
        usage,
        facts.limit("kv_usage_full"),
        "The KV cache has room: "
            + Phrases.value("ratio", usage.max())
            + " used at its fullest, nothing preempted.");
  }

  static Evidence kvFull(EngineFacts facts) {
    Reading usage = facts.get("kv_usage_max");
    Reading preemptions = facts.get("preemption_rate");
    boolean isPreempting = preemptions.value() > 0;
    return Evidence.of(
        isPreempting ? preemptions : usage,
        isPreempting ? 0.0 : facts.limit("kv_usage_full"),
        "The KV cache has no room: "
            + Phrases.value("ratio", usage.max())
            + " used at its fullest, "
            + Phrases.number(preemptions.or(0))
            + " preemptions a second.");
  }

  static Evidence prefillFull(EnginePart part, EngineFacts facts) {
    double flops = part.prefillFlopsShare();
    boolean isFlops = !Double.isNaN(flops);
    double step = part.promptPerStep();
    String says =
        isFlops
            ? "Prompts ask for "
                + percent(flops)
                + " of the operations that the GPUs can do at their peak, which is about what"
                + " kernels reach."
            : Double.isNaN(step)
                ? Phrases.number(part.inPrefill())
                    + " requests are in prefill at any time on each engine."
                : "A step computes "
                    + Phrases.number(step)
                    + " prompt tokens on average, so that computing takes its time.";
    return at(
        part,
        Evidence.computed(
            "engine",
            isFlops ? "prefill_flops_share" : "prompt_tokens_per_step",
            isFlops ? flops : Double.isNaN(step) ? part.inPrefill() : step,
            isFlops ? "ratio" : "tokens",
            isFlops ? part.flopsFull(facts.thresholds) : part.ridge(facts.thresholds),
            says));
  }

  static Evidence prefillNotFull(EngineFacts facts) {
    EnginePart whole = facts.whole;
    double flops = whole.prefillFlopsShare();
    String share =
        Double.isNaN(flops)
            ? Phrases.number(whole.computedRate(When.NOW)) + " prompt tokens computed a second"
            : percent(flops) + " of the GPUs' peak";
    return Evidence.computed(
        "engine",
        "prefill_flops_share",
        flops,
        "ratio",
        whole.flopsFull(facts.thresholds),
        "Prompts don't take the steps' time: " + share + ".");
  }

  static Evidence rate(EngineFacts facts, String says) {
    Reading started = facts.get("request_start_rate");
    Reading rate = started.isKnown() ? started : facts.get("request_rate");
    return Evidence.of(
        rate, facts.limit("workload_more"), says + ": " + value(rate) + before(rate) + ".");
  }

  static Evidence slowerByItself(EngineFacts facts) {
    return rate(facts, "No more is asked than before, so that something became slower instead");
  }

  static Evidence at(EnginePart part, Evidence evidence) {
    return part.instance() == null ? evidence : evidence.at(part.instance());
  }

  /** The effect on a mean: what it would be without some of its seconds. */
  static Effect lessSeconds(Reading reading, double seconds, String text) {
    double value = reading.value();
    double without = Math.max(0, value - seconds);
    double share = value > 0 ? (value - without) / value : Double.NaN;
    return new Effect(reading.signal(), share, value, without, text);
  }

  /** The effect on something: what it would be instead. */
  static Effect instead(Reading reading, double without, String text) {
    double value = reading.value();
    double share = value > 0 ? Math.clamp(1 - without / value, 0, 1) : Double.NaN;
    return new Effect(reading.signal(), share, value, without, text);
  }
}
