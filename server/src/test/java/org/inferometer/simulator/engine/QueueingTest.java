package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.Request;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine as a queue whose waiting times are known exactly. */
class QueueingTest {
  private static final int REQUESTS = 100_000;
  private static final long SEED = 3;

  private double seen;
  private long looks;

  /**
   * One seat and a token each: every request is served for a step of a millisecond, and they come
   * as a Poisson process. That is M/D/1, where the mean wait is load / (2 (1 - load)) services; by
   * Little's law as many are there on average as come during the time that each stays.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.6, 0.8})
  void oneSeat_waitsAsInMD1(double load) {
    Config config = config();
    config.maxNumSeqs = 1;
    config.prefixCaching = false;
    EngineRig rig = config.rig();
    Dice dice = Dice.of(SEED);
    arrive(rig, dice.stream("arrivals"), load);
    look(rig, dice.stream("looks"));
    rig.agenda.runUntil((long) (REQUESTS / load * MS));
    int done = rig.ended.size();
    double wait = 0;
    for (Request request : rig.ended) {
      wait += request.scheduledNs - request.arrivalNs;
    }
    double meanWait = wait / done / MS;
    assertThat(meanWait)
        .as("mean wait in services, seed %d", SEED)
        .isCloseTo(load / (2 * (1 - load)), withinPercentage(5));
    double rate = done / (rig.agenda.now() / (double) MS);
    assertThat(seen / looks)
        .as("requests there on average, seed %d", SEED)
        .isCloseTo(rate * (meanWait + 1), withinPercentage(5));
  }

  private void arrive(EngineRig rig, Dice dice, double load) {
    rig.agenda.in(
        (long) dice.nextExponential(MS / load),
        () -> {
          rig.add(10, 1);
          arrive(rig, dice, load);
        });
  }

  /** Looks at moments of its own. */
  private void look(EngineRig rig, Dice dice) {
    rig.agenda.in(
        (long) dice.nextExponential(MS),
        () -> {
          seen += rig.engine.running() + rig.engine.waiting();
          looks++;
          look(rig, dice);
        });
  }
}
