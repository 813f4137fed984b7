package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineEvidence.at;
import static org.inferometer.diagnosis.cause.EngineEvidence.percent;

import java.util.ArrayList;
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
 * The KV cache has no room left: requests wait for blocks, or are preempted and computed again. A
 * cache that is well filled while nothing waits and nothing is preempted is a cache well used.
 */
public final class KvExhaustion implements Check {
  @Override
  public String cause() {
    return "kv-exhaustion";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    List<EnginePart> full = new ArrayList<>();
    for (EnginePart part : facts.parts) {
      if (part.isKvFull(thresholds)) {
        full.add(part);
      }
    }
    boolean isOne = full.size() == 1 && facts.parts.size() > 1;
    EnginePart part = isOne ? full.getFirst() : facts.whole;
    return List.of(examine(facts, part));
  }

  private Outcome examine(EngineFacts facts, EnginePart part) {
    Argument argument = new Argument(cause());
    Reading usage = part.get("kv_usage_max");
    Reading preemptions = part.get("preemption_rate");
    boolean isPreempting = part.isPreempting(facts.thresholds);
    boolean isFull = usage.max() >= facts.limit("kv_usage_full");
    argument.needsKnown(usage.isKnown() || preemptions.isKnown(), usage.signal());
    if (argument.isOver()) {
      return argument.over();
    }
    argument.needs(isFull || isPreempting, Strength.MODERATE, at(part, usage(facts, usage)));
    if (argument.isOver()) {
      return argument.over();
    }
    if (isPreempting) {
      argument.supports(Strength.STRONG, at(part, preempted(facts, part)));
    } else if (preemptions.isKnown()) {
      argument.opposes(
          Strength.WEAK, Evidence.of(preemptions, null, "Hardly a request is preempted."));
    }
    weighQueue(argument, facts, part, isFull);
    weighFelt(argument, facts);
    weighOthers(argument, facts, part);
    String says =
        "The KV cache has no room: "
            + percent(usage.max())
            + " of its blocks are used at its fullest"
            + (isPreempting
                ? " and " + each(part) + " preemptions come on each request, computed again."
                : ", and requests wait for blocks.");
    return argument.conclude(
        facts.world,
        part.instance(),
        null,
        effect(facts, part),
        says,
        facts.onset("preemption_rate", "kv_usage_max"));
  }

  private static Evidence usage(EngineFacts facts, Reading usage) {
    return Evidence.of(
        usage,
        facts.limit("kv_usage_full"),
        "The KV cache was " + percent(usage.max()) + " full at its fullest.");
  }

  private static String each(EnginePart part) {
    return Phrases.number(part.value("preemption_rate") / part.rate(When.NOW));
  }

  private static Evidence preempted(EngineFacts facts, EnginePart part) {
    return Evidence.of(
        part.get("preemption_rate"),
        facts.limit("preemptions_per_request"),
        Phrases.number(part.value("preemption_rate"))
            + " requests a second lose their blocks and are computed again, "
            + each(part)
            + " for each that comes.");
  }

  private static void weighQueue(
      Argument argument, EngineFacts facts, EnginePart part, boolean isFull) {
    if (isFull && part.isQueued(facts.thresholds)) {
      argument.supports(Strength.STRONG, EngineEvidence.queue(part, facts));
    }
    // Only an engine without a free block preempts, whatever the seats.
    boolean isBlocks = isFull || part.isPreempting(facts.thresholds);
    if (!isBlocks && part.isPinned(facts.thresholds)) {
      argument.opposes(
          Strength.STRONG,
          Evidence.of(part.get("running"), null, "Seats bind, not blocks: as many run as may."));
    }
  }

  private static void weighFelt(Argument argument, EngineFacts facts) {
    boolean isFelt = facts.feels(Kind.TTFT, Kind.TPOT, Kind.ITL_TAIL, Kind.E2E, Kind.FAILURES);
    if (!isFelt) {
      argument.opposes(
          Strength.DECISIVE,
          EngineEvidence.felt(facts, "ttft_p95", "Nobody feels it: the first token takes"));
    } else {
      argument.supports(
          Strength.WEAK, EngineEvidence.felt(facts, "ttft_p95", "The first token takes"));
    }
  }

  private static void weighOthers(Argument argument, EngineFacts facts, EnginePart part) {
    if (part.isPrefillFull(facts.thresholds)) {
      argument.opposes(Strength.MODERATE, EngineEvidence.prefillFull(part, facts));
    }
    if (facts.isMoreOfTheSame()) {
      argument.opposes(
          Strength.STRONG,
          EngineEvidence.rate(
              facts, "Requests are what they were and decode in large batches, only more come"));
    }
    if (facts.isSlowerByItself()) {
      argument.opposes(Strength.MODERATE, EngineEvidence.slowerByItself(facts));
    }
  }

  private static Effect effect(EngineFacts facts, EnginePart part) {
    Reading first = facts.get("ttft_mean");
    double queue = Math.min(part.queueSeconds(), first.or(0));
    if (queue > facts.limit("queue_share") * first.or(0)) {
      return EngineEvidence.lessSeconds(
          first, queue, "With blocks for all that come the wait for them would be none.");
    }
    Reading token = facts.get("tpot_mean");
    return EngineEvidence.instead(
        token,
        token.baseline(),
        "Preempted requests stop in the middle of their answers; before, a token took this.");
  }
}
