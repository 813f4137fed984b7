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
 * More LoRA adapters are asked for than fit at once: requests wait for a slot, with all else free.
 */
public final class AdapterChurn implements Check {
  @Override
  public String cause() {
    return "adapter-churn";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    Argument argument = new Argument(cause());
    Reading waiting = facts.get("lora_waiting");
    Reading slots = facts.get("lora_slots");
    Reading loads = facts.get("lora_load_rate");
    if (!waiting.isKnown() && !loads.isKnown()) {
      return List.of(
          new Outcome.RuledOut(cause(), "No adapters are used, as far as is told.", List.of()));
    }
    boolean isChurning =
        loads.or(0) * facts.limit("lora_load_seconds") >= facts.limit("lora_load_share");
    argument.needs(
        facts.lacksAdapterSlots() || isChurning,
        Strength.STRONG,
        waiting.isKnown() ? asked(waiting, slots) : loaded(loads));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    if (isChurning) {
      argument.supports(Strength.MODERATE, loaded(loads));
    }
    weigh(argument, facts);
    String says =
        "Requests wait for a LoRA slot: "
            + Phrases.number(waiting.or(0))
            + " adapters are waited for and "
            + Phrases.number(slots.or(0))
            + " fit at once.";
    return List.of(
        argument.conclude(
            service, null, null, effect(facts), says, facts.onset("lora_waiting", "waiting")));
  }

  private static Evidence asked(Reading waiting, Reading slots) {
    return EngineEvidence.now(
        waiting,
        slots.or(0),
        "Waiting requests ask for "
            + Phrases.number(waiting.value())
            + " adapters, with "
            + Phrases.number(slots.or(0))
            + " slots");
  }

  private static Evidence loaded(Reading loads) {
    return EngineEvidence.now(
        loads, 0, Phrases.number(loads.or(0)) + " adapters are loaded a second");
  }

  private static void weigh(Argument argument, EngineFacts facts) {
    if (facts.whole.isQueued(facts.thresholds)) {
      argument.supports(Strength.MODERATE, EngineEvidence.queue(facts.whole, facts));
    }
    if (facts.whole.isKvFull(facts.thresholds)) {
      argument.opposes(Strength.STRONG, EngineEvidence.kvFull(facts));
    } else if (facts.get("kv_usage_max").isKnown()) {
      argument.supports(Strength.MODERATE, EngineEvidence.kvFree(facts));
    }
    if (!facts.prefillFull().isEmpty()) {
      argument.opposes(
          Strength.STRONG, EngineEvidence.prefillFull(facts.prefillFull().getFirst(), facts));
    }
    if (!facts.feels(Kind.TTFT, Kind.E2E, Kind.ITL_TAIL, Kind.FAILURES)) {
      argument.opposes(
          Strength.DECISIVE,
          EngineEvidence.felt(facts, "ttft_p95", "Nobody feels it: the first token takes"));
    }
  }

  private static Effect effect(EngineFacts facts) {
    return EngineEvidence.lessSeconds(
        facts.get("ttft_mean"),
        Math.min(facts.whole.queueSeconds(), facts.get("ttft_mean").or(0)),
        "With a slot for every adapter nobody would wait for one.");
  }
}
