package org.inferometer.simulator.workload;

import java.util.HexFormat;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.request.Prompt;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Ask;
import org.inferometer.simulator.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * One user's conversation; of a single turn where the workload has none. All that it draws comes
 * from dice of its own, one for each aspect, so that what happens to others doesn't change what it
 * asks.
 */
final class Session {
  /** Mean patience of users who give up, where the scenario doesn't say. An assumption. */
  private static final double PATIENCE_SECONDS = 5;

  private final Demand demand;
  private final long id;
  private final @Nullable String adapter;
  private final Dice words;
  private final Dice kinds;
  private final Dice prompts;
  private final Dice outputs;
  private final Dice patience;
  private final Dice penalties;
  private final Dice streams;
  private final Dice thoughts;

  /** Everything said so far. */
  private Prompt said;

  private int turnsLeft;

  Session(Demand demand, Dice dice) {
    this.demand = demand;
    words = dice.stream("words");
    kinds = dice.stream("kind");
    prompts = dice.stream("prompt");
    outputs = dice.stream("output");
    patience = dice.stream("patience");
    penalties = dice.stream("penalties");
    streams = dice.stream("streams");
    thoughts = dice.stream("think");
    id = words.nextLong() | 1;
    adapter = demand.adapter(dice.stream("adapter"));
    said = demand.beginning(dice.stream("prefix"), words);
    Scenario.@Nullable Sessions law = demand.spec().sessions();
    turnsLeft =
        law == null
            ? 1
            : (int) Math.max(1, Math.round(Law.draw(law.turns(), dice.stream("turns"))));
  }

  boolean isOver() {
    return turnsLeft == 0;
  }

  /** The next turn. */
  Request turn(long requestId) {
    turnsLeft--;
    double kind = kinds.nextDouble();
    Scenario.Workload spec = demand.spec();
    int length = demand.tokens(Law.draw(spec.prompt(), prompts, kind), Knob.WORKLOAD_PROMPT);
    int output = demand.tokens(Law.draw(spec.output(), outputs, kind), Knob.WORKLOAD_OUTPUT);
    said = said.then(words.nextLong(), length);
    Request request =
        new Request(
            requestId,
            new Ask(
                name(requestId),
                spec.name(),
                said,
                output,
                demand.maxTokens(),
                adapter,
                spec.priority(),
                demand.temperature(),
                penalties.chance(demand.penaltiesShare()),
                demand.preprocessNs(),
                streams.chance(spec.streamingShare())));
    request.session = spec.sessions() == null ? 0 : id;
    return request;
  }

  /** The answer belongs to what was said. */
  void answered(Request request) {
    said = said.then(request.outputContent(), request.generated);
  }

  /** Nanoseconds after which the user gives up, negative for never. */
  long cancelAfterNs() {
    boolean cancels = patience.chance(demand.cancelShare());
    Scenario.@Nullable Length law = demand.spec().cancelAfterSeconds();
    double seconds =
        law == null ? patience.nextExponential(PATIENCE_SECONDS) : Law.draw(law, patience);
    return cancels ? nanos(seconds) : -1;
  }

  long thinkNs() {
    Scenario.@Nullable Sessions law = demand.spec().sessions();
    return law == null ? 0 : nanos(Law.draw(law.thinkSeconds(), thoughts));
  }

  static long nanos(double seconds) {
    return Math.max(0, Math.round(seconds * 1e9));
  }

  /** As nginx makes its request ids: 32 hex digits. */
  private String name(long requestId) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(Dice.mix(id ^ requestId)) + hex.toHexDigits(Dice.mix(requestId));
  }
}
