package org.inferometer.lint;

import java.util.List;

/** All rules over parsed queries, in the order in which their findings are told. */
final class ExprRules {
  /** Looks at a query and reports to its scene. */
  interface ExprRule {
    void check(Scene scene);
  }

  private static final List<ExprRule> ALL =
      List.of(
          new NameRule(),
          new CounterRule(),
          new HistogramRule(),
          new UnitRule(),
          new LabelRule(),
          new AggregationRule(),
          new WindowRule(),
          new AlertRule(),
          new QuotientRule(),
          new TitleRule(),
          new FactRule());

  private ExprRules() {}

  static void check(Scene scene) {
    ALL.forEach(rule -> rule.check(scene));
  }
}
