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

  static Rows apply(Expr.Aggregate e, Rows operand, String label, Steps steps) {
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
      count(row, label, key, steps.count(), counts);
    }
    return Rows.of(List.copyOf(counts.values()));
  }

  private static void count(
      Row row, String label, Grouping.Key key, int steps, Map<Labels, Row> counts) {
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
                        key.of(row.labels().with(label, text(v))),
                        labels -> new Row(labels, row.nameDropped(), steps)));
        count.set(i, count.value(i) + 1);
      }
    }
  }

  private static String text(Object value) {
    return value instanceof Double number ? FloatFormat.plain(number) : value.toString();
  }
}
