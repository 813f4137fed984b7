package org.inferometer.diagnosis.cause;

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
 * So many requests decode together that their step takes several times what a small batch takes:
 * tokens a second are at their ceiling, and every request more makes all slower.
 */
public final class DecodeSaturated implements Check {
  @Override
  public String cause() {
    return "decode-saturated";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    EnginePart whole = facts.whole;
    double batch = whole.batch(When.NOW);
    Argument argument = new Argument(cause());
    Reading pace = facts.get(facts.get("tpot_mean").isKnown() ? "tpot_mean" : "itl_mean");
    argument
        .needsKnown(facts.get("running").isKnown(), "running")
        .needsKnown(pace.isKnown(), "tpot_mean")
        .needs(
            batch >= facts.limit("batch_large"),
            Strength.WEAK,
            Evidence.computed(
                "engine",
                "batch",
                batch,
                "requests",
                facts.limit("batch_large"),
                Phrases.value("requests", batch) + " decode together on an engine."))
        .needs(
            facts.feels(Kind.TPOT),
            Strength.MODERATE,
            EngineEvidence.felt(facts, pace.signal(), "A token takes"));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    weighBatch(argument, facts, batch);
    weighGrowth(argument, facts);
    weighOthers(argument, facts);
    String says =
        "Batches are so large that each token is slow: "
            + Phrases.value("requests", batch)
            + " decode together on an engine, and a token takes "
            + EngineEvidence.value(pace)
            + EngineEvidence.before(pace)
            + ".";
    Effect effect =
        EngineEvidence.instead(
            pace, pace.baseline(), "With the batch of before a token would take what it took.");
    return List.of(
        argument.conclude(service, null, null, effect, says, facts.onset("running", "tpot_mean")));
  }

  private static void weighBatch(Argument argument, EngineFacts facts, double batch) {
    double ridge = facts.whole.ridge(facts.thresholds);
    double tokens = batch * Math.max(1, facts.get("spec_draft_length").or(0) + 1);
    if (tokens >= facts.limit("batch_compute_share") * ridge) {
      argument.supports(
          Strength.STRONG,
          Evidence.computed(
              "engine",
              "step_tokens",
              tokens,
              "tokens",
              facts.limit("batch_compute_share") * ridge,
              "Of about "
                  + Phrases.number(ridge)
                  + " tokens in a step, computing takes as long as reading the weights; there are "
                  + Phrases.number(tokens)
                  + "."));
    }
  }

  private static void weighGrowth(Argument argument, EngineFacts facts) {
    Reading running = facts.get("running");
    double grown = running.ratio();
    if (Double.isNaN(grown)) {
      return;
    }
    argument.weighs(
        grown >= facts.limit("batch_grown"),
        Strength.MODERATE,
        Strength.STRONG,
        EngineEvidence.now(
            running,
            facts.limit("batch_grown"),
            EngineEvidence.value(running) + " run on all engines"));
    Reading output = facts.get("output_token_rate");
    if (output.ratio() < grown * facts.limit("throughput_lag")) {
      argument.supports(
          Strength.WEAK,
          EngineEvidence.now(
              output,
              Double.NaN,
              "Tokens a second grew far less: " + EngineEvidence.value(output)));
    }
  }

  private static void weighOthers(Argument argument, EngineFacts facts) {
    if (facts.whole.isPreempting(facts.thresholds)) {
      argument.opposes(Strength.STRONG, EngineEvidence.kvFull(facts));
    }
    if (!facts.prefillFull().isEmpty()) {
      argument.opposes(
          Strength.STRONG, EngineEvidence.prefillFull(facts.prefillFull().getFirst(), facts));
    }
    if (facts.isSlowerByItself()) {
      argument.opposes(Strength.STRONG, EngineEvidence.slowerByItself(facts));
    }
    if (facts.whole.isQueued(facts.thresholds)) {
      argument.opposes(Strength.MODERATE, EngineEvidence.queue(facts.whole, facts));
    }
  }
}
