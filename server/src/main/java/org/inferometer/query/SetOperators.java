package org.inferometer.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Labels;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr.VectorMatching;
import org.inferometer.query.Value.Rows;

/**
 * {@code and}, {@code or} and {@code unless}: elements chosen by whether the other side has one
 * with the same match labels at the same step. Nothing about the elements changes.
 */
final class SetOperators {
  private final Grouping.Key key;
  private final Steps steps;
  private final Evaluation evaluation;

  SetOperators(VectorMatching matching, Steps steps, Evaluation evaluation) {
    this.key = Grouping.key(matching.labels(), !matching.on());
    this.steps = steps;
    this.evaluation = evaluation;
  }

  Rows apply(BinaryOp op, Rows left, Rows right) {
    return switch (op) {
      case AND -> chosen(left, presence(right), true);
      case UNLESS -> chosen(left, presence(right), false);
      case OR -> union(left, right);
      default -> throw new IllegalArgumentException("expected a set operator, got " + op);
    };
  }

  /** For each match group the steps at which it has any element. */
  private Map<Labels, boolean[]> presence(Rows rows) {
    Map<Labels, boolean[]> presence = new HashMap<>();
    for (Row row : rows.rows()) {
      evaluation.check();
      boolean[] any =
          presence.computeIfAbsent(key.of(row.labels()), group -> new boolean[steps.count()]);
      for (int i = 0; i < any.length; i++) {
        any[i] |= row.isPresent(i);
      }
    }
    return presence;
  }

  private Rows chosen(Rows rows, Map<Labels, boolean[]> other, boolean wanted) {
    boolean[] never = new boolean[steps.count()];
    return rows.map(
        row -> {
          evaluation.check();
          boolean[] there = other.getOrDefault(key.of(row.labels()), never);
          Row kept = new Row(row.labels(), row.nameDropped(), steps.count());
          for (int i = 0; i < there.length; i++) {
            if (row.isPresent(i) && there[i] == wanted) {
              kept.setFrom(i, row);
            }
          }
          return kept;
        });
  }

  private Rows union(Rows left, Rows right) {
    List<Row> all = new ArrayList<>(left.rows());
    all.addAll(chosen(right, presence(left), false).rows());
    return Rows.of(mergedByIdentity(all));
  }

  /** Makes one row of those with the same labels and the same fate of their name. */
  private List<Row> mergedByIdentity(List<Row> rows) {
    record Identity(Labels labels, boolean nameDropped) {}
    Map<Identity, Row> merged = new java.util.LinkedHashMap<>();
    for (Row row : rows) {
      evaluation.check();
      merged.merge(
          new Identity(row.labels(), row.nameDropped()),
          row,
          (a, b) -> {
            Row both = a.copy();
            both.takeOver(b);
            return both;
          });
    }
    return List.copyOf(merged.values());
  }
}
