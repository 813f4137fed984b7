package org.inferometer.simulator.fleet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;

/**
 * Turns knobs for a while and back. Of several that are on at once the last one counts; when it
 * ends the one before does again. A turn without end replaces all. Not thread-safe.
 */
final class Turns {
  private final Agenda agenda;
  private final IdentityHashMap<Knobs, Map<Knob, Stack>> stacks = new IdentityHashMap<>();

  Turns(Agenda agenda) {
    this.agenda = agenda;
  }

  /** Where a knob stands by itself, and what is on above that. */
  private static final class Stack {
    private double base;
    private final List<Passing> passing = new ArrayList<>();

    Stack(double base) {
      this.base = base;
    }

    double value() {
      return passing.isEmpty() ? base : passing.getLast().value();
    }
  }

  /** A turn with an end; distinct from all others. */
  private static final class Passing {
    private final double value;

    Passing(double value) {
      this.value = value;
    }

    double value() {
      return value;
    }
  }

  /**
   * @param forNs after which it ends; 0 for never
   * @throws IllegalArgumentException if the knob isn't of these, or doesn't turn so far
   */
  void turn(Knobs knobs, Knob knob, double value, long forNs) {
    double before = knobs.get(knob);
    knobs.set(knob, value);
    Stack stack =
        stacks
            .computeIfAbsent(knobs, _ -> new EnumMap<>(Knob.class))
            .computeIfAbsent(knob, _ -> new Stack(before));
    if (forNs == 0) {
      stack.base = value;
      stack.passing.clear();
      return;
    }
    Passing one = new Passing(value);
    stack.passing.add(one);
    agenda.in(
        forNs,
        () -> {
          if (stack.passing.remove(one)) {
            knobs.set(knob, stack.value());
          }
        });
  }

  /** What is known of these knobs is forgotten: their part is gone. */
  void forget(Knobs knobs) {
    stacks.remove(knobs);
  }
}
