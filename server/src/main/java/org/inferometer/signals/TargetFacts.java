package org.inferometer.signals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.inferometer.model.Labels;

/**
 * What a target exposes.
 *
 * @param families names of its metrics, {@code _bucket}, {@code _sum} and {@code _count} apart
 * @param rows each name with each combination of the labels that identify
 * @param byMetric the rows by name
 */
record TargetFacts(
    Target target, Set<String> families, List<Labels> rows, Map<String, List<Labels>> byMetric) {
  TargetFacts {
    families = Set.copyOf(families);
    rows = List.copyOf(rows);
    byMetric = Map.copyOf(byMetric);
  }

  static TargetFacts of(Target target, List<Labels> rows) {
    List<Labels> own = rows.stream().filter(row -> isExposed(row.metricName())).toList();
    Map<String, List<Labels>> byMetric =
        own.stream().collect(Collectors.groupingBy(Labels::metricName));
    return new TargetFacts(target, byMetric.keySet(), own, byMetric);
  }

  /** Whether a metric is the target's own, not one that every scrape adds. */
  static boolean isExposed(String metric) {
    return !metric.isEmpty() && !metric.equals(TargetScan.UP) && !metric.startsWith("scrape_");
  }

  /** How many families there are, a histogram being one. */
  int familyCount() {
    Set<String> names = new TreeSet<>();
    families.forEach(name -> names.add(name.replaceFirst("_(bucket|sum|count|total)$", "")));
    return names.size();
  }

  /** The rows of a metric. */
  List<Labels> rowsOf(String metric) {
    return byMetric.getOrDefault(metric, List.of());
  }

  /** The values of a label, sorted, each once. */
  Set<String> values(String label) {
    Set<String> values = new TreeSet<>();
    for (Labels row : rows) {
      if (row.has(label)) {
        values.add(row.get(label));
      }
    }
    return values;
  }
}
