package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineEvidence.percent;
import static org.inferometer.diagnosis.cause.EngineEvidence.seconds;

import java.util.List;
import org.inferometer.diagnosis.cause.EnginePart.When;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom.Kind;
import org.inferometer.signals.Phrases;

/**
 * A token takes as long as it takes to read weights and the KV of long contexts, at a batch too
 * small for computing to matter. A power cap takes nothing from it while the memory's clock stays.
 */
public final class DecodeMemoryBound implements Check {
  @Override
  public String cause() {
    return "decode-memory-bound";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    EngineRoofline roofline = EngineRoofline.of(facts.whole, thresholds, When.NOW);
    double active = mean(service, "gpu_dram_active");
    Reading pace = pace(facts);
    boolean isTiny = isTiny(facts, active);
    Argument argument = new Argument(cause());
    argument
        .needsKnown(pace.isKnown(), "tpot_mean")
        .needsKnown(!Double.isNaN(roofline.seconds()) || !Double.isNaN(active), "gpu_dram_active")
        .needs(
            facts.feels(Kind.TPOT) || isTiny,
            Strength.MODERATE,
            EngineEvidence.felt(facts, pace.signal(), "A token takes"))
        .needs(isSmall(facts), Strength.WEAK, batch(facts));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    double explained = Math.min(1, roofline.seconds() / pace.value());
    weighRoofline(argument, facts, roofline, explained);
    weighRise(argument, facts, roofline);
    weighContexts(argument, facts, roofline, isTiny);
    weighGpus(argument, service, facts, active);
    weighOthers(argument, facts);
    String says =
        "A token waits for memory: with "
            + Phrases.value("requests", facts.whole.batch(When.NOW))
            + " in a batch and contexts of "
            + Phrases.value("tokens", facts.get("prompt_length_mean").or(0))
            + ", reading weights and KV takes "
            + (Double.isNaN(explained) ? "most" : percent(explained))
            + " of its time.";
    return List.of(
        argument.conclude(
            service,
            null,
            null,
            effect(facts, roofline, pace),
            says,
            facts.onset("tpot_mean", "prompt_length_mean", "kv_usage")));
  }

  private static Reading pace(EngineFacts facts) {
    Reading token = facts.get("tpot_mean");
    return token.isKnown() ? token : facts.get("itl_mean");
  }

  /** Whether a busy GPU has next to nothing to batch, and somebody complains. */
  private static boolean isTiny(EngineFacts facts, double active) {
    return facts.whole.batch(When.NOW) <= facts.limit("batch_tiny")
        && active >= facts.limit("dram_active_full")
        && mean(facts.world, "gpu_util") >= facts.limit("gpu_busy")
        && (facts.world.symptoms().hasAnywhere(Kind.E2E)
            || facts.world.symptoms().hasAnywhere(Kind.TTFT));
  }

  private static boolean isSmall(EngineFacts facts) {
    return facts.whole.batch(When.NOW)
        < facts.limit("batch_compute_share") * facts.whole.ridge(facts.thresholds);
  }

  private static Evidence batch(EngineFacts facts) {
    double ridge = facts.whole.ridge(facts.thresholds);
    return Evidence.computed(
        "engine",
        "batch",
        facts.whole.batch(When.NOW),
        "requests",
        facts.limit("batch_compute_share") * ridge,
        "An engine runs "
            + Phrases.value("requests", facts.whole.batch(When.NOW))
            + " at once; computing matters from about "
            + Phrases.number(ridge)
            + " tokens a step.");
  }

  private static void weighRoofline(
      Argument argument, EngineFacts facts, EngineRoofline roofline, double explained) {
    if (Double.isNaN(explained)) {
      return;
    }
    argument.weighs(
        explained >= facts.limit("roofline_explains"),
        Strength.STRONG,
        Strength.STRONG,
        Evidence.computed(
            "gpu",
            "decode_roofline",
            roofline.seconds(),
            "seconds",
            facts.limit("roofline_explains") * pace(facts).value(),
            "Reading "
                + Phrases.value("bytes", roofline.weights())
                + " of weights and "
                + Phrases.value("bytes", roofline.kv())
                + " of KV takes "
                + seconds(roofline.seconds())
                + " of the "
                + seconds(pace(facts).value())
                + " of a token."));
  }

  /** A token that got slower got so by what is read more now, or by something else. */
  private static void weighRise(Argument argument, EngineFacts facts, EngineRoofline roofline) {
    EngineRoofline before = EngineRoofline.of(facts.whole, facts.thresholds, When.BEFORE);
    double more = roofline.seconds() - before.seconds();
    double rise = pace(facts).rise();
    double least = facts.limit("explained_share") * rise;
    if (rise >= facts.limit("symptom_tpot_rise") && more < least) {
      argument.opposes(
          Strength.STRONG,
          Evidence.computed(
              "gpu",
              "decode_roofline_rise",
              more,
              "seconds",
              least,
              "A token takes %s longer than before, and reading what is read more takes %s of it."
                  .formatted(seconds(rise), seconds(Math.max(0, more)))));
    }
  }

  private static void weighContexts(
      Argument argument, EngineFacts facts, EngineRoofline roofline, boolean isTiny) {
    if (isTiny) {
      return;
    }
    double before = EngineRoofline.contextTokens(facts.whole, When.BEFORE);
    double now = EngineRoofline.contextTokens(facts.whole, When.NOW);
    double grown = EngineFacts.ratio(now, before);
    Evidence contexts =
        Evidence.computed(
            "engine",
            "context_tokens",
            now,
            "tokens",
            facts.limit("context_grown") * before,
            "Each step reads the KV of "
                + Phrases.value("tokens", now)
                + (before > 0 ? ", before of " + Phrases.number(before) : "")
                + ".");
    boolean isMuch = !(roofline.kvShare() < facts.limit("kv_read_share"));
    if (!isMuch) {
      argument.opposes(Strength.STRONG, contexts);
    } else if (!Double.isNaN(grown)) {
      argument.weighs(
          grown >= facts.limit("context_grown"), Strength.MODERATE, Strength.STRONG, contexts);
    }
    double batch = EngineFacts.ratio(facts.whole.batch(When.NOW), facts.whole.batch(When.BEFORE));
    if (grown / batch < facts.limit("context_grown")) {
      argument.opposes(Strength.MODERATE, batch(facts));
    }
  }

  private static void weighGpus(
      Argument argument, ServiceWorld service, EngineFacts facts, double active) {
    if (Double.isNaN(active)) {
      return;
    }
    double full = facts.limit("dram_active_high");
    argument.weighs(
        active >= full,
        Strength.MODERATE,
        Strength.STRONG,
        Evidence.computed(
            "gpu",
            "gpu_dram_active",
            active,
            "ratio",
            full,
            "Memory is read or written for " + percent(active) + " of the time."));
    double tensor = mean(service, "gpu_tensor_active");
    if (tensor >= facts.limit("tensor_active_high")) {
      argument.opposes(
          Strength.MODERATE,
          Evidence.computed(
              "gpu",
              "gpu_tensor_active",
              tensor,
              "ratio",
              facts.limit("tensor_active_high"),
              "Tensor cores work for " + percent(tensor) + " of the time: much is computed."));
    }
  }

  private static void weighOthers(Argument argument, EngineFacts facts) {
    if (!facts.feels(Kind.TPOT)) {
      argument.opposes(
          Strength.STRONG,
          EngineEvidence.felt(facts, pace(facts).signal(), "A token isn't slow, it takes"));
    }
    if (facts.whole.isPreempting(facts.thresholds)) {
      argument.opposes(Strength.STRONG, EngineEvidence.kvFull(facts));
    }
    if (!facts.prefillFull().isEmpty()) {
      argument.opposes(
          Strength.STRONG, EngineEvidence.prefillFull(facts.prefillFull().getFirst(), facts));
    }
    if (facts.whole.isQueued(facts.thresholds)) {
      argument.opposes(Strength.MODERATE, EngineEvidence.queue(facts.whole, facts));
    }
  }

  private static Effect effect(EngineFacts facts, EngineRoofline roofline, Reading pace) {
    double kvSeconds = roofline.seconds() * roofline.kvShare();
    return EngineEvidence.lessSeconds(
        pace,
        Math.min(Double.isNaN(kvSeconds) ? pace.rise() : kvSeconds, pace.value()),
        "With short contexts a step would read the weights alone; kernels are taken to reach "
            + percent(facts.limit("bandwidth_reached"))
            + " of the memory's peak.");
  }

  static double mean(ServiceWorld service, String signal) {
    return service.gpus().stream()
        .map(GpuWorld::readings)
        .mapToDouble(r -> r.value(signal))
        .filter(v -> !Double.isNaN(v))
        .average()
        .orElse(Double.NaN);
  }
}
