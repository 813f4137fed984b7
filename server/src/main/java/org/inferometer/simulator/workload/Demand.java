package org.inferometer.simulator.workload;

import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.request.Prompt;
import org.inferometer.simulator.request.Request.Ask;
import org.inferometer.simulator.request.SegmentPrompt;
import org.inferometer.simulator.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/** What a workload asks at the moment: its scenario's words, and how its knobs stand. */
final class Demand {
  /** No prompt and no answer is longer, whatever is turned. */
  private static final int TOKENS_MAX = 1 << 29;

  private final Scenario.Workload spec;
  private final Knobs knobs;
  private final long rootContent;
  private final @Nullable Zipf branches;
  private @Nullable Zipf adapters;

  Demand(Scenario.Workload spec, Knobs knobs, Dice dice) {
    this.spec = spec;
    this.knobs = knobs;
    rootContent = dice.stream("prefixes").nextLong();
    Scenario.@Nullable Prefixes prefixes = spec.prefixes();
    branches =
        prefixes == null || prefixes.branches() < 1
            ? null
            : new Zipf(prefixes.branches(), prefixes.skew());
  }

  Scenario.Workload spec() {
    return spec;
  }

  /** How fast requests come, through the rate of the scenario. */
  double rateFactor() {
    return knobs.get(Knob.WORKLOAD_RATE);
  }

  int tokens(double drawn, Knob factor) {
    double tokens = Math.rint(drawn * knobs.get(factor));
    return (int) Math.clamp(tokens, 1, TOKENS_MAX);
  }

  int maxTokens() {
    int turned = (int) knobs.get(Knob.WORKLOAD_MAX_TOKENS);
    if (turned > 0) {
      return turned;
    }
    Integer said = spec.maxTokens();
    return said == null ? Ask.NO_LIMIT : said;
  }

  double temperature() {
    return turnedOr(Knob.WORKLOAD_TEMPERATURE, spec.temperature());
  }

  double penaltiesShare() {
    return turnedOr(Knob.WORKLOAD_PENALTIES, spec.penaltiesShare());
  }

  double cancelShare() {
    return turnedOr(Knob.WORKLOAD_CANCEL, spec.cancelShare());
  }

  long preprocessNs() {
    return Math.round(spec.preprocessNs() * knobs.get(Knob.WORKLOAD_PREPROCESS));
  }

  private double turnedOr(Knob knob, double own) {
    double turned = knobs.get(knob);
    return turned < 0 ? own : turned;
  }

  /** What a conversation begins with, before the user's first words. */
  Prompt beginning(Dice dice, Dice words) {
    Scenario.@Nullable Prefixes prefixes = spec.prefixes();
    if (prefixes == null) {
      return SegmentPrompt.empty();
    }
    boolean shared = dice.chance(knobs.get(Knob.WORKLOAD_SHARED));
    int branch = branches == null ? 0 : branches.draw(dice);
    long root = shared ? rootContent : words.nextLong();
    SegmentPrompt prompt = SegmentPrompt.empty().then(root, prefixes.root());
    return branches == null
        ? prompt
        : prompt.then(Dice.mix(root + 1 + branch), prefixes.branchTokens());
  }

  /** The adapter that is asked for. */
  @Nullable String adapter(Dice dice) {
    Scenario.@Nullable AdapterMix mix = spec.adapters();
    int turned = (int) knobs.get(Knob.WORKLOAD_ADAPTERS);
    int count = turned > 0 || mix == null ? turned : mix.count();
    if (count < 1 || !dice.chance(mix == null ? 1 : mix.share())) {
      return null;
    }
    Zipf law = adapters;
    if (law == null || law.count() != count) {
      law = new Zipf(count, mix == null ? 0 : mix.skew());
      adapters = law;
    }
    return "adapter-" + law.draw(dice);
  }
}
