package org.inferometer.simulator.page;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a formula's terms rose by, from one page to a later one. Pages that follow within a second
 * say the same, as an engine's own gauges do. Not thread-safe.
 */
final class Rise implements Source {
  private static final double SECONDS_MIN = 1;

  private final Value.Formula formula;
  private final ToDoubleFunction<List<Value.Term>> sum;
  private long lastNs;
  private double lastTop;
  private double lastOver;
  private double number;

  /**
   * @param sum gives what terms add up to now
   */
  Rise(Value.Formula formula, ToDoubleFunction<List<Value.Term>> sum, long startNs) {
    this.formula = formula;
    this.sum = sum;
    this.lastNs = startNs;
  }

  @Override
  public double number(long nowNs) {
    double seconds = (nowNs - lastNs) / 1e9;
    if (seconds >= SECONDS_MIN) {
      double top = sum.applyAsDouble(formula.sum()) - sum.applyAsDouble(formula.less());
      double over = sum.applyAsDouble(formula.over());
      if (!formula.keeps() || top != lastTop || over != lastOver) {
        number = quotient(top - lastTop, over - lastOver, seconds);
      }
      lastNs = nowNs;
      lastTop = top;
      lastOver = over;
    }
    return number;
  }

  private double quotient(double top, double over, double seconds) {
    double rise = formula.perSecond() ? top / seconds : top;
    if (formula.over().isEmpty()) {
      return rise;
    }
    return over == 0 ? 0 : rise / over;
  }
}
