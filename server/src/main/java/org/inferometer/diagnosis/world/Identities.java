package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The accounts that must balance in a serving system: where time, requests and tokens go. They hold
 * for whatever engine and load, so what they leave over is evidence that needs no threshold of
 * anybody's.
 */
public final class Identities {
  private Identities() {}

  /** Those whose sides are known, in the order in which a request meets them. */
  public static List<Identity> of(ServiceWorld service) {
    List<Identity> all = new ArrayList<>();
    service.edges().forEach(edge -> all.add(inFlight(service, edge)));
    Readings engine = service.readings();
    all.add(little(engine));
    all.add(totalTime(engine));
    all.add(firstToken(engine));
    all.add(tokens(engine));
    all.add(computed(engine));
    all.removeIf(identity -> !identity.isKnown());
    return all;
  }

  /** An identity by its name; one that isn't known if it can't be told. */
  public static Identity of(ServiceWorld service, String name) {
    return of(service).stream()
        .filter(identity -> identity.name().equals(name))
        .findFirst()
        .orElse(new Identity(name, "engine", "", "", Double.NaN, Double.NaN, Double.NaN));
  }

  /** Requests within: arrivals through their mean time within. */
  static double within(Readings readings, ToDoubleFunction<Reading> at) {
    double arrivals = value(readings, at, "request_start_rate", "request_rate");
    return arrivals * at.applyAsDouble(readings.get("e2e_mean"));
  }

  private static double value(Readings readings, ToDoubleFunction<Reading> at, String... signals) {
    for (String signal : signals) {
      double value = at.applyAsDouble(readings.get(signal));
      if (!Double.isNaN(value)) {
        return value;
      }
    }
    return Double.NaN;
  }

  private static double zero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /** What the engine has in hand: running, and waiting where it says so. */
  static double inEngine(Readings engine, ToDoubleFunction<Reading> at) {
    return at.applyAsDouble(engine.get("running")) + zero(at.applyAsDouble(engine.get("waiting")));
  }

  private static Identity inFlight(ServiceWorld service, EdgeWorld edge) {
    Readings engine = service.readings();
    double before =
        within(edge.readings(), Reading::baseline) - inEngine(engine, Reading::baseline);
    boolean isClient = edge.vantage() == EdgeWorld.Vantage.CLIENT;
    return new Identity(
        "in_flight:" + edge.id(),
        isClient ? "client" : "gateway",
        "requests within " + edge.name() + " = running + waiting in the engine + on the way",
        "requests",
        within(edge.readings(), Reading::value),
        inEngine(engine, Reading::value),
        before);
  }

  private static Identity little(Readings engine) {
    return new Identity(
        "little",
        "engine",
        "arrivals x total time = running + waiting + front end",
        "requests",
        within(engine, Reading::value),
        inEngine(engine, Reading::value),
        within(engine, Reading::baseline) - inEngine(engine, Reading::baseline));
  }

  private static double stages(Readings engine, ToDoubleFunction<Reading> at) {
    return zero(at.applyAsDouble(engine.get("queue_time_mean")))
        + at.applyAsDouble(engine.get("prefill_time_mean"))
        + at.applyAsDouble(engine.get("decode_time_mean"));
  }

  private static Identity totalTime(Readings engine) {
    Reading total = engine.get("e2e_mean");
    return new Identity(
        "e2e",
        "request",
        "total time = queue + prefill + decode + front end",
        "seconds",
        total.value(),
        stages(engine, Reading::value),
        total.baseline() - stages(engine, Reading::baseline));
  }

  private static double beforeFirst(Readings engine, ToDoubleFunction<Reading> at) {
    return zero(at.applyAsDouble(engine.get("queue_time_mean")))
        + at.applyAsDouble(engine.get("prefill_time_mean"));
  }

  private static Identity firstToken(Readings engine) {
    Reading first = engine.get("ttft_mean");
    return new Identity(
        "ttft",
        "request",
        "first token = queue + prefill + first sampling and the way out",
        "seconds",
        first.value(),
        beforeFirst(engine, Reading::value),
        first.baseline() - beforeFirst(engine, Reading::baseline));
  }

  private static double pace(Readings engine, ToDoubleFunction<Reading> at) {
    double decoding =
        at.applyAsDouble(engine.get("running"))
            - zero(
                value(engine, at, "request_start_rate", "request_rate")
                    * at.applyAsDouble(engine.get("prefill_time_mean")));
    return decoding / at.applyAsDouble(engine.get("tpot_mean"));
  }

  private static Identity tokens(Readings engine) {
    Reading rate = engine.get("output_token_rate");
    return new Identity(
        "tokens",
        "engine",
        "output tokens a second = decoding requests / time per token",
        "tokens/s",
        rate.value(),
        pace(engine, Reading::value),
        rate.baseline() - pace(engine, Reading::baseline));
  }

  /** Tokens computed in steps that aren't output. */
  private static double computedPrompt(Readings engine, ToDoubleFunction<Reading> at) {
    return at.applyAsDouble(engine.get("tokens_per_step_mean"))
            * at.applyAsDouble(engine.get("step_rate"))
        - at.applyAsDouble(engine.get("output_token_rate"));
  }

  private static double newPrompt(Readings engine, ToDoubleFunction<Reading> at) {
    return at.applyAsDouble(engine.get("prompt_token_rate"))
        * (1 - zero(at.applyAsDouble(engine.get("cached_prompt_share"))));
  }

  private static Identity computed(Readings engine) {
    return new Identity(
        "prompt",
        "engine",
        "prompt tokens computed = prompt tokens - from cache + computed again",
        "tokens/s",
        computedPrompt(engine, Reading::value),
        newPrompt(engine, Reading::value),
        computedPrompt(engine, Reading::baseline) - newPrompt(engine, Reading::baseline));
  }
}
