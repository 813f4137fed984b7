package org.inferometer.simulator.page;

import java.util.List;
import org.inferometer.simulator.measure.Quantity;
import org.jspecify.annotations.Nullable;

/** Makes sources of what a page file says. */
final class Sources {
  private final Group group;
  private final long epochMs;

  Sources(Group group, long epochMs) {
    this.group = group;
    this.epochMs = epochMs;
  }

  /**
   * @param keys the values of a labelled quantity that are added up; null for others
   */
  Source of(Value value, @Nullable List<String> keys) {
    return switch (value) {
      case Value.Fixed fixed -> nowNs -> fixed.number();
      case Value.Fact fact -> fixed(fact(group, fact.name()));
      case Value.Start ignored -> fixed(seconds(group.startNs()));
      case Value.Now ignored -> this::seconds;
      case Value.Measured measured -> measured(measured.quantity(), keys);
      case Value.Formula formula when formula.rise() ->
          new Rise(formula, this::sum, group.startNs());
      case Value.Formula formula -> nowNs -> quotient(formula);
    };
  }

  /** A fact that is a number. */
  static double fact(Group group, String name) {
    String text = group.fact(name);
    if (text == null) {
      throw new IllegalArgumentException("expected a fact " + name + " of " + group.labels);
    }
    return Double.parseDouble(text);
  }

  private static Source fixed(double number) {
    return nowNs -> number;
  }

  /** Unix time of a simulated moment. */
  double seconds(long ns) {
    return epochMs / 1e3 + ns / 1e9;
  }

  private Source measured(Quantity quantity, @Nullable List<String> keys) {
    return keys == null ? nowNs -> group.value(quantity) : nowNs -> group.value(quantity, keys);
  }

  private double sum(List<Value.Term> terms) {
    double sum = 0;
    for (Value.Term term : terms) {
      sum += group.term(term);
    }
    return sum;
  }

  private double quotient(Value.Formula formula) {
    double top = sum(formula.sum()) - sum(formula.less());
    if (formula.over().isEmpty()) {
      return top;
    }
    double over = sum(formula.over());
    return over == 0 ? 0 : top / over;
  }
}
