package org.inferometer.simulator.workload;

import java.util.List;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.scenario.Scenario.Length;

/** Draws numbers by the laws of a scenario. */
final class Law {
  /** The 95th percentile of the standard normal law. */
  private static final double Z95 = 1.6448536269514722;

  private Law() {}

  static double draw(Length law, Dice dice) {
    return draw(law, dice, law instanceof Length.Mix ? dice.nextDouble() : 0);
  }

  /**
   * @param kind from 0 to less than 1: which part of a mixture it is. Two laws that get the same
   *     one are of the same class of requests, if their weights are the same.
   */
  static double draw(Length law, Dice dice, double kind) {
    return switch (law) {
      case Length.Fixed fixed -> fixed.value();
      case Length.Uniform uniform ->
          uniform.min() + (uniform.max() - uniform.min()) * dice.nextDouble();
      case Length.LogNormal normal ->
          Math.clamp(logNormal(normal, dice), normal.min(), normal.max());
      case Length.Normal normal ->
          Math.clamp(
              normal.mean() + normal.deviation() * dice.nextNormal(), normal.min(), normal.max());
      case Length.Exponential exponential ->
          Math.clamp(
              dice.nextExponential(exponential.mean()), exponential.min(), exponential.max());
      case Length.Mix mix -> mixed(mix, dice, kind);
    };
  }

  private static double logNormal(Length.LogNormal law, Dice dice) {
    double sigma = StrictMath.log(law.p95() / law.median()) / Z95;
    return law.median() * StrictMath.exp(sigma * dice.nextNormal());
  }

  private static double mixed(Length.Mix mix, Dice dice, double kind) {
    List<Double> weights = mix.weights();
    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    double place = kind * total;
    int last = weights.size() - 1;
    for (int i = 0; i < last; i++) {
      if (place < weights.get(i)) {
        return draw(mix.laws().get(i), dice, place / weights.get(i));
      }
      place -= weights.get(i);
    }
    return draw(mix.laws().get(last), dice, Math.min(place / weights.get(last), 1 - 0x1p-53));
  }

  /**
   * Gamma distributed. Source: Marsaglia, Tsang: A simple method for generating gamma variables
   * (2000).
   *
   * @param shape above 0
   */
  static double gamma(double shape, double scale, Dice dice) {
    if (shape < 1) {
      double power = StrictMath.pow(1 - dice.nextDouble(), 1 / shape);
      return gamma(shape + 1, scale, dice) * power;
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = dice.nextNormal();
      double v = 1 + c * x;
      v = v * v * v;
      if (v > 0
          && StrictMath.log(1 - dice.nextDouble())
              < x * x / 2 + d - d * v + d * StrictMath.log(v)) {
        return scale * d * v;
      }
    }
  }
}
