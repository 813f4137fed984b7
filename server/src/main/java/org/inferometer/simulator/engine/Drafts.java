package org.inferometer.simulator.engine;

import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.jspecify.annotations.Nullable;

/**
 * Speculative decoding: how many tokens are drafted and which of them the model keeps. A draft
 * token is kept only if all before it were.
 */
final class Drafts {
  private final int tokens;
  private final double acceptance;
  private final double temperatureLoss;
  private final double cost;
  private final double[] decays;
  private final Knobs knobs;
  private final Dice dice;

  Drafts(EngineConfig.@Nullable Speculation speculation, Knobs knobs, Dice dice) {
    this.knobs = knobs;
    this.dice = dice;
    tokens = speculation == null ? 0 : speculation.draftTokens();
    acceptance = speculation == null ? 0 : speculation.acceptance();
    temperatureLoss = speculation == null ? 0 : speculation.temperatureLoss();
    cost = speculation == null ? 0 : speculation.draftCost();
    decays = new double[tokens];
    double decay = 1;
    for (int i = 0; i < tokens; i++) {
      decays[i] = decay;
      decay *= speculation == null ? 1 : speculation.decay();
    }
  }

  /** Drafted in each step for each request that decodes; as many slots are kept ahead. */
  int tokens() {
    return tokens;
  }

  /** Draws how many of the first drafts are kept. */
  int accepted(double temperature, int drafted) {
    double first =
        Math.max(0, acceptance - temperatureLoss * temperature) * knobs.get(Knob.ENGINE_ACCEPTANCE);
    int accepted = 0;
    while (accepted < drafted && dice.chance(Math.min(1, first * decays[accepted]))) {
      accepted++;
    }
    return accepted;
  }

  /**
   * How long drafting takes in a step.
   *
   * @param decodeNs of a decode step of the model
   */
  long nanos(StepWork work, long decodeNs) {
    return work.decodeRequests == 0 ? 0 : Math.round(tokens * cost * decodeNs);
  }
}
