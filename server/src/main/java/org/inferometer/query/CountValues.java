package org.inferometer.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Names;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Rows;

/** {@code count_values}: how many elements of a group have each value, the value as a label. */
final class CountValues {
  private CountValues() {}

  static Rows apply(
      Expr.Aggregate e, Rows operand, String label, Steps steps, Evaluation evaluation) {
    if (!LabelFunctions.isLabelName(label)) {
      throw Abort.execution("invalid label name " + Names.quote(label));
    }
    List<String> names = new ArrayList<>(e.grouping());
    if (!e.without()) {
      names.add(label);
    }
    Grouping.Key key = Grouping.key(names, e.without());
    Map<Labels, Row> counts = new LinkedHashMap<>();
    for (Row row : operand.rows()) {
      evaluation.check();
      count(row, label, key, steps.count(), counts, evaluation.budget());
    }
    return Rows.of(List.copyOf(counts.values()));
  }

  private static void count(
      Row row,
      String label,
      Grouping.Key key,
      int steps,
      Map<Labels, Row> counts,
      SampleBudget budget) {
    Map<Object, Row> byValue = new LinkedHashMap<>();
    for (int i = 0; i < steps; i++) {
      if (row.isPresent(i)) {
        NativeHistogram histogram = row.histogram(i);
        Object value = histogram == null ? row.value(i) : histogram;
        Row count =
            byValue.computeIfAbsent(
                value,
                v ->
                    counts.computeIfAbsent(
                        key.of(row.labels().with(label, text(v, budget))),
                        labels -> newRow(labels, row.nameDropped(), steps, budget)));
        count.set(i, count.value(i) + 1);
      }
    }
  }

  /** There may be one for each point, with room for all steps. */
  private static Row newRow(Labels labels, boolean nameDropped, int steps, SampleBudget budget) {
    budget.acquire(steps);
    budget.acquireRows(1);
    return new Row(labels, nameDropped, steps);
  }

  /** A histogram's may have millions of characters. */
  private static String text(Object value, SampleBudget budget) {
    String text = value instanceof Double number ? FloatFormat.plain(number) : value.toString();
    budget.acquire(text.length() / LabelFunctions.CHARACTERS_PER_SAMPLE);
    return text;
  }
}
