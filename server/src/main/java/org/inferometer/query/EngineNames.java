package org.inferometer.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.query.Value.Rows;

/**
 * What becomes of metric names: an operation that changes what a value means drops the name, and
 * the labels of type and unit along with it, at once or (delayed) at the end of the query.
 */
final class EngineNames {
  private static final Set<String> DROPPED = Set.of(Labels.NAME, "__type__", "__unit__");

  private final boolean delayed;

  EngineNames(boolean delayed) {
    this.delayed = delayed;
  }

  /** Whether a label says what the metric is, and so goes with its name. */
  static boolean isOfMetric(String label) {
    return DROPPED.contains(label);
  }

  static Labels withoutName(Labels labels) {
    return labels.without(DROPPED);
  }

  /** A row of an operation that drops the name, not merged yet. */
  Row dropped(Row row) {
    return delayed ? row.as(row.labels(), true) : row.as(withoutName(row.labels()), false);
  }

  Rows dropped(Rows rows) {
    List<Row> dropped = new ArrayList<>(rows.rows().size());
    for (Row row : rows.rows()) {
      dropped.add(dropped(row));
    }
    Rows result = new Rows(dropped, rows.ordered());
    return delayed ? result : merged(result);
  }

  /**
   * The same for an operation whose results may at no step have the labels of another series: unary
   * minus and the functions over ranges.
   *
   * @throws Abort if two rows come to the same labels, even if never at one step
   */
  Rows droppedApart(Rows rows) {
    Rows dropped = dropped(rows);
    if (!delayed && dropped.rows().size() < rows.rows().size()) {
      throw Abort.sameLabels();
    }
    return dropped;
  }

  /** The names that were dropped with delay removed. */
  Rows settled(Rows rows) {
    if (!delayed) {
      return rows;
    }
    List<Row> settled = new ArrayList<>(rows.rows().size());
    for (Row row : rows.rows()) {
      settled.add(row.nameDropped() ? row.as(withoutName(row.labels()), false) : row);
    }
    return merged(new Rows(settled, rows.ordered()));
  }

  /**
   * Rows with the same labels made one.
   *
   * @throws Abort if two of them have a point at the same step
   */
  Rows merged(Rows rows) {
    Map<Labels, Row> byLabels = LinkedHashMap.newLinkedHashMap(rows.rows().size());
    boolean merged = false;
    for (Row row : rows.rows()) {
      Row before = byLabels.putIfAbsent(row.labels(), row);
      if (before != null) {
        merged = true;
        Row both = before.copy();
        both.takeOver(row);
        byLabels.put(row.labels(), both);
      }
    }
    return merged ? new Rows(List.copyOf(byLabels.values()), rows.ordered()) : rows;
  }
}
