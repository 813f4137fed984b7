package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;

/** Looks at how targets fared, all at once. Thread-safe. */
final class TargetHistories {
  /** What every client library of Prometheus tells of its process. */
  private static final String START = "process_start_time_seconds";

  /** How many samples a page had, which every scrape leaves. */
  private static final String SAMPLES = "scrape_samples_scraped";

  /** Labels that say where a series is from rather than how its server was set up. */
  private static final Set<String> PLACES =
      Set.of("__name__", "job", "instance", "engine", "pid", "model_name", "endpoint");

  private final ColumnQueries queries;

  TargetHistories(ColumnQueries queries) {
    this.queries = queries;
  }

  /**
   * The histories of all members of services.
   *
   * @param times a stretch without requests
   */
  List<TargetHistory> look(Collection<Binding> bindings, SignalBatch times) throws QueryException {
    String step = "[" + times.stepMs() + "ms]";
    String up = "avg by (job, instance) (avg_over_time(" + TargetScan.UP + step + "))";
    String samples = "max by (job, instance) (last_over_time(" + SAMPLES + step + "))";
    String starts = "max by (job, instance) (last_over_time(" + START + step + "))";
    Set<String> families = new LinkedHashSet<>();
    bindings.forEach(binding -> sources(binding).forEach(source -> families.add(source.family())));
    Set<String> texts = new LinkedHashSet<>(List.of(up, samples, starts));
    families.forEach(family -> texts.add(text(family, step)));
    Map<String, ColumnQueries.Outcome> outcomes = queries.run(texts, times);
    long[] timesMs = times.timesMs().stream().mapToLong(Long::longValue).toArray();
    List<TargetHistory> all = new ArrayList<>();
    for (Binding binding : bindings) {
      for (Binding.Member member : binding.members()) {
        Target target = member.target();
        Labels scraped = member.scraped().labels();
        all.add(
            new TargetHistory(
                binding.id(),
                binding.kind(),
                target.job(),
                target.instance(),
                timesMs,
                column(columns(outcomes, up), target, timesMs.length),
                column(columns(outcomes, starts), target, timesMs.length),
                column(columns(outcomes, samples), target, timesMs.length),
                settings(binding, target, scraped, outcomes, step, timesMs)));
      }
    }
    return all;
  }

  private static String text(String family, String step) {
    return "last_over_time({__name__=\"" + family + "\"}" + step + ")";
  }

  private static List<SettingSource> sources(Binding binding) {
    return binding.dialect() == null ? List.of() : binding.dialect().profile().settings();
  }

  private static List<ColumnQueries.Column> columns(
      Map<String, ColumnQueries.Outcome> outcomes, String text) {
    return outcomes.get(text) instanceof ColumnQueries.Outcome.Columns columns
        ? columns.series()
        : List.of();
  }

  private static double[] column(List<ColumnQueries.Column> columns, Target target, int length) {
    for (ColumnQueries.Column column : columns) {
      if (Target.of(column.labels()).equals(target)) {
        return column.values();
      }
    }
    double[] none = new double[length];
    Arrays.fill(none, Double.NaN);
    return none;
  }

  private static Map<String, List<TargetHistory.Setting>> settings(
      Binding binding,
      Target target,
      Labels scraped,
      Map<String, ColumnQueries.Outcome> outcomes,
      String step,
      long[] timesMs) {
    Map<String, List<TargetHistory.Setting>> settings = new TreeMap<>();
    for (SettingSource source : sources(binding)) {
      for (ColumnQueries.Column column : columns(outcomes, text(source.family(), step))) {
        if (Target.of(column.labels()).equals(target)) {
          values(source, column, scraped, timesMs)
              .forEach(
                  (name, values) ->
                      settings.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(values));
        }
      }
    }
    settings.replaceAll((_, values) -> joined(values));
    return settings;
  }

  private static Map<String, List<TargetHistory.Setting>> values(
      SettingSource source, ColumnQueries.Column column, Labels scraped, long[] timesMs) {
    Map<String, List<TargetHistory.Setting>> values = new LinkedHashMap<>();
    String name = source.name();
    if (name != null) {
      List<TargetHistory.Setting> all = new ArrayList<>();
      for (int i = 0; i < timesMs.length; i++) {
        if (!Double.isNaN(column.values()[i])) {
          all.add(new TargetHistory.Setting(plain(column.values()[i]), timesMs[i], timesMs[i]));
        }
      }
      values.put(name, all);
      return values;
    }
    int first = 0;
    int last = timesMs.length - 1;
    while (first <= last && Double.isNaN(column.values()[first])) {
      first++;
    }
    while (last >= first && Double.isNaN(column.values()[last])) {
      last--;
    }
    if (first > last) {
      return values;
    }
    long from = timesMs[first];
    long to = timesMs[last];
    column
        .labels()
        .forEach(
            (label, value) -> {
              if (!PLACES.contains(label) && !scraped.has(label)) {
                values.put(label, List.of(new TargetHistory.Setting(value, from, to)));
              }
            });
    return values;
  }

  private static String plain(double value) {
    long whole = Math.round(value);
    return whole == value ? Long.toString(whole) : Double.toString(value);
  }

  /** In order of time, with equal neighbours as one. */
  private static List<TargetHistory.Setting> joined(List<TargetHistory.Setting> values) {
    values.sort(Comparator.comparingLong(TargetHistory.Setting::toMs));
    List<TargetHistory.Setting> joined = new ArrayList<>();
    for (TargetHistory.Setting next : values) {
      TargetHistory.Setting last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && last.value().equals(next.value())) {
        joined.removeLast();
        joined.add(
            new TargetHistory.Setting(
                next.value(), Math.min(last.fromMs(), next.fromMs()), next.toMs()));
      } else {
        joined.add(next);
      }
    }
    return List.copyOf(joined);
  }
}
