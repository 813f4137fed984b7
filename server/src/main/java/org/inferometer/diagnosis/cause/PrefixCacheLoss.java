package org.inferometer.diagnosis.cause;

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
import org.inferometer.signals.Quality;
import org.jspecify.annotations.Nullable;

/**
 * Prompts that were found in the prefix cache are computed again: the cache is off, prompts don't
 * begin alike any more, or routing sends them where their beginning isn't. Judged by tokens found
 * for a request, not by their share, which falls as well when prompts only get longer, and rises
 * when preempted requests find their own blocks.
 */
public final class PrefixCacheLoss implements Check {
  private enum Kindred {
    OFF,
    TEMPLATE,
    ROUTING,
    REPLICA
  }

  @Override
  public String cause() {
    return "prefix-cache-loss";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    EngineFacts facts = new EngineFacts(service, thresholds);
    boolean isOff = isOff(facts);
    boolean isLost = isLost(facts);
    @Nullable EnginePart odd = isLost || isOff ? null : odd(facts);
    Argument argument = new Argument(cause());
    Reading hits = facts.whole.hits();
    argument
        .needsKnown(hits.isKnown() || isOff, "prefix_hit_share")
        .needs(
            isLost || isOff || odd != null,
            isLost ? Strength.STRONG : Strength.MODERATE,
            odd != null ? peers(facts, odd) : isOff && !isLost ? off(facts) : lost(facts));
    if (argument.isOver()) {
      return List.of(argument.over());
    }
    if (isOff && isLost) {
      argument.supports(Strength.STRONG, off(facts));
    }
    weighLengths(argument, facts);
    weighFelt(argument, facts, odd);
    weighWork(argument, facts);
    weighOthers(argument, facts);
    Kindred kind = kind(facts, isOff, odd);
    return List.of(
        argument.conclude(
            service,
            odd == null ? null : odd.instance(),
            null,
            effect(facts),
            says(facts, kind, odd),
            facts.onset("cached_prompt_share", "prefix_hit_share")));
  }

  /** Whether tokens found for a request fell by much, and all tokens found with them. */
  private static boolean isLost(EngineFacts facts) {
    EnginePart whole = facts.whole;
    double before = whole.cachedLength(When.BEFORE);
    double kept = facts.limit("hits_kept");
    double each = EngineFacts.ratio(whole.cachedLength(When.NOW), before);
    double rate =
        EngineFacts.ratio(foundRate(whole, When.NOW), foundRate(whole, When.BEFORE))
            / Math.min(1, facts.rateRatio());
    double saved = whole.hitShare(When.BEFORE);
    return each <= kept && rate <= kept && saved >= facts.limit("hits_worth");
  }

  private static double foundRate(EnginePart part, When when) {
    return when.of(part.get("prompt_token_rate")) * part.hitShare(when);
  }

  /** Whether nothing is looked up though prompts come, or a setting says so. */
  static boolean isOff(EngineFacts facts) {
    if (facts.isSetting("enable_prefix_caching", "false")) {
      return true;
    }
    Reading looked = facts.get("prefix_hit_share");
    boolean isSilent = looked.quality() != Quality.ABSENT && !looked.isKnown();
    return isSilent
        && facts.get("prompt_token_rate").value() > 0
        && facts.get("cached_prompt_share").or(0) == 0
        && facts.whole.hitShare(When.NOW) == 0
        && facts.isEngine("vllm");
  }

  /** The one replica that finds far less than its peers, with prompts as long as theirs. */
  private static @Nullable EnginePart odd(EngineFacts facts) {
    List<Double> shares = new ArrayList<>();
    facts.parts.forEach(p -> shares.add(p.hits().value()));
    if (shares.size() < 3 || shares.stream().anyMatch(s -> Double.isNaN(s))) {
      return null;
    }
    double median = shares.stream().sorted().skip(shares.size() / 2).findFirst().orElse(0.0);
    List<EnginePart> low =
        facts.parts.stream()
            .filter(p -> p.hits().value() <= median * facts.limit("hits_kept"))
            .toList();
    boolean isWorth = median >= facts.limit("hits_worth");
    return isWorth && low.size() == 1 ? low.getFirst() : null;
  }

  private static Evidence lost(EngineFacts facts) {
    Reading hits = facts.whole.hits();
    return Evidence.computed(
        "engine",
        "cached_tokens_per_request",
        facts.whole.cachedLength(When.NOW),
        "tokens",
        facts.whole.cachedLength(When.BEFORE) * facts.limit("hits_kept"),
        "Of a prompt "
            + Phrases.number(facts.whole.cachedLength(When.NOW))
            + " tokens are found in the cache"
            + before(Phrases.number(facts.whole.cachedLength(When.BEFORE)), hits)
            + " ("
            + percent(hits.or(0))
            + " of them"
            + before(percent(hits.baselineOr(0)), hits)
            + ").");
  }

  private static String before(String value, Reading hits) {
    return Double.isNaN(hits.baseline()) ? "" : ", before " + value;
  }

  private static Evidence off(EngineFacts facts) {
    return Evidence.of(
        facts.get("prefix_hit_share"),
        null,
        "Prompts come and none is looked up in the prefix cache: caching is off.");
  }

  private static Evidence peers(EngineFacts facts, EnginePart odd) {
    Reading hits = odd.hits();
    return Evidence.of(
            hits,
            facts.whole.hits().value(),
            "It finds "
                + percent(hits.value())
                + " of its prompts, all replicas together "
                + percent(facts.whole.hits().value())
                + ".")
        .at(String.valueOf(odd.instance()));
  }

  private static void weighLengths(Argument argument, EngineFacts facts) {
    Reading length = facts.get("prompt_length_mean");
    double ratio = length.ratio();
    if (Double.isNaN(ratio)) {
      return;
    }
    double same = facts.limit("request_same");
    argument.weighs(
        ratio <= same && ratio >= 1 / same,
        Strength.MODERATE,
        Strength.MODERATE,
        EngineEvidence.felt(facts, "prompt_length_mean", "Prompts have"));
  }

  private static void weighFelt(Argument argument, EngineFacts facts, @Nullable EnginePart odd) {
    boolean isFelt = facts.feels(Kind.TTFT, Kind.E2E);
    EnginePart part = odd == null ? facts.whole : odd;
    boolean isFull = part.isPrefillFull(facts.thresholds) || !facts.prefillFull().isEmpty();
    boolean isLate = facts.get("ttft_p95").value() >= facts.limit("first_token_late");
    if (isFelt && isFull) {
      argument.supports(Strength.STRONG, EngineEvidence.prefillFull(part, facts));
    } else if (isFelt && (isLate || facts.whole.isQueued(facts.thresholds))) {
      argument.supports(
          Strength.MODERATE, EngineEvidence.felt(facts, "ttft_p95", "The first token takes"));
    } else if (odd == null && holdsUpDecoding(facts)) {
      argument.supports(Strength.MODERATE, interrupted(facts));
    } else {
      argument.opposes(
          isFelt ? Strength.STRONG : Strength.DECISIVE,
          EngineEvidence.felt(
              facts, "ttft_p95", "Nobody waits for what is computed again: the first token takes"));
    }
  }

  /**
   * Whether tokens are late and what is computed again takes so much of the steps that it is why.
   */
  private static boolean holdsUpDecoding(EngineFacts facts) {
    return facts.feels(Kind.TPOT, Kind.ITL_TAIL, Kind.E2E)
        && addedWork(facts) >= facts.limit("prefill_added_share");
  }

  /** What is computed for prompts beyond before, of what the GPUs can; NaN if it isn't known. */
  private static double addedWork(EngineFacts facts) {
    return facts.whole.prefillFlopsShare(When.NOW) - facts.whole.prefillFlopsShare(When.BEFORE);
  }

  private static Evidence interrupted(EngineFacts facts) {
    return Evidence.computed(
        "engine",
        "prefill_flops_added",
        addedWork(facts),
        "ratio",
        facts.limit("prefill_added_share"),
        "Prompts take "
            + percent(addedWork(facts))
            + " more of all that the GPUs can compute than before, in steps that make tokens late.");
  }

  private static void weighWork(Argument argument, EngineFacts facts) {
    double share = facts.whole.promptTokenShare();
    if (share >= facts.limit("prefill_token_share_high")) {
      argument.supports(
          Strength.WEAK,
          Evidence.computed(
              "engine",
              "prompt_token_share",
              share,
              "ratio",
              facts.limit("prefill_token_share_high"),
              percent(share) + " of the tokens that are computed are prompts'."));
    }
  }

  private static void weighOthers(Argument argument, EngineFacts facts) {
    if (facts.whole.isPreempting(facts.thresholds)) {
      argument.opposes(Strength.STRONG, EngineEvidence.kvFull(facts));
    }
  }

  private static Kindred kind(EngineFacts facts, boolean isOff, @Nullable EnginePart odd) {
    if (odd != null) {
      return Kindred.REPLICA;
    }
    if (isOff) {
      return Kindred.OFF;
    }
    double left =
        EngineFacts.ratio(facts.whole.hitShare(When.NOW), facts.whole.hitShare(When.BEFORE));
    return facts.parts.size() > 1 && left > facts.limit("hits_left_by_routing")
        ? Kindred.ROUTING
        : Kindred.TEMPLATE;
  }

  private static String says(EngineFacts facts, Kindred kind, @Nullable EnginePart odd) {
    String why =
        switch (kind) {
          case OFF -> "Prefix caching is off";
          case TEMPLATE -> "Prompts don't begin alike any more";
          case ROUTING ->
              "Prompts reach replicas that don't have their beginning, on all alike, as when"
                  + " routing stops looking at prefixes";
          case REPLICA -> "One replica finds hardly any prompt in its cache";
        };
    EnginePart part = odd == null ? facts.whole : odd;
    String now = Phrases.value("tokens", part.computedLength(When.NOW));
    double before = part.computedLength(When.BEFORE);
    return why
        + ": "
        + now
        + " of each prompt are computed"
        + (before > 0 ? ", before " + Phrases.number(before) + "." : ".");
  }

  private static Effect effect(EngineFacts facts) {
    Reading first = facts.get("ttft_mean");
    double ratio = facts.promptWorkRatio();
    Reading prefill = facts.get("prefill_time_mean");
    if (ratio > 1 && first.isKnown()) {
      double lost =
          Math.min(first.value(), facts.whole.queueSeconds() + prefill.or(0) * (1 - 1 / ratio));
      return EngineEvidence.lessSeconds(
          first,
          lost,
          "With the hits of before, prefill would be shorter by what isn't computed, and nobody"
              + " would wait for it.");
    }
    return new Effect("ttft_mean", Double.NaN, first.value(), Double.NaN, null);
  }
}
