package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** Finds the GPUs that the exporters tell of, and puts together what is known of each. */
final class GpuLook {
  /** Pods named for one GPU; more share it only in name. */
  private static final int PODS_MAX = 20;

  private static final String MASK = "gpu_clock_event_reasons";
  private static final String XID = "gpu_xid";

  private final ColumnQueries columns;
  private final SignalQueries queries;
  private final Vocabulary vocabulary;
  private final GpuReference reference;

  GpuLook(
      ColumnQueries columns, SignalQueries queries, Vocabulary vocabulary, GpuReference reference) {
    this.columns = columns;
    this.queries = queries;
    this.vocabulary = vocabulary;
    this.reference = reference;
  }

  /** The exporters of GPUs whose series are understood. */
  List<Binding> exporters(Collection<Binding> all) {
    return all.stream().filter(b -> names(b) != null).toList();
  }

  private @Nullable GpuNames names(Binding binding) {
    Dialect dialect = binding.dialect();
    return binding.kind() == ServiceKind.GPU && dialect != null
        ? reference.names().get(dialect.id())
        : null;
  }

  GpuHistory history(Collection<Binding> all, long nowMs) throws QueryException {
    return GpuHistory.look(exporters(all), queries, vocabulary, reference, nowMs);
  }

  GpuSnapshot look(Collection<Binding> all, GpuHistory history, long nowMs) throws QueryException {
    List<Binding> exporters = exporters(all);
    Map<Binding, List<Row>> rows = rows(exporters, nowMs);
    Map<String, Map<String, SignalResult>> results = results(exporters, nowMs);
    GpuEngines engines = GpuEngines.look(all, queries, vocabulary, nowMs);
    List<Gpu> gpus = new ArrayList<>();
    int leftOut = 0;
    for (Map.Entry<Binding, List<Row>> found : rows.entrySet()) {
      Binding exporter = found.getKey();
      for (Row row : found.getValue()) {
        if (gpus.size() == GpuSnapshot.GPUS_MAX) {
          leftOut++;
          continue;
        }
        Map<String, SignalResult> told = results.getOrDefault(exporter.id(), Map.of());
        gpus.add(gpu(exporter, row, new Told(told), engines, history));
      }
    }
    return new GpuSnapshot(nowMs, gpus, leftOut, history.events());
  }

  /**
   * A GPU or a part of one, by the labels of its series.
   *
   * @param pods those that use it, sorted
   */
  private record Row(GpuNames names, GpuNames.Id id, Labels labels, Set<String> pods) {}

  private Map<Binding, List<Row>> rows(List<Binding> exporters, long nowMs) throws QueryException {
    Map<Binding, List<String>> texts = new LinkedHashMap<>();
    Set<String> all = new LinkedHashSet<>();
    for (Binding exporter : exporters) {
      GpuNames names = names(exporter);
      if (names != null) {
        Template.Values values = exporter.values(List.of(), exporter.windowMs(0));
        texts.put(exporter, names.rows().stream().map(row -> row.render(values)).toList());
        all.addAll(texts.get(exporter));
      }
    }
    Map<String, ColumnQueries.Outcome> outcomes =
        columns.run(all, SignalBatch.at(nowMs, List.of()));
    Map<Binding, List<Row>> rows = new LinkedHashMap<>();
    texts.forEach((exporter, asked) -> rows.put(exporter, rows(exporter, asked, outcomes)));
    return rows;
  }

  private List<Row> rows(
      Binding exporter, List<String> texts, Map<String, ColumnQueries.Outcome> outcomes) {
    GpuNames names = names(exporter);
    for (String text : texts) {
      if (names != null
          && outcomes.get(text) instanceof ColumnQueries.Outcome.Columns found
          && !found.series().isEmpty()) {
        return rows(names, exporter, found.series());
      }
    }
    return List.of();
  }

  /** One row a GPU and part, in the order of their numbers. */
  private static List<Row> rows(
      GpuNames names, Binding exporter, List<ColumnQueries.Column> series) {
    Set<String> exporterPods = exporter.pods();
    Map<String, Row> rows = new TreeMap<>();
    for (ColumnQueries.Column column : series) {
      GpuNames.Id id = names.id(column.labels());
      if (id.uuid() == null && id.index() == null) {
        continue;
      }
      Row row =
          rows.computeIfAbsent(
              order(id), key -> new Row(names, id, column.labels(), new TreeSet<>()));
      String pod = pod(column.labels(), names, exporterPods);
      if (pod != null && row.pods().size() < PODS_MAX) {
        row.pods().add(pod);
      }
    }
    return List.copyOf(rows.values());
  }

  /** Sorts numbers by value: they are padded to one length. */
  private static String order(GpuNames.Id id) {
    return padded(id.index()) + "\n" + id.uuid() + "\n" + padded(id.instance());
  }

  private static String padded(@Nullable String number) {
    String text = number == null ? "" : number;
    return "0".repeat(Math.max(0, 10 - text.length())) + text;
  }

  /** The workload's pod: what a scraper set aside first, and never the exporter's own. */
  private static @Nullable String pod(Labels labels, GpuNames names, Set<String> exporterPods) {
    return names.pod().stream()
        .map(labels::get)
        .filter(pod -> !pod.isEmpty() && !exporterPods.contains(pod))
        .findFirst()
        .orElse(null);
  }

  private Map<String, Map<String, SignalResult>> results(List<Binding> exporters, long nowMs)
      throws QueryException {
    List<String> names = new ArrayList<>(Gpu.UTILISATIONS);
    names.addAll(Gpu.VALUES);
    names.addAll(List.of(MASK, XID));
    List<SignalQueries.Question> questions = new ArrayList<>();
    for (Binding exporter : exporters) {
      for (String name : names) {
        Signal signal = vocabulary.find(name);
        if (signal != null && signal.layer() == Layer.GPU) {
          questions.add(new SignalQueries.Question(exporter, signal, List.of(), null, null));
        }
      }
    }
    Map<String, Map<String, SignalResult>> results = new HashMap<>();
    for (SignalResult result : queries.ask(questions, SignalBatch.at(nowMs, List.of()))) {
      results.computeIfAbsent(result.service(), id -> new HashMap<>()).put(result.signal(), result);
    }
    return results;
  }

  /** What an exporter tells of its GPUs. */
  private record Told(Map<String, SignalResult> results) {
    @Nullable Double value(Row row, String signal) {
      SignalResult result = results.get(signal);
      if (result == null) {
        return null;
      }
      for (SignalSeries series : result.series()) {
        if (row.id().isWithin(row.names().id(series.labels()))
            && !Double.isNaN(series.values()[0])) {
          return series.values()[0];
        }
      }
      return null;
    }

    /** Whether a signal's values are something like it rather than the thing itself. */
    boolean isProxy(String signal) {
      SignalResult result = results.get(signal);
      return result != null && result.quality() == Quality.PROXY;
    }

    Map<String, Double> values(Row row, List<String> signals) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (String signal : signals) {
        Double value = value(row, signal);
        if (value != null) {
          values.put(signal, value);
        }
      }
      return values;
    }
  }

  private Gpu gpu(Binding exporter, Row row, Told told, GpuEngines engines, GpuHistory history) {
    GpuNames names = row.names();
    GpuEngines.Use use = engines.of(exporter, row.pods());
    Map<String, Double> utilisation = told.values(row, Gpu.UTILISATIONS);
    Map<String, Double> inputs = new LinkedHashMap<>(utilisation);
    inputs.keySet().removeIf(told::isProxy);
    if (use != null) {
      putIfKnown(utilisation, "kv_usage", engines.value(use, "kv_usage"));
      putIfKnown(inputs, "kv_usage", engines.value(use, "kv_usage"));
      putIfKnown(inputs, "running", engines.value(use, "running"));
    }
    String host = GpuNames.first(row.labels(), names.host());
    return new Gpu(
        exporter.id(),
        host == null ? exporter.members().getFirst().target().host() : host,
        row.id().name(),
        row.id().uuid(),
        GpuNames.first(row.labels(), names.model()),
        row.id().instance(),
        GpuNames.first(row.labels(), names.profile()),
        row.pods().isEmpty() ? null : String.join(", ", row.pods()),
        use == null ? null : use.engine().id(),
        use == null ? null : use.member().target().instance(),
        utilisation,
        reference.matrix().judge(inputs),
        told.values(row, Gpu.VALUES),
        reasons(told.value(row, MASK)),
        xid(told.value(row, XID), history.xidSinceMs(exporter.id(), row.id())));
  }

  private static void putIfKnown(
      Map<String, Double> values, String signal, @Nullable Double value) {
    if (value != null) {
      values.put(signal, value);
    }
  }

  private List<ClockEventReason> reasons(@Nullable Double mask) {
    return mask == null ? List.of() : reference.reasons(mask.longValue());
  }

  private Gpu.@Nullable LastXid xid(@Nullable Double code, @Nullable Long sinceMs) {
    if (code == null || code < 1) {
      return null;
    }
    Xid xid = reference.xid(code.intValue());
    String severity = xid.severity().name().toLowerCase(Locale.ROOT);
    return new Gpu.LastXid(xid.code(), xid.means(), xid.action(), severity, sinceMs);
  }
}
