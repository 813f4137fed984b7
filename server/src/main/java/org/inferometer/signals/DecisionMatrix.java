package org.inferometer.signals;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells what kind of work a GPU does, and what holds it up, from its utilisations and the cache of
 * the engine on it. What isn't known makes it say so rather than guess.
 *
 * @param inputs what it looks at
 * @param cases tried in order; the first whose conditions all hold is it
 */
record DecisionMatrix(List<Input> inputs, List<Case> cases) {
  /** The id of the state of which nothing can be told. */
  static final String CANNOT_TELL = "cannot-tell";

  DecisionMatrix {
    inputs = List.copyOf(inputs);
    cases = List.copyOf(cases);
  }

  /**
   * A signal that is looked at.
   *
   * @param instead the signal whose value stands in for it where it has none, or null
   * @param words what to call it
   * @param missing that it isn't known, as the end of a sentence
   */
  record Input(String signal, @Nullable String instead, String words, String missing) {}

  /**
   * A bound of one input.
   *
   * @param atLeast null if there is no such bound
   * @param below null if there is no such bound
   * @param source where the bound comes from
   */
  record Condition(String signal, @Nullable Double atLeast, @Nullable Double below, String source) {
    boolean holds(double value) {
      return (atLeast == null || value >= atLeast) && (below == null || value < below);
    }
  }

  /**
   * A state that a GPU can be in.
   *
   * @param says what it means, in sentences
   * @param next what to look at
   */
  record Case(String id, String name, List<Condition> when, String says, String next) {
    Case {
      when = List.copyOf(when);
    }
  }

  /**
   * The state that the values say.
   *
   * @param values by signal, those that are known
   */
  GpuState judge(Map<String, Double> values) {
    Set<String> used = new LinkedHashSet<>();
    Set<Input> missing = new LinkedHashSet<>();
    for (Case one : cases) {
      Set<Input> unknown = new LinkedHashSet<>();
      if (mayHold(one, values, used, unknown)) {
        if (unknown.isEmpty()) {
          String says = one.says() + (missing.isEmpty() ? "" : " Cannot tell more: " + of(missing));
          return new GpuState(one.id(), one.name(), says, one.next(), List.copyOf(used));
        }
        missing.addAll(unknown);
      }
    }
    String says = "Cannot tell: " + of(missing.isEmpty() ? Set.copyOf(inputs) : missing);
    return new GpuState(CANNOT_TELL, "Cannot tell", says, null, List.copyOf(used));
  }

  /** Whether no known value speaks against a case; collects what was used and what isn't known. */
  private boolean mayHold(
      Case one, Map<String, Double> values, Set<String> used, Set<Input> unknown) {
    for (Condition condition : one.when()) {
      Input input = input(condition.signal());
      String source = values.containsKey(input.signal()) ? input.signal() : input.instead();
      Double value = source == null ? null : values.get(source);
      if (value == null) {
        unknown.add(input);
      } else {
        used.add(String.valueOf(source));
        if (!condition.holds(value)) {
          return false;
        }
      }
    }
    return true;
  }

  private Input input(String signal) {
    return inputs.stream().filter(i -> i.signal().equals(signal)).findFirst().orElseThrow();
  }

  /** What is missing, in the order of the inputs. */
  private String of(Set<Input> missing) {
    List<String> words = inputs.stream().filter(missing::contains).map(Input::missing).toList();
    return String.join("; ", words) + ".";
  }
}
