package org.inferometer.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.promql.Expr;
import org.inferometer.query.Evaluation.QueryTimes;
import org.inferometer.query.Value.Rows;
import org.inferometer.store.Series;
import org.jspecify.annotations.Nullable;

/**
 * The function {@code info()}: gives each series the labels of the info series that were current
 * for its instance and job. Which ones those are may change from step to step; then a series comes
 * out as several.
 */
final class InfoFunction {
  /** The labels that say what an info series is about. */
  private static final List<String> IDENTIFYING = List.of("instance", "job");

  private static final int NONE = -1;
  private static final int AMBIGUOUS = -2;

  private final Evaluation evaluation;
  private final EngineNames names;
  private final Steps steps;
  private final InfoSelector selector;

  InfoFunction(Evaluation evaluation, EngineNames names, Steps steps, InfoSelector selector) {
    this.evaluation = evaluation;
    this.names = names;
    this.steps = steps;
    this.selector = selector;
  }

  /**
   * When info series are looked up: as the first selector of the expression that is enriched looks
   * at its samples, through all subqueries around it.
   */
  static Shift reference(Expr enriched, QueryTimes times) {
    Shift found = firstShift(enriched, times);
    return found == null ? Shift.NONE : found;
  }

  private static @Nullable Shift firstShift(Expr e, QueryTimes times) {
    return switch (e) {
      case Expr.VectorSelector s -> times.shift(s.shift());
      case Expr.Subquery s -> {
        Shift inner = firstShift(s.inner(), times);
        yield inner == null ? null : inner.within(times.shift(s.shift()));
      }
      default -> {
        for (Expr child : e.children()) {
          Shift found = firstShift(child, times);
          if (found != null) {
            yield found;
          }
        }
        yield null;
      }
    };
  }

  Rows apply(Rows base, Shift reference, Expr.Call call) {
    Map<Labels, List<InfoSeries>> infos = infoSeries(base, reference, call);
    List<Row> enriched = new ArrayList<>(base.rows().size());
    for (Row row : base.rows()) {
      evaluation.check();
      if (selector.isInfo(row.labels())) {
        enriched.add(row);
      } else {
        enrich(row, infos.getOrDefault(identity(row.labels()), List.of()), enriched);
      }
    }
    return names.merged(Rows.of(enriched));
  }

  private static Labels identity(Labels labels) {
    return labels.only(IDENTIFYING);
  }

  /** The info series for each identity among the rows; one entry for each info metric. */
  private Map<Labels, List<InfoSeries>> infoSeries(Rows base, Shift reference, Expr.Call call) {
    Set<Labels> wanted = new HashSet<>();
    for (Row row : base.rows()) {
      if (!selector.isInfo(row.labels())) {
        wanted.add(identity(row.labels()));
      }
    }
    wanted.remove(Labels.EMPTY);
    if (wanted.isEmpty()) {
      return Map.of();
    }
    List<Series> series =
        evaluation.select(selector.matchers(), call.span()).stream()
            .filter(one -> wanted.contains(identity(one.labels())))
            .toList();
    return grouped(
        new Selectors(evaluation, steps).newest(series, reference, SampleFacet.INFO_TIME).rows());
  }

  private Map<Labels, List<InfoSeries>> grouped(List<Row> sampleTimes) {
    Map<Labels, Map<String, List<Row>>> rows = new HashMap<>();
    for (Row row : sampleTimes) {
      rows.computeIfAbsent(identity(row.labels()), key -> new LinkedHashMap<>())
          .computeIfAbsent(row.labels().metricName(), key -> new ArrayList<>())
          .add(row);
    }
    Map<Labels, List<InfoSeries>> groups = HashMap.newHashMap(rows.size());
    rows.forEach(
        (identity, byName) ->
            groups.put(
                identity,
                byName.values().stream().map(same -> InfoSeries.of(same, steps)).toList()));
    return groups;
  }

  /**
   * The series of one info metric with one identity.
   *
   * @param sampleTimes of each series at each step, in seconds
   * @param newest at each step the index of the series with the newest sample, or that there is
   *     none, or more than one
   */
  private record InfoSeries(List<Row> sampleTimes, int[] newest) {
    static InfoSeries of(List<Row> sampleTimes, Steps steps) {
      int[] newest = new int[steps.count()];
      for (int i = 0; i < newest.length; i++) {
        newest[i] = newest(sampleTimes, i);
      }
      return new InfoSeries(sampleTimes, newest);
    }

    private static int newest(List<Row> sampleTimes, int step) {
      int best = NONE;
      double bestTime = Double.NEGATIVE_INFINITY;
      for (int r = 0; r < sampleTimes.size(); r++) {
        Row row = sampleTimes.get(r);
        if (row.isPresent(step) && row.value(step) >= bestTime) {
          best = row.value(step) > bestTime ? r : AMBIGUOUS;
          bestTime = row.value(step);
        }
      }
      return best;
    }

    /**
     * @throws Abort if there is more than one newest
     */
    @Nullable Labels current(int step) {
      if (newest[step] == AMBIGUOUS) {
        throw duplicate(step);
      }
      return newest[step] == NONE ? null : sampleTimes.get(newest[step]).labels();
    }

    private Abort duplicate(int step) {
      List<Row> present = sampleTimes.stream().filter(row -> row.isPresent(step)).toList();
      double last = present.stream().mapToDouble(row -> row.value(step)).max().orElseThrow();
      List<Row> same = present.stream().filter(row -> row.value(step) == last).toList();
      long timeMs = Math.round(last * 1000);
      return Abort.execution(
          "found duplicate series for info metric: existing %s @ %d, new %s @ %d"
              .formatted(
                  same.get(0).labels().inBraces(),
                  timeMs,
                  same.get(1).labels().inBraces(),
                  timeMs));
    }

    boolean changesAt(int step) {
      return step == 0 || newest[step] != newest[step - 1];
    }
  }

  /** Adds the row under the labels that it gets at each step. */
  private void enrich(Row base, List<InfoSeries> infos, List<Row> out) {
    if (infos.isEmpty()) {
      if (!selector.isRequired()) {
        out.add(base);
      }
      return;
    }
    Map<Labels, Row> byLabels = new LinkedHashMap<>();
    Row current = null;
    boolean settled = false;
    for (int i = 0; i < base.steps(); i++) {
      settled &= !anyChangesAt(infos, i);
      if (base.isPresent(i)) {
        if (!settled) {
          current = rowAt(base, infos, i, byLabels);
          settled = true;
        }
        if (current != null) {
          current.setFrom(i, base);
        }
      }
    }
    out.addAll(byLabels.values());
  }

  private static boolean anyChangesAt(List<InfoSeries> infos, int step) {
    for (InfoSeries info : infos) {
      if (info.changesAt(step)) {
        return true;
      }
    }
    return false;
  }

  /** The row that takes the base's point at a step; null if there is none. */
  private @Nullable Row rowAt(
      Row base, List<InfoSeries> infos, int step, Map<Labels, Row> byLabels) {
    Labels.Builder added = new Labels.Builder();
    boolean matched = false;
    for (InfoSeries info : infos) {
      Labels current = info.current(step);
      if (current != null) {
        matched = true;
        addTaken(current, base.labels(), added);
      }
    }
    if (!matched && selector.isRequired()) {
      return null;
    }
    return byLabels.computeIfAbsent(enriched(base.labels(), added), labels -> newRow(base, labels));
  }

  /**
   * Adds the labels that are wanted; a series' own stay.
   *
   * @throws Abort if another info series gave one another value
   */
  private void addTaken(Labels info, Labels own, Labels.Builder added) {
    info.forEach(
        (name, value) -> {
          if (!selector.takes(name) || own.has(name)) {
            return;
          }
          String before = added.get(name);
          if (!before.isEmpty() && !before.equals(value)) {
            throw Abort.execution("conflicting label: " + name);
          }
          added.set(name, value);
        });
  }

  private static Labels enriched(Labels own, Labels.Builder added) {
    own.forEach(added::add);
    return added.build();
  }

  private Row newRow(Row base, Labels labels) {
    evaluation.budget().acquire(base.steps());
    return new Row(labels, base.nameDropped(), base.steps());
  }
}
