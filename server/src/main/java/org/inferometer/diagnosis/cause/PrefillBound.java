package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineEvidence.percent;

import java.util.List;
import org.inferometer.diagnosis.cause.EnginePart.When;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom.Kind;
import org.inferometer.signals.Phrases;

/**
 * Prompts ask for more computing than there is: steps are full of prompt tokens and more prompts
 * are ready, though the KV cache has room. A long prompt that takes its time while nothing waits is
 * none.
 */
public final class PrefillBound implements Check {
  @Override
  public String cause() {
    return "prefill-bound";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    List<EnginePart> full = facts.prefillFull();
    boolean isPart = !full.isEmpty() && full.size() < facts.parts.size();
    EnginePart part = full.isEmpty() ? facts.whole : full.getFirst();
    Argument argument = new Argument(cause());
    argument.needsKnown(facts.get("prompt_token_rate").isKnown(), "prompt_token_rate");
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    argument.needs(
        !full.isEmpty(),
        Strength.STRONG,
        full.isEmpty()
            ? EngineEvidence.prefillNotFull(facts)
            : EngineEvidence.prefillFull(part, facts));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    weighOccupied(argument, facts, part);
    weighFelt(argument, facts);
    weighAsked(argument, facts);
    weighKv(argument, facts, part);
    String says =
        "Prompts ask for more computing than there is: "
            + Phrases.number(part.computedRate(When.NOW))
            + " prompt tokens a second are computed, "
            + percent(part.promptTokenShare())
            + " of all tokens"
            + (part.isQueued(thresholds)
                ? ", while " + Phrases.value("requests", part.value("waiting")) + " wait."
                : ", with " + Phrases.number(part.inPrefill()) + " prompts at a time.");
    return List.of(
        argument.conclude(
            service,
            isPart ? part.instance() : null,
            null,
            effect(facts),
            says,
            facts.onset("prefill_time_mean", "prompt_token_rate", "waiting")));
  }

  private static void weighOccupied(Argument argument, EngineFacts facts, EnginePart part) {
    if (part.isQueued(facts.thresholds)) {
      argument.supports(Strength.MODERATE, EngineEvidence.queue(part, facts));
    } else {
      argument.supports(
          Strength.WEAK,
          Evidence.computed(
              "engine",
              "requests_in_prefill",
              part.inPrefill(),
              "requests",
              facts.limit("prefill_concurrency"),
              "On average "
                  + Phrases.number(part.inPrefill())
                  + " requests are in prefill at a time, so that they share its steps."));
    }
  }

  private static void weighFelt(Argument argument, EngineFacts facts) {
    boolean isFelt = facts.feels(Kind.TTFT, Kind.TPOT, Kind.ITL_TAIL, Kind.E2E, Kind.FAILURES);
    argument.weighs(
        isFelt,
        Strength.MODERATE,
        Strength.DECISIVE,
        EngineEvidence.felt(facts, "ttft_p95", "The first token takes"));
  }

  private static void weighAsked(Argument argument, EngineFacts facts) {
    if (facts.isSlowerByItself()) {
      argument.opposes(Strength.STRONG, EngineEvidence.slowerByItself(facts));
    } else if (facts.promptWorkRatio() >= facts.limit("request_same")) {
      argument.supports(
          Strength.WEAK,
          Evidence.computed(
              "request",
              "prompt_work",
              facts.promptWorkRatio(),
              "count",
              facts.limit("request_same"),
              "A request has "
                  + Phrases.number(facts.promptWorkRatio())
                  + " times the prompt tokens to compute that one had before."));
    } else if (facts.isMoreOfTheSame()) {
      argument.opposes(
          Strength.DECISIVE,
          EngineEvidence.rate(
              facts, "Requests are what they were and decode in large batches, only more come"));
    } else if (facts.rateRatio() >= facts.limit("workload_more")) {
      argument.supports(Strength.WEAK, EngineEvidence.rate(facts, "More requests come"));
    }
  }

  private static void weighKv(Argument argument, EngineFacts facts, EnginePart part) {
    if (part.isPreempting(facts.thresholds)) {
      argument.opposes(Strength.STRONG, EngineEvidence.kvFull(facts));
    } else if (part.get("kv_usage_max").value() < facts.limit("kv_usage_free")) {
      argument.supports(Strength.WEAK, EngineEvidence.kvFree(facts));
    }
  }

  private static Effect effect(EngineFacts facts) {
    Reading first = facts.get("ttft_mean");
    double before = first.baseline();
    if (facts.isComparable() && before < first.value()) {
      return EngineEvidence.instead(
          first, before, "With computing for all prompts it would be what it was before.");
    }
    double queue = Math.min(facts.whole.queueSeconds(), first.or(0));
    return EngineEvidence.lessSeconds(
        first, queue, "With computing for all prompts nobody would wait for a step's budget.");
  }
}
