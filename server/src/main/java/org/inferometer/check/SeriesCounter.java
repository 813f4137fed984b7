package org.inferometer.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.inferometer.model.Labels;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Families;
import org.jspecify.annotations.Nullable;

/** Counts the series of a page, and finds those that nobody needs. */
final class SeriesCounter {
  private static final int FAMILIES_MAX = 20;
  private static final int LABELS_MAX = 10;

  /** Families with fewer series aren't worth a line of configuration. */
  private static final int DROP_MIN = 10;

  private static final double DROP_SHARE_MIN = 0.01;
  private static final int DROPS_MAX = 6;

  /** Labels of the target, and those that make up a histogram. */
  private static final Set<String> NOT_COUNTED = Set.of(Labels.NAME, "job", "instance", "le");

  /** From here on a label is told of. */
  private static final int VALUES_MANY = 200;

  /** From here on what is to be dropped is something to do. */
  private static final int TODO_SERIES = 1_000;

  private static final double TODO_SHARE = 0.3;

  private final Catalogue catalogue;
  private final Set<String> needed;
  private final ParsedPage page;
  private final Map<String, Integer> byMetric = new TreeMap<>();
  private final Map<String, Set<String>> valuesByLabel = new TreeMap<>();
  private final Map<String, Integer> seriesByLabel = new HashMap<>();
  private final Map<String, Integer> byFamily = new TreeMap<>();
  private final Map<String, Set<String>> metricsByFamily = new HashMap<>();

  /**
   * @param needed names of metrics that are read
   */
  SeriesCounter(Catalogue catalogue, Set<String> needed, ParsedPage page) {
    this.catalogue = catalogue;
    this.needed = needed;
    this.page = page;
    page.values.keySet().forEach(this::count);
    page.histograms.keySet().forEach(this::count);
  }

  private void count(Labels labels) {
    String metric = labels.metricName();
    byMetric.merge(metric, 1, Integer::sum);
    String family = family(metric);
    byFamily.merge(family, 1, Integer::sum);
    if (!isCreated(metric)) {
      metricsByFamily.computeIfAbsent(family, name -> new TreeSet<>()).add(metric);
    }
    labels.forEach(
        (name, value) -> {
          if (!NOT_COUNTED.contains(name)) {
            valuesByLabel.computeIfAbsent(name, label -> new HashSet<>()).add(value);
            seriesByLabel.merge(name, 1, Integer::sum);
          }
        });
  }

  private String family(String metric) {
    String family = page.family(metric);
    if (!family.equals(metric)) {
      return family;
    }
    List<Families.Match> matches = catalogue.families().find(metric);
    return matches.isEmpty() ? metric : matches.getFirst().family().name();
  }

  /**
   * @param isKnown whether the page was recognised: of one that wasn't, nothing can be said to be
   *     of no use
   */
  SeriesView view(boolean isKnown, long intervalMs) {
    List<SeriesView.Drop> drops = new ArrayList<>();
    List<String> rules = new ArrayList<>();
    created(drops, rules);
    if (isKnown) {
      unread(drops, rules);
    }
    return new SeriesView(
        page.series(), families(), labels(), drops, relabel(rules), intervalMs / 1000.0);
  }

  private boolean isNeeded(String family) {
    return metricsByFamily.getOrDefault(family, Set.of()).stream().anyMatch(needed::contains);
  }

  private boolean isKnown(String family) {
    return metricsByFamily.getOrDefault(family, Set.of()).stream()
        .anyMatch(metric -> !catalogue.families().find(metric).isEmpty());
  }

  private List<SeriesView.FamilyCount> families() {
    return byFamily.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(FAMILIES_MAX)
        .map(
            entry ->
                new SeriesView.FamilyCount(
                    entry.getKey(),
                    entry.getValue(),
                    isKnown(entry.getKey()),
                    isNeeded(entry.getKey())))
        .toList();
  }

  private List<SeriesView.LabelCount> labels() {
    return valuesByLabel.entrySet().stream()
        .map(
            entry ->
                new SeriesView.LabelCount(
                    entry.getKey(),
                    entry.getValue().size(),
                    seriesByLabel.getOrDefault(entry.getKey(), 0)))
        .sorted(Comparator.comparingInt(SeriesView.LabelCount::values).reversed())
        .limit(LABELS_MAX)
        .toList();
  }

  // -------------------------------------------------------------------------------- to drop

  /** When a series began: a family of its own for each counter and histogram. */
  private void created(List<SeriesView.Drop> drops, List<String> rules) {
    Set<String> metrics = new TreeSet<>();
    int series = 0;
    for (Map.Entry<String, Integer> entry : byMetric.entrySet()) {
      if (isCreated(entry.getKey()) && !needed.contains(entry.getKey())) {
        metrics.add(entry.getKey());
        series += entry.getValue();
      }
    }
    if (metrics.isEmpty()) {
      return;
    }
    boolean anyNeeded =
        byMetric.keySet().stream()
            .anyMatch(name -> name.endsWith("_created") && !metrics.contains(name));
    drops.add(
        new SeriesView.Drop(
            "..._created", series, "the time at which each counter began; nobody reads it"));
    rules.add(anyNeeded ? String.join("|", metrics) : ".+_created");
  }

  private boolean isCreated(String metric) {
    if (!metric.endsWith("_created")) {
      return false;
    }
    List<Families.Match> matches = catalogue.families().find(metric);
    String base = metric.substring(0, metric.length() - "_created".length());
    return matches.isEmpty()
        ? page.types.containsKey(base) || page.types.containsKey(base + "_total")
        : matches.stream().allMatch(match -> match.part() == Families.Part.CREATED);
  }

  private void unread(List<SeriesView.Drop> drops, List<String> rules) {
    double least = Math.max(DROP_MIN, page.series() * DROP_SHARE_MIN);
    List<Map.Entry<String, Integer>> unread =
        byFamily.entrySet().stream()
            .filter(entry -> entry.getValue() >= least && !isNeeded(entry.getKey()))
            .filter(entry -> metricsByFamily.containsKey(entry.getKey()))
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .limit(DROPS_MAX)
            .toList();
    for (Map.Entry<String, Integer> entry : unread) {
      drops.add(
          new SeriesView.Drop(
              entry.getKey(),
              entry.getValue(),
              "no signal reads it; perhaps a dashboard of yours"));
      rules.add(regex(metricsByFamily.getOrDefault(entry.getKey(), Set.of())));
    }
  }

  /** A regular expression for the metrics of a family, short where they begin alike. */
  private static String regex(Set<String> metrics) {
    if (metrics.size() == 1) {
      return metrics.iterator().next();
    }
    String first = metrics.iterator().next();
    int last = first.lastIndexOf('_');
    String base = last < 0 ? "" : first.substring(0, last + 1);
    return base.isEmpty() || !metrics.stream().allMatch(name -> name.startsWith(base))
        ? String.join("|", metrics)
        : base
            + metrics.stream()
                .map(name -> name.substring(base.length()))
                .collect(Collectors.joining("|", "(", ")"));
  }

  private static @Nullable String relabel(List<String> rules) {
    if (rules.isEmpty()) {
      return null;
    }
    StringBuilder yaml = new StringBuilder("metric_relabel_configs:");
    for (String regex : rules) {
      yaml.append("\n  - source_labels: [__name__]\n    regex: \"")
          .append(regex.replace("\\", "\\\\").replace("\"", "\\\""))
          .append("\"\n    action: drop");
    }
    return yaml.toString();
  }

  // ------------------------------------------------------------------------------- findings

  /** What there is to do about what a page costs. */
  static List<Finding> findings(SeriesView view) {
    List<Finding> findings = new ArrayList<>();
    if (view.droppable() >= TODO_SERIES && view.droppable() >= TODO_SHARE * view.total()) {
      findings.add(
          Finding.of(
              "cardinality",
              Weight.COST,
              view.droppable()
                  + " of "
                  + view.total()
                  + " series are read by no signal, "
                  + view.drops().getFirst().what()
                  + " most of all.",
              view.relabel()));
    }
    for (SeriesView.LabelCount label : view.labels()) {
      if (label.values() >= VALUES_MANY) {
        findings.add(
            Finding.of(
                "cardinality",
                label.series() >= TODO_SERIES ? Weight.COST : Weight.NOTE,
                "The label "
                    + label.name()
                    + " has "
                    + label.values()
                    + " values over "
                    + label.series()
                    + " series. If what callers send ends up in it, it grows without end.",
                label.series() >= TODO_SERIES
                    ? "Bound it where it is made; dropping the label alone makes duplicates."
                    : null));
      }
    }
    return findings;
  }
}
