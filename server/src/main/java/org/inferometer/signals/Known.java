package org.inferometer.signals;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a service beside the values of its series: what its targets expose, and what was
 * told of it.
 *
 * @param goals the values that signals should stay below, by name
 */
record Known(List<TargetFacts> targets, Map<Fact, Told> facts, Map<String, Double> goals) {
  static final Known NOTHING = new Known(List.of(), Map.of());

  Known {
    targets = List.copyOf(targets);
    facts = Map.copyOf(facts);
    goals = Map.copyOf(goals);
  }

  Known(List<TargetFacts> targets, Map<Fact, Told> facts) {
    this(targets, facts, Map.of());
  }

  /**
   * A fact's value.
   *
   * @param because what it was seen by, a sentence, or null if a user told it
   */
  record Told(double value, @Nullable String because) {}

  /** The facts that a user told; numbers that make no sense are left out. */
  static Map<Fact, Told> told(Map<String, Double> byKey) {
    Map<Fact, Told> facts = new EnumMap<>(Fact.class);
    byKey.forEach(
        (key, value) -> {
          Fact fact = Fact.find(key);
          if (fact != null && Double.isFinite(value) && value > 0) {
            facts.put(fact, new Told(value, null));
          }
        });
    return facts;
  }
}
