package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineEvidence.seconds;
import static org.inferometer.diagnosis.cause.EngineEvidence.value;

import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom.Kind;
import org.inferometer.signals.Phrases;

/**
 * Answers stutter: most gaps between tokens are as ever and the worst are many times as long,
 * because a long prompt is computed in between, or because the loop pauses.
 */
public final class DecodeJitter implements Check {
  @Override
  public String cause() {
    return "decode-jitter";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    Reading worst = facts.get("itl_p99");
    Reading usual = facts.get("itl_p50");
    double spread = worst.value() / usual.value();
    boolean isFelt = facts.feels(Kind.ITL_TAIL);
    boolean isWide =
        spread >= facts.limit(isFelt ? "jitter_spread" : "jitter_spread_alone")
            && worst.value() >= facts.limit(isFelt ? "jitter_gap" : "jitter_gap_alone");
    Argument argument = new Argument(cause());
    argument.needsKnown(worst.isKnown(), "itl_p99").needsKnown(usual.isKnown(), "itl_p50");
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    argument.needs(
        isWide,
        Strength.STRONG,
        EngineEvidence.now(
            worst,
            facts.limit("jitter_gap"),
            "One gap between tokens in a hundred is longer than "
                + value(worst)
                + ", "
                + Phrases.number(spread)
                + " times the usual "
                + seconds(usual.value())));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    weighFelt(argument, facts, isFelt);
    weighMean(argument, facts);
    weighOthers(argument, facts);
    String says =
        "Answers stutter: most gaps between tokens are "
            + value(usual)
            + " and one in a hundred is over "
            + value(worst)
            + why(facts);
    return List.of(
        argument.conclude(
            service,
            null,
            null,
            EngineEvidence.instead(
                worst,
                worst.baselineOr(usual.value()),
                "Without stalls the worst gaps would be what they were, or the usual ones."),
            says,
            facts.onset("itl_p99", "itl_spread")));
  }

  private static String why(EngineFacts facts) {
    if (isPrompts(facts)) {
      return "; prompts take more computing than before, and nobody gets a token in the step that"
          + " computes one.";
    }
    return facts.isComparable() || facts.get("prompt_length_mean").isComparable()
        ? "; prompts are what they were, so that the loop itself pauses."
        : ", because of long prompts in the same step or of pauses of the loop.";
  }

  private static boolean isPrompts(EngineFacts facts) {
    double same = facts.limit("request_same");
    return facts.promptWorkRatio() >= same || facts.get("prompt_length_p99").ratio() >= same;
  }

  private static void weighFelt(Argument argument, EngineFacts facts, boolean isFelt) {
    Reading worst = facts.get("itl_p99");
    if (isFelt) {
      argument.supports(
          Strength.MODERATE, EngineEvidence.felt(facts, "itl_p99", "Users feel gaps of"));
    } else if (!Double.isNaN(worst.baseline())) {
      argument.opposes(
          Strength.STRONG, EngineEvidence.felt(facts, "itl_p99", "The gaps are as before,"));
    } else {
      argument.supports(
          Strength.WEAK,
          Evidence.of(
              worst, facts.limit("jitter_gap_alone"), "Gaps this long are seen by anyone."));
    }
  }

  private static void weighMean(Argument argument, EngineFacts facts) {
    Reading token = facts.get(facts.get("tpot_mean").isKnown() ? "tpot_mean" : "itl_mean");
    double ratio = token.ratio();
    if (!Double.isNaN(ratio)) {
      argument.weighs(
          ratio < facts.limit("jitter_mean"),
          Strength.WEAK,
          Strength.STRONG,
          EngineEvidence.felt(facts, token.signal(), "A token takes on average"));
    }
    Reading usual = facts.get("itl_p50");
    // A median that moved to the next bucket may hardly have moved; the mean shows whether it did.
    boolean isMeanUp = !(facts.get("itl_mean").ratio() < facts.limit("jitter_usual"));
    if (usual.ratio() >= facts.limit("jitter_usual") && isMeanUp) {
      argument.opposes(
          Strength.STRONG, EngineEvidence.felt(facts, "itl_p50", "The usual gap grew as well,"));
    }
  }

  private static void weighOthers(Argument argument, EngineFacts facts) {
    Reading answers = facts.get("output_length_mean");
    if (answers.value() < facts.limit("jitter_answer_tokens")) {
      argument.needs(
          false,
          Strength.WEAK,
          Evidence.of(
              answers,
              facts.limit("jitter_answer_tokens"),
              "Answers have "
                  + Phrases.number(answers.value())
                  + " tokens: nobody reads them as they come."));
    }
    weighReplicas(argument, facts);
    if (facts.whole.isPreempting(facts.thresholds)) {
      argument.opposes(Strength.STRONG, EngineEvidence.kvFull(facts));
    }
    if (!facts.prefillFull().isEmpty()) {
      argument.opposes(
          Strength.STRONG, EngineEvidence.prefillFull(facts.prefillFull().getFirst(), facts));
    }
    Reading prompts = facts.get("prompt_token_rate");
    if (prompts.ratio() >= facts.limit("request_same") && !isPrompts(facts)) {
      argument.opposes(
          Strength.STRONG,
          EngineEvidence.felt(
              facts, "prompt_token_rate", "More prompts interrupt the decoding; there are"));
    }
    if (facts.lacksAdapterSlots()) {
      argument.opposes(
          Strength.STRONG,
          Evidence.of(facts.get("lora_waiting"), null, "Loads of adapters stop the steps."));
    }
    if (facts.whole.isQueued(facts.thresholds)) {
      argument.opposes(Strength.MODERATE, EngineEvidence.queue(facts.whole, facts));
    }
  }

  /** Two kinds of replicas, or replicas whose caches are cold, have other gaps than one had. */
  private static void weighReplicas(Argument argument, EngineFacts facts) {
    Reading slowest = facts.get("slowest_replica");
    if (slowest.value() >= facts.limit("slow_replica_ratio")) {
      String says =
          "One replica takes "
              + Phrases.number(slowest.value())
              + " times the time of the usual one: gaps differ by where a request goes.";
      argument.opposes(
          Strength.STRONG, Evidence.of(slowest, facts.limit("slow_replica_ratio"), says));
    }
    List<Happening> changes = facts.world.replicaChanges();
    if (!changes.isEmpty()) {
      argument.opposes(
          Strength.STRONG,
          Evidence.computed(
              "engine",
              "replica_changes",
              changes.size(),
              "count",
              0.0,
              changes.getFirst().says() + " Meanwhile others do its work, with cold caches."));
    }
  }
}
