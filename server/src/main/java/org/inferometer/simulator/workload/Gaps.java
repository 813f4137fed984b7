package org.inferometer.simulator.workload;

import java.util.List;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.scenario.Scenario.Arrivals;

/**
 * The gaps between arrivals of an open workload, in nanoseconds at the rate that the scenario says;
 * whoever turns the rate stretches them.
 */
interface Gaps {
  /** Nothing comes after. */
  double END = Double.POSITIVE_INFINITY;

  /** From the last arrival (the beginning, at first) to the next. */
  double next();

  /**
   * Whether what falls on this moment is an arrival; if not it is none, and the next gap counts.
   */
  default boolean isArrival(long nowNs) {
    return true;
  }

  /** Those of a law; a closed workload has none. */
  static Gaps of(Arrivals law, Dice dice) {
    return switch (law) {
      case Arrivals.Constant constant -> () -> gap(constant.rate());
      case Arrivals.Poisson poisson -> () -> dice.nextExponential(gap(poisson.rate()));
      case Arrivals.Bursty bursty -> bursty(bursty, dice);
      case Arrivals.Diurnal diurnal -> new Swing(diurnal, dice);
      case Arrivals.Trace trace -> new Replay(trace.timesNs(), trace.periodNs());
      case Arrivals.Closed closed -> () -> END;
    };
  }

  private static double gap(double rate) {
    return rate > 0 ? 1e9 / rate : END;
  }

  private static Gaps bursty(Arrivals.Bursty law, Dice dice) {
    if (law.rate() <= 0 || law.variation() <= 0) {
      return () -> gap(law.rate());
    }
    double shape = 1 / (law.variation() * law.variation());
    return () -> Law.gamma(shape, gap(law.rate()) / shape, dice);
  }

  /**
   * Arrivals at the highest rate, of which the share stays that the moment's rate is of it. Source:
   * Lewis, Shedler: Simulation of nonhomogeneous Poisson processes by thinning (1979).
   */
  final class Swing implements Gaps {
    private final Arrivals.Diurnal law;
    private final Dice dice;

    Swing(Arrivals.Diurnal law, Dice dice) {
      this.law = law;
      this.dice = dice;
    }

    @Override
    public double next() {
      return dice.nextExponential(gap(law.rate() * (1 + law.amplitude())));
    }

    @Override
    public boolean isArrival(long nowNs) {
      double turn = 2 * Math.PI * (nowNs - law.peakNs()) / law.periodNs();
      double rate = 1 + law.amplitude() * StrictMath.cos(turn);
      return dice.chance(rate / (1 + law.amplitude()));
    }
  }

  /** Recorded times, again and again. */
  final class Replay implements Gaps {
    private final List<Long> times;
    private final long periodNs;
    private int index;
    private long round;
    private long last;

    Replay(List<Long> times, long periodNs) {
      this.times = times;
      this.periodNs = periodNs;
    }

    @Override
    public double next() {
      if (index == times.size()) {
        if (periodNs <= 0 || times.isEmpty()) {
          return END;
        }
        index = 0;
        round++;
      }
      long time = Math.addExact(times.get(index++), Math.multiplyExact(round, periodNs));
      double gap = Math.max(0, time - last);
      last = time;
      return gap;
    }
  }
}
