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

/** KV comes late from the engine that computes prompts to the one that answers. */
public final class KvTransferBound implements Check {
  @Override
  public String cause() {
    return "kv-transfer-bound";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    Reading time = facts.get("kv_transfer_time_mean");
    Reading failures = facts.get("kv_transfer_failure_rate");
    boolean isFailing = failures.value() > 0;
    if (!(time.value() > 0) && !isFailing) {
      return List.of(
          new Outcome.RuledOut(
              cause(), "No KV is moved between engines, as far as is told.", List.of()));
    }
    Argument argument = new Argument(cause());
    double share = share(facts);
    argument.needs(
        share >= facts.limit("kv_transfer_share") || isFailing,
        Strength.MODERATE,
        Evidence.of(
            time,
            facts.limit("kv_transfer_share"),
            "A transfer takes "
                + EngineEvidence.seconds(time.value())
                + ", "
                + EngineEvidence.percent(share)
                + " of the time to the first token and itself"
                + EngineEvidence.before(time)
                + "."));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    weighLink(argument, facts);
    if (isFailing) {
      argument.supports(
          Strength.STRONG,
          EngineEvidence.now(
              failures, 0, Phrases.number(failures.value()) + " transfers fail a second"));
    }
    weighOthers(argument, facts);
    Reading width = facts.get("kv_transfer_bandwidth");
    String says =
        "KV comes late over the link between prefill and decode: a transfer takes "
            + EngineEvidence.seconds(time.value())
            + (width.isKnown() ? " at " + EngineEvidence.value(width) + "." : ".");
    return List.of(
        argument.conclude(
            service,
            null,
            null,
            effect(facts),
            says,
            facts.onset("kv_transfer_time_mean", "kv_transfer_bandwidth")));
  }

  /** Of the time that the first token and the transfer take, the first one may not contain it. */
  private static double share(EngineFacts facts) {
    double time = facts.get("kv_transfer_time_mean").or(0);
    double first = facts.get("ttft_mean").or(0);
    return time > 0 ? time / (first + time) : 0;
  }

  private static void weighLink(Argument argument, EngineFacts facts) {
    Reading time = facts.get("kv_transfer_time_mean");
    Reading width = facts.get("kv_transfer_bandwidth");
    if (!Double.isNaN(time.ratio())) {
      argument.weighs(
          facts.isTransferSlow(),
          Strength.STRONG,
          Strength.WEAK,
          EngineEvidence.now(
              time,
              facts.limit("kv_transfer_slower"),
              "A transfer takes " + EngineEvidence.seconds(time.value())));
    }
    double slow = facts.limit("kv_link_slow");
    if (width.value() > 0 && width.value() < slow) {
      argument.supports(
          Strength.MODERATE,
          EngineEvidence.now(width, slow, "The link moves " + EngineEvidence.value(width)));
    }
  }

  private static void weighOthers(Argument argument, EngineFacts facts) {
    List<EnginePart> prefill = facts.prefillFull();
    if (!prefill.isEmpty() && !facts.isTransferSlow()) {
      argument.opposes(Strength.STRONG, EngineEvidence.prefillFull(prefill.getFirst(), facts));
    }
    boolean isFelt = facts.feels(Kind.TTFT, Kind.TPOT, Kind.E2E, Kind.FAILURES);
    argument.weighs(
        isFelt,
        Strength.WEAK,
        Strength.STRONG,
        EngineEvidence.felt(facts, "ttft_p95", "The first token takes"));
  }

  private static Effect effect(EngineFacts facts) {
    Reading time = facts.get("kv_transfer_time_mean");
    double more = time.value() - time.baselineOr(0);
    return EngineEvidence.lessSeconds(
        facts.get("ttft_mean"),
        Math.min(more, facts.get("ttft_mean").or(0)),
        "A transfer as quick as before would save what it takes longer; its wait is taken to be"
            + " in the first token's time.");
  }
}
