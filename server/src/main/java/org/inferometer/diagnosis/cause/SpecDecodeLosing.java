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
 * Drafts of speculative decoding cost more than they bring. A draft of k tokens, each costing a
 * share c of a step, breaks even at 1 + k c tokens a step.
 */
public final class SpecDecodeLosing implements Check {
  @Override
  public String cause() {
    return "spec-decode-losing";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    Reading length = length(facts);
    if (!length.isKnown()) {
      return List.of(
          new Outcome.RuledOut(cause(), "No drafts are made, as far as is told.", List.of()));
    }
    double drafted = facts.get("spec_draft_length").or(facts.limit("spec_draft_length_usual"));
    double even = 1 + drafted * facts.limit("spec_draft_cost");
    double gained = gained(length, drafted);
    Argument argument = new Argument(cause());
    String gain = "A step with a draft brings " + Phrases.number(gained) + " tokens";
    argument.needs(
        gained < even,
        Strength.STRONG,
        EngineEvidence.now(
            length, even, gain + " where " + Phrases.number(even) + " are needed to pay"));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    weighPace(argument, facts);
    double fell = length.ratio();
    if (fell <= facts.limit("spec_fell")) {
      argument.supports(
          Strength.MODERATE,
          EngineEvidence.now(length, facts.limit("spec_fell"), "Drafts are kept less than before"));
    }
    String says =
        gain
            + "; with "
            + Phrases.number(drafted)
            + " tokens drafted it takes "
            + Phrases.number(even)
            + " to pay for drafting and checking.";
    return List.of(
        argument.conclude(
            service,
            null,
            null,
            effect(facts, gained, even),
            says,
            facts.onset("spec_acceptance_length", "spec_acceptance_share")));
  }

  private static Reading length(EngineFacts facts) {
    Reading length = facts.get("spec_acceptance_length");
    return length.isKnown() ? length : facts.get("spec_acceptance_share");
  }

  private static double gained(Reading length, double drafted) {
    boolean isShare = length.signal().equals("spec_acceptance_share");
    return isShare ? 1 + drafted * length.value() : length.value();
  }

  private static void weighPace(Argument argument, EngineFacts facts) {
    Reading token = facts.get("tpot_mean");
    Reading gap = facts.get("itl_mean");
    if (facts.feels(Kind.TPOT)) {
      argument.supports(Strength.STRONG, EngineEvidence.felt(facts, "tpot_mean", "A token takes"));
    } else if (facts.isComparable()) {
      argument.opposes(
          Strength.WEAK, EngineEvidence.felt(facts, "tpot_mean", "A token takes what it took:"));
    }
    if (token.value() >= facts.limit("spec_pace_share") * gap.value()) {
      argument.supports(
          Strength.MODERATE,
          Evidence.of(
              token,
              gap.value(),
              "A token takes "
                  + EngineEvidence.value(token)
                  + ", about as long as an output of one draft, "
                  + EngineEvidence.value(gap)
                  + "."));
    }
    double queue = facts.whole.queueShare();
    if (facts.whole.isKvFull(facts.thresholds)) {
      argument.opposes(Strength.MODERATE, EngineEvidence.kvFull(facts));
    } else if (queue < facts.limit("queue_share")) {
      argument.supports(Strength.WEAK, EngineEvidence.noQueue(facts));
    }
  }

  private static Effect effect(EngineFacts facts, double gained, double even) {
    Reading token = facts.get("tpot_mean");
    return EngineEvidence.instead(
        token,
        token.value() * Math.max(1, gained) / even,
        "Without drafts a step would be as much shorter as drafting and checking cost, and bring"
            + " one token.");
  }
}
