package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** What happened to the GPUs in the last hours, by how their error signals changed. */
final class GpuHistory {
  /** How far back it looks. */
  static final long SPAN_MS = 6 * 3_600_000L;

  /** How exactly it tells when something happened. */
  static final long STEP_MS = 60_000;

  /** Events beyond this many are left out, the oldest first. */
  static final int EVENTS_MAX = 500;

  /** A GPU whose values stopped this long ago is lost: longer than a selector looks back. */
  private static final int LOST_STEPS = 6;

  /** What every exporter tells of every GPU that it sees. */
  private static final String PRESENCE = "gpu_memory_used";

  private static final String XID = "gpu_xid";

  private static final List<String> SIGNALS =
      List.of(
          PRESENCE,
          XID,
          "gpu_ecc_uncorrected",
          "gpu_remapped_rows",
          "gpu_remap_pending",
          "gpu_remap_failed");

  private final List<GpuEvent> events;
  private final Map<String, List<Since>> xids;

  /** Since when a GPU has its last Xid. */
  private record Since(GpuNames.Id gpu, @Nullable Long sinceMs) {}

  private GpuHistory(List<GpuEvent> events, Map<String, List<Since>> xids) {
    this.events = events;
    this.xids = xids;
  }

  static GpuHistory none() {
    return new GpuHistory(List.of(), Map.of());
  }

  /** What happened, newest first, at most {@value #EVENTS_MAX}. */
  List<GpuEvent> events() {
    return events;
  }

  /** Since when a GPU has the Xid that it has, null if longer than was looked at. */
  @Nullable Long xidSinceMs(String service, GpuNames.Id gpu) {
    return xids.getOrDefault(service, List.of()).stream()
        .filter(since -> gpu.isWithin(since.gpu()))
        .findFirst()
        .map(Since::sinceMs)
        .orElse(null);
  }

  static GpuHistory look(
      List<Binding> gpus,
      SignalQueries queries,
      Vocabulary vocabulary,
      GpuReference reference,
      long nowMs)
      throws QueryException {
    long end = nowMs - nowMs % STEP_MS;
    SignalBatch times = new SignalBatch(end - SPAN_MS, end, STEP_MS, List.of());
    Map<String, List<Since>> xids = new HashMap<>();
    List<GpuEvent> events = new ArrayList<>();
    Map<String, Map<String, List<SignalSeries>>> series = series(gpus, queries, vocabulary, times);
    for (Binding gpu : gpus) {
      GpuNames names = reference.names().get(gpu.dialect() == null ? "" : gpu.dialect().id());
      if (names != null) {
        Told told = new Told(gpu, names, times.timesMs(), reference, events);
        xids.put(gpu.id(), told.all(series.getOrDefault(gpu.id(), Map.of())));
      }
    }
    events.sort(Comparator.comparingLong(GpuEvent::timeMs).reversed());
    return new GpuHistory(
        List.copyOf(events.subList(0, Math.min(EVENTS_MAX, events.size()))), xids);
  }

  /** By service and signal, all asked for at once. */
  private static Map<String, Map<String, List<SignalSeries>>> series(
      List<Binding> gpus, SignalQueries queries, Vocabulary vocabulary, SignalBatch times)
      throws QueryException {
    List<SignalQueries.Question> questions = new ArrayList<>();
    for (Binding gpu : gpus) {
      for (String name : SIGNALS) {
        Signal signal = vocabulary.find(name);
        if (signal != null) {
          questions.add(new SignalQueries.Question(gpu, signal, List.of(), null, null));
        }
      }
    }
    Map<String, Map<String, List<SignalSeries>>> series = new HashMap<>();
    for (SignalResult result : queries.ask(questions, times)) {
      series
          .computeIfAbsent(result.service(), id -> new HashMap<>())
          .put(result.signal(), result.series());
    }
    return series;
  }

  /** Tells the events of one exporter's GPUs. */
  private static final class Told {
    private final Binding gpu;
    private final GpuNames names;
    private final List<Long> timesMs;
    private final GpuReference reference;
    private final List<GpuEvent> events;

    Told(
        Binding gpu,
        GpuNames names,
        List<Long> timesMs,
        GpuReference reference,
        List<GpuEvent> events) {
      this.gpu = gpu;
      this.names = names;
      this.timesMs = timesMs;
      this.reference = reference;
      this.events = events;
    }

    /** Adds all events, and says since when each GPU has its last Xid. */
    List<Since> all(Map<String, List<SignalSeries>> series) {
      List<SignalSeries> presence = series.getOrDefault(PRESENCE, List.of());
      lost(presence);
      series.getOrDefault("gpu_ecc_uncorrected", List.of()).forEach(this::uncorrected);
      series.getOrDefault("gpu_remapped_rows", List.of()).forEach(this::remapped);
      series.getOrDefault("gpu_remap_pending", List.of()).forEach(this::pending);
      series.getOrDefault("gpu_remap_failed", List.of()).forEach(this::failed);
      List<Since> xids = new ArrayList<>();
      for (SignalSeries one : series.getOrDefault(XID, List.of())) {
        xids.add(new Since(names.id(one.labels()), xid(one, presence)));
      }
      return xids;
    }

    private @Nullable Long xid(SignalSeries series, List<SignalSeries> presence) {
      GpuNames.Id id = names.id(series.labels());
      double[] values = series.values();
      double last = Double.NaN;
      Long since = null;
      for (int i = 0; i < values.length; i++) {
        double value = values[i];
        // Where no error leaves no series, one that begins later than its GPU is new.
        boolean isNew = Double.isNaN(last) ? value > 0 && wasThere(id, presence, i) : value != last;
        if (!Double.isNaN(value) && isNew) {
          since = timesMs.get(i);
          tellXid(since, id, (int) value, last);
        }
        last = Double.isNaN(value) ? last : value;
      }
      return since;
    }

    private boolean wasThere(GpuNames.Id id, List<SignalSeries> presence, int index) {
      return index > 0
          && presence.stream()
              .filter(one -> names.id(one.labels()).isWithin(id))
              .anyMatch(one -> !Double.isNaN(one.values()[index - 1]));
    }

    private void tellXid(long timeMs, GpuNames.Id id, int code, double last) {
      if (code == 0) {
        String forgot = "The exporter started anew and forgot Xid " + (int) last + ".";
        add(timeMs, id, GpuEvent.Kind.RESET, forgot, null);
        return;
      }
      Xid xid = reference.xid(code);
      add(timeMs, id, GpuEvent.Kind.XID, "Xid " + code + ": " + xid.means(), xid.action());
    }

    private void uncorrected(SignalSeries series) {
      steps(
          series,
          (timeMs, id, from, to) -> {
            if (to > from) {
              String more = count(to - from, "more memory error") + " that couldn't be corrected.";
              add(timeMs, id, GpuEvent.Kind.ECC, more, "Drain and reset the GPU.");
            } else {
              String anew =
                  "Its error counters began anew: the GPU was reset or its driver loaded.";
              add(timeMs, id, GpuEvent.Kind.RESET, anew, null);
            }
          });
    }

    private void remapped(SignalSeries series) {
      steps(
          series,
          (timeMs, id, from, to) -> {
            if (to > from) {
              String more = count(to - from, "memory row") + " replaced after uncorrected errors.";
              add(
                  timeMs,
                  id,
                  GpuEvent.Kind.REMAP,
                  more,
                  "Plan a reset of the GPU if one is pending.");
            }
          });
    }

    private void pending(SignalSeries series) {
      steps(
          series,
          (timeMs, id, from, to) -> {
            if (to > from) {
              String waits = "A memory row waits to be replaced.";
              add(timeMs, id, GpuEvent.Kind.REMAP, waits, "Plan a drain and a reset of the GPU.");
            } else {
              String done = "No memory row waits any more: the GPU was reset.";
              add(timeMs, id, GpuEvent.Kind.RESET, done, null);
            }
          });
    }

    private void failed(SignalSeries series) {
      steps(
          series,
          (timeMs, id, from, to) -> {
            if (to > from) {
              String failed = "A memory row couldn't be replaced.";
              add(timeMs, id, GpuEvent.Kind.REMAP, failed, "Drain the GPU and have it replaced.");
            }
          });
    }

    private void lost(List<SignalSeries> presence) {
      boolean answers =
          gpu.members().stream()
              .anyMatch(m -> m.scraped().health().status() == TargetHealth.Status.UP);
      Map<GpuNames.Id, Integer> lastSeen = new LinkedHashMap<>();
      for (SignalSeries one : presence) {
        // The parts of a split GPU may come and go; the whole is what gets lost.
        lastSeen.merge(names.id(one.labels()).whole(), lastIndex(one.values()), Math::max);
      }
      lastSeen.forEach(
          (id, last) -> {
            if (answers && last >= 0 && timesMs.size() - 1 - last >= LOST_STEPS) {
              add(
                  timesMs.get(last),
                  id,
                  GpuEvent.Kind.LOST,
                  "Its values stopped while the exporter still answers.",
                  "Look for Xid 79 or 119 in the kernel's log; if there is none, restart the"
                      + " exporter.");
            }
          });
    }

    /** The last place that has a value, -1 if none has. */
    private static int lastIndex(double[] values) {
      int last = values.length - 1;
      while (last >= 0 && Double.isNaN(values[last])) {
        last--;
      }
      return last;
    }

    /** Told of each change. */
    private interface Step {
      void told(long timeMs, GpuNames.Id id, double from, double to);
    }

    private void steps(SignalSeries series, Step step) {
      double last = Double.NaN;
      for (int i = 0; i < series.values().length; i++) {
        double value = series.values()[i];
        if (!Double.isNaN(value)) {
          if (!Double.isNaN(last) && value != last) {
            step.told(timesMs.get(i), names.id(series.labels()), last, value);
          }
          last = value;
        }
      }
    }

    private void add(
        long timeMs, GpuNames.Id id, GpuEvent.Kind kind, String says, @Nullable String action) {
      events.add(new GpuEvent(timeMs, gpu.id(), id.name(), id.uuid(), kind, says, action));
    }

    private static String count(double number, String noun) {
      long whole = Math.round(number);
      return whole + " " + noun + (whole == 1 ? "" : "s");
    }
  }
}
