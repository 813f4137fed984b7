package org.inferometer.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Rows;
import org.jspecify.annotations.Nullable;

/** {@code count_values}: how many elements of a group have each value, the value as a label. */
final class CountValues {
  private CountValues() {}

  static Rows apply(Expr.Aggregate e, Rows operand, String label, Steps steps) {
    if (!LabelFunctions.isLabelName(label)) {
      throw Abort.execution("invalid label name \"" + label + "\"");
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
    Map<Long, Row> byFloat = new HashMap<>();
    for (int i = 0; i < steps; i++) {
      NativeHistogram histogram = row.histogram(i);
      if (histogram != null) {
        increment(i, row, label, histogram.toString(), key, counts);
      } else if (row.isPresent(i)) {
        double value = row.value(i);
        @Nullable Row known = byFloat.get(Double.doubleToLongBits(value));
        if (known == null) {
          Row count = increment(i, row, label, FloatFormat.plain(value), key, counts);
          byFloat.put(Double.doubleToLongBits(value), count);
        } else {
          known.set(i, known.value(i) + 1);
        }
      }
    }
  }

  private static Row increment(
      int step, Row row, String label, String text, Grouping.Key key, Map<Labels, Row> counts) {
    Row count =
        counts.computeIfAbsent(
            key.of(row.labels().with(label, text)),
            labels -> new Row(labels, row.nameDropped(), row.steps()));
    count.set(step, count.value(step) + 1);
    return count;
  }
}
