package org.inferometer.query;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Rows;

/** One element where a vector has none. */
final class Absent {
  private Absent() {}

  /**
   * @param argument what the labels are taken from, if it is a selector
   */
  static Rows of(Expr argument, List<Row> rows, Steps steps) {
    Row absent = new Row(labels(argument), false, steps.count());
    for (int i = 0; i < steps.count(); i++) {
      if (!isAnyPresent(rows, i)) {
        absent.set(i, 1);
      }
    }
    return Rows.of(List.of(absent)).withoutEmpty();
  }

  private static boolean isAnyPresent(List<Row> rows, int step) {
    for (Row row : rows) {
      if (row.isPresent(step)) {
        return true;
      }
    }
    return false;
  }

  private static Labels labels(Expr argument) {
    return switch (argument) {
      case Expr.Paren paren -> labels(paren.inner());
      case Expr.VectorSelector selector -> labels(selector.matchers());
      case Expr.MatrixSelector selector -> labels(selector.selector().matchers());
      case Expr.NumberLiteral e -> Labels.EMPTY;
      case Expr.StringLiteral e -> Labels.EMPTY;
      case Expr.Unary e -> Labels.EMPTY;
      case Expr.Binary e -> Labels.EMPTY;
      case Expr.Aggregate e -> Labels.EMPTY;
      case Expr.Call e -> Labels.EMPTY;
      case Expr.Subquery e -> Labels.EMPTY;
    };
  }

  /** What the equality matchers say, without labels that are matched more than once. */
  private static Labels labels(List<Matcher> matchers) {
    Labels.Builder builder = new Labels.Builder();
    Set<String> seen = new HashSet<>();
    for (Matcher matcher : matchers) {
      if (matcher.name().equals(Labels.NAME)) {
        continue;
      }
      if (matcher.type() == Matcher.Type.EQUAL && seen.add(matcher.name())) {
        builder.set(matcher.name(), matcher.value());
      } else {
        builder.remove(matcher.name());
      }
    }
    return builder.build();
  }
}
