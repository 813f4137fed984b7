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
import org.inferometer.diagnosis.world.Symptom.Kind;
import org.inferometer.signals.Phrases;

/**
 * More comes than all replicas together can serve, and nothing is broken. A queue alone is no
 * cause: it is this one where requests are what they were and more of them come, or where seats
 * bind and blocks, prompts, adapters and transfers don't.
 */
public final class Capacity implements Check {
  @Override
  public String cause() {
    return "capacity";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    Argument argument = new Argument(cause());
    EnginePart whole = facts.whole;
    List<EnginePart> queued = facts.queued();
    boolean isQueued = !queued.isEmpty() && facts.get("waiting").isKnown();
    argument
        .needsKnown(facts.get("waiting").isKnown(), "waiting")
        .needs(
            isQueued,
            Strength.STRONG,
            isQueued ? EngineEvidence.queue(whole, facts) : EngineEvidence.noQueue(facts));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    weighSpread(argument, facts, queued.size());
    weighAsked(argument, facts);
    if (queued.size() == facts.parts.size()) {
      weighSeats(argument, facts);
    }
    weighOthers(argument, facts);
    Reading waiting = facts.get("waiting");
    String says =
        "More requests come than can be served: "
            + Phrases.value("requests", waiting.value())
            + " wait, and nothing else is short"
            + (facts.rateRatio() >= facts.limit("workload_more")
                ? "; " + Phrases.number(facts.rateRatio()) + " times as many come as before."
                : ".");
    return List.of(
        argument.conclude(
            service,
            null,
            null,
            effect(facts),
            says,
            facts.onset("waiting", "request_start_rate")));
  }

  private static void weighSpread(Argument argument, EngineFacts facts, int queued) {
    int all = facts.parts.size();
    if (all == 1) {
      return;
    }
    Evidence spread =
        Evidence.computed(
            "engine",
            "replicas_with_queue",
            queued,
            "count",
            null,
            "Requests wait at " + queued + " of " + all + " replicas.");
    Strength against = 2 * queued > all ? Strength.STRONG : Strength.DECISIVE;
    argument.weighs(queued == all, Strength.WEAK, against, spread);
  }

  private static void weighAsked(Argument argument, EngineFacts facts) {
    if (!facts.isComparable()) {
      return;
    }
    if (facts.isSlowerByItself()) {
      argument.opposes(Strength.STRONG, EngineEvidence.slowerByItself(facts));
      return;
    }
    if (facts.rateRatio() >= facts.limit("workload_more")) {
      argument.supports(Strength.MODERATE, EngineEvidence.rate(facts, "More requests come"));
    } else {
      argument.opposes(Strength.MODERATE, EngineEvidence.rate(facts, "No more requests come"));
    }
    if (facts.isSameRequest()) {
      argument.supports(
          Strength.MODERATE,
          EngineEvidence.felt(facts, "prompt_length_mean", "A request is what it was, prompts of"));
    } else if (isHeavier(facts)) {
      argument.opposes(
          Strength.STRONG,
          Evidence.computed(
              "request",
              "prompt_work",
              facts.promptWorkRatio(),
              "count",
              facts.limit("request_same"),
              "Each request asks for more: "
                  + Phrases.number(facts.promptWorkRatio())
                  + " times the prompt tokens to compute, "
                  + Phrases.number(facts.get("output_length_mean").ratio())
                  + " times the answer."));
    }
  }

  private static boolean isHeavier(EngineFacts facts) {
    double same = facts.limit("request_same");
    return facts.promptWorkRatio() > same || facts.get("output_length_mean").ratio() > same;
  }

  private static void weighSeats(Argument argument, EngineFacts facts) {
    Reading running = facts.get("running");
    if (facts.whole.isPinned(facts.thresholds)) {
      argument.supports(
          Strength.MODERATE,
          Evidence.of(
              running,
              null,
              Phrases.value("requests", running.value())
                  + " run all the time, as many as may: seats bind."));
    }
    if (facts.get("kv_usage_max").isKnown() && !facts.whole.isKvFull(facts.thresholds)) {
      argument.supports(Strength.WEAK, EngineEvidence.kvFree(facts));
    }
  }

  private static void weighOthers(Argument argument, EngineFacts facts) {
    boolean isNumber = facts.isMoreOfTheSame();
    if (!isNumber && facts.parts.stream().anyMatch(p -> p.isKvFull(facts.thresholds))) {
      argument.opposes(Strength.DECISIVE, EngineEvidence.kvFull(facts));
    }
    List<EnginePart> prefill = facts.prefillFull();
    if (!isNumber && !prefill.isEmpty()) {
      argument.opposes(Strength.DECISIVE, EngineEvidence.prefillFull(prefill.getFirst(), facts));
    }
    if (facts.lacksAdapterSlots()) {
      argument.opposes(
          Strength.DECISIVE,
          Evidence.of(facts.get("lora_waiting"), null, "Requests wait for adapters' slots."));
    }
    if (facts.isTransferSlow()) {
      argument.opposes(
          Strength.DECISIVE,
          Evidence.of(facts.get("kv_transfer_time_mean"), null, "Requests wait for KV to come."));
    }
    if (facts.get("output_token_rate").value() == 0) {
      argument.opposes(
          Strength.DECISIVE,
          Evidence.of(facts.get("output_token_rate"), null, "No token comes out at all."));
    }
    if (!facts.feels(Kind.TTFT, Kind.E2E, Kind.FAILURES)) {
      argument.opposes(
          Strength.STRONG,
          EngineEvidence.felt(facts, "ttft_p95", "Nobody feels it: the first token takes"));
    }
  }

  private static Effect effect(EngineFacts facts) {
    return EngineEvidence.lessSeconds(
        facts.get("ttft_mean"),
        Math.min(facts.whole.queueSeconds(), facts.get("ttft_mean").or(0)),
        "With room for all that come nobody would wait to be scheduled.");
  }
}
