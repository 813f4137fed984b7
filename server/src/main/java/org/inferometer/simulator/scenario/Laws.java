package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;

/**
 * Reads laws of lengths and of arrivals: {@code {law: lognormal, median: 300, p95: 2000}}. A plain
 * number or duration is the fixed one.
 */
final class Laws {
  private static final List<String> LENGTHS =
      List.of("fixed", "uniform", "lognormal", "normal", "exponential", "mix");
  private static final List<String> ARRIVALS =
      List.of("constant", "poisson", "bursty", "diurnal", "trace", "closed");

  /** What a length is of. */
  enum Unit {
    TOKENS(1, Bounds.TOKENS_MAX),
    TURNS(1, Bounds.TURNS_MAX),
    SECONDS(0, Bounds.SECONDS_MAX);

    private final double min;
    private final double max;

    Unit(double min, double max) {
      this.min = min;
      this.max = max;
    }

    private double read(Inputs inputs, String key) {
      return this == SECONDS
          ? inputs.nanos(key, 0, (long) (max * Bounds.SECOND)) / 1e9
          : inputs.number(key, min, max);
    }

    private double read(Inputs inputs, String key, double byDefault) {
      return inputs.has(key) ? read(inputs, key) : byDefault;
    }
  }

  private final Problems problems;

  Laws(Problems problems) {
    this.problems = problems;
  }

  Length length(Inputs of, String key, Unit unit) {
    if (!of.has(key)) {
      of.required(key);
      return new Length.Fixed(Math.max(1, unit.min));
    }
    return length(of.required(key), unit, 0);
  }

  private Length length(YamlNode node, Unit unit, int depth) {
    if (node instanceof YamlNode.Scalar) {
      YamlNode law =
          new YamlNode.Mapping(
              List.of(new YamlNode.Entry("value", node.place(), node)), node.place());
      return new Length.Fixed(unit.read(new Inputs(law, "a length", problems), "value"));
    }
    Inputs inputs = new Inputs(node, "a law of lengths", problems);
    Length law =
        switch (inputs.of("law", LENGTHS, "")) {
          case "fixed" -> new Length.Fixed(unit.read(inputs, "value"));
          case "uniform" -> uniform(inputs, unit);
          case "lognormal" -> lognormal(inputs, unit);
          case "normal" -> normal(inputs, unit);
          case "exponential" -> exponential(inputs, unit);
          case "mix" -> mix(inputs, unit, depth);
          default -> new Length.Fixed(1);
        };
    endUnlessUnknown(inputs, LENGTHS);
    return law;
  }

  private Length uniform(Inputs inputs, Unit unit) {
    double min = unit.read(inputs, "min");
    double max = unit.read(inputs, "max");
    checkOrder(inputs, min, max);
    return new Length.Uniform(min, Math.max(min, max));
  }

  private static Length normal(Inputs inputs, Unit unit) {
    double mean = unit.read(inputs, "mean");
    double deviation = unit.read(inputs, "deviation");
    double min = unit.read(inputs, "min", unit.min);
    double max = unit.read(inputs, "max", unit.max);
    checkOrder(inputs, min, max);
    return new Length.Normal(mean, deviation, min, max);
  }

  private static Length exponential(Inputs inputs, Unit unit) {
    double mean = unit.read(inputs, "mean");
    double min = unit.read(inputs, "min", unit.min);
    double max = unit.read(inputs, "max", unit.max);
    checkOrder(inputs, min, max);
    return new Length.Exponential(mean, min, max);
  }

  private static void checkOrder(Inputs inputs, double min, double max) {
    if (max < min) {
      inputs.problem("max", "expected \"max\" not below \"min\"");
    }
  }

  private Length lognormal(Inputs inputs, Unit unit) {
    double median = unit.read(inputs, "median");
    double p95 = unit.read(inputs, "p95");
    double min = unit.read(inputs, "min", unit.min);
    double max = unit.read(inputs, "max", unit.max);
    if (median <= 0 || p95 < median) {
      inputs.problem("p95", "expected a median above 0 and a \"p95\" not below it");
    }
    checkOrder(inputs, min, max);
    return new Length.LogNormal(median, p95, min, max);
  }

  private Length mix(Inputs inputs, Unit unit, int depth) {
    List<Length> laws = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    if (depth > 0) {
      inputs.problem("law", "a mix can't be of mixes");
      return new Length.Fixed(1);
    }
    for (YamlNode node : inputs.list("of", Bounds.LAWS_MAX)) {
      Inputs part = new Inputs(node, "a part of a mix", problems);
      weights.add(part.number("weight", 1e-6, 1e6));
      laws.add(length(part.required("length"), unit, depth + 1));
      part.end();
    }
    if (laws.isEmpty()) {
      inputs.problem("of", "expected what the mix is of: a list of \"weight\" and \"length\"");
      return new Length.Fixed(1);
    }
    return new Length.Mix(laws, weights);
  }

  Arrivals arrivals(Inputs of, String key) {
    Inputs inputs = new Inputs(of.required(key), "a law of arrivals", problems);
    Arrivals law =
        switch (inputs.of("law", ARRIVALS, "")) {
          case "constant" -> new Arrivals.Constant(rate(inputs));
          case "poisson" -> new Arrivals.Poisson(rate(inputs));
          case "bursty" -> new Arrivals.Bursty(rate(inputs), inputs.number("variation", 0.01, 100));
          case "diurnal" ->
              new Arrivals.Diurnal(
                  rate(inputs),
                  inputs.number("amplitude", 0, 1),
                  inputs.nanos("period", Bounds.MINUTE, Bounds.DURATION_MAX),
                  inputs.nanos("peak", 0, 0, Bounds.DURATION_MAX));
          case "trace" -> trace(inputs);
          case "closed" ->
              new Arrivals.Closed(
                  inputs.count("users", 1, Bounds.USERS_MAX),
                  length(inputs, "think", Unit.SECONDS));
          default -> new Arrivals.Constant(0);
        };
    endUnlessUnknown(inputs, ARRIVALS);
    return law;
  }

  private static double rate(Inputs inputs) {
    return inputs.number("rate", 0, Bounds.RATE_MAX);
  }

  private Arrivals trace(Inputs inputs) {
    List<Long> times = new ArrayList<>();
    for (YamlNode node : inputs.list("times", Bounds.TRACE_MAX)) {
      long time = time(node);
      if (!times.isEmpty() && time < times.getLast()) {
        problems.add(node.place(), "expected a time not before the one that precedes it");
      }
      times.add(time);
    }
    long period = inputs.nanos("period", 0, 0, Bounds.DURATION_MAX);
    if (times.isEmpty()) {
      inputs.problem("times", "expected times, a list of durations since the beginning");
    } else if (period != 0 && period <= times.getLast()) {
      inputs.problem("period", "expected a period beyond the last time");
    } else if (period != 0 && times.size() / (period / 1e9) > Bounds.RATE_MAX) {
      inputs.problem(
          "period", "expected at most " + Inputs.plain(Bounds.RATE_MAX) + " arrivals a second");
    }
    return new Arrivals.Trace(times, period);
  }

  private long time(YamlNode node) {
    try {
      if (node instanceof YamlNode.Scalar scalar) {
        long nanos = Amounts.nanos(scalar.text());
        if (nanos <= Bounds.DURATION_MAX) {
          return nanos;
        }
      }
    } catch (IllegalArgumentException e) {
      // Told below.
    }
    problems.add(
        node.place(), "expected a time such as 1.5s, 7d at most, not " + YamlNode.describe(node));
    return 0;
  }

  /** What else a law has can't be judged if it isn't known. */
  private static void endUnlessUnknown(Inputs inputs, List<String> laws) {
    String law = inputs.optionalText("law");
    if (law != null && laws.contains(law)) {
      inputs.end();
    }
  }
}
