package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.inferometer.model.Labels;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.Service;
import org.inferometer.signals.Signal;
import org.inferometer.signals.SignalKind;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.SignalSeries;
import org.jspecify.annotations.Nullable;

/** What was measured for one basis, taken apart by what it is of. */
final class Measured {
  /** Where a query looks back, in the form that signals' templates have. */
  private static final Pattern RANGE = Pattern.compile("\\[[0-9]+m?s[]:]");

  /** Formulas with rates in them whose value is the mean of their moments nonetheless. */
  private static final Set<String> MEANS_OF_MOMENTS = Set.of("stalled");

  private final Basis basis;
  private final Timelines timelines;
  private final Moments window;
  private final Moments baseline;
  private final Map<String, Signal> vocabulary;

  /** What split signals' series are of, by instance. */
  private final Map<Timelines.Key, Map<String, Set<Labels>>> byInstance = new HashMap<>();

  /** Whether queries look back. */
  private final Map<String, Boolean> lookingBack = new HashMap<>();

  Measured(
      Basis basis,
      Timelines timelines,
      Moments window,
      Moments baseline,
      Map<String, Signal> vocabulary) {
    this.basis = basis;
    this.timelines = timelines;
    this.window = window;
    this.baseline = baseline;
    this.vocabulary = vocabulary;
  }

  Readings whole(Service service) {
    Map<String, Reading> readings = read(service.id(), false, this::all);
    absent(service, readings);
    return new Readings(readings);
  }

  Readings replica(Service service, Service.Replica replica) {
    Map<String, Reading> readings =
        read(service.id(), true, key -> ofInstance(key, replica.instance()));
    absent(service, readings);
    return new Readings(readings);
  }

  Readings gpu(Gpu gpu) {
    return new Readings(read(gpu.service(), false, key -> of(key, gpu)));
  }

  private Set<Labels> ofInstance(Timelines.Key key, String instance) {
    Map<String, Set<Labels>> all = byInstance.get(key);
    if (all == null) {
      all = new HashMap<>();
      for (Labels labels : all(key)) {
        all.computeIfAbsent(labels.get(SignalReader.INSTANCE), _ -> new LinkedHashSet<>())
            .add(labels);
      }
      byInstance.put(key, all);
    }
    return all.getOrDefault(instance, Set.of());
  }

  private Set<Labels> of(Timelines.Key key, Gpu gpu) {
    Set<Labels> own = all(key);
    own.removeIf(labels -> !isOf(labels, gpu));
    return own;
  }

  /** By its UUID where there is one, else by its number. */
  private static boolean isOf(Labels labels, Gpu gpu) {
    String name = gpu.uuid() == null ? gpu.index() : gpu.uuid();
    boolean[] is = {false};
    labels.forEach((_, value) -> is[0] |= value.equals(name));
    return is[0];
  }

  /** What a service could have and hasn't, with its reason. */
  private void absent(Service service, Map<String, Reading> readings) {
    for (Service.AbsentSignal absent : service.absent()) {
      Signal signal = vocabulary.get(absent.signal());
      if (signal != null) {
        readings.putIfAbsent(
            absent.signal(), Reading.absent(absent.signal(), signal.layer(), absent.reason()));
      }
    }
  }

  private Map<String, Reading> read(
      String service, boolean isSplit, Function<Timelines.Key, Set<Labels>> own) {
    Map<String, Reading> readings = new LinkedHashMap<>();
    for (Timelines.Key key : window.of(service)) {
      if (key.isSplit() == isSplit) {
        readings.put(key.signal(), reading(key, own.apply(key)));
      }
    }
    return inOrder(readings);
  }

  /** In the order of the vocabulary. */
  private Map<String, Reading> inOrder(Map<String, Reading> readings) {
    Map<String, Reading> ordered = new LinkedHashMap<>();
    for (String name : vocabulary.keySet()) {
      Reading reading = readings.get(name);
      if (reading != null) {
        ordered.put(name, reading);
      }
    }
    return ordered;
  }

  private Reading reading(Timelines.Key key, Set<Labels> own) {
    Signal signal = vocabulary.get(key.signal());
    SignalResult result = window.find(key);
    if (signal == null || result == null) {
      throw new IllegalStateException("not asked for: " + key);
    }
    if (own.size() == 1) {
      return one(signal, key, result, own.iterator().next());
    }
    Map<String, Reading> splits = new TreeMap<>();
    own.forEach(labels -> splits.put(name(labels, own), one(signal, key, result, labels)));
    return joined(signal, result, splits);
  }

  /** All that a signal's series are of. */
  private Set<Labels> all(Timelines.Key key) {
    Set<Labels> all = new LinkedHashSet<>();
    add(window.find(key), all);
    Timelines.Told told = timelines.find(key);
    if (told != null) {
      all.addAll(told.columns().keySet());
    }
    add(baseline.find(key), all);
    return all;
  }

  private static void add(@Nullable SignalResult result, Set<Labels> all) {
    if (result != null) {
      result.series().forEach(series -> all.add(series.labels()));
    }
  }

  /** By the values of the labels in which they differ. */
  private static String name(Labels labels, Set<Labels> all) {
    List<String> values = new ArrayList<>();
    labels.forEach(
        (label, value) -> {
          if (all.stream().anyMatch(other -> !other.get(label).equals(value))) {
            values.add(value);
          }
        });
    return String.join(",", values);
  }

  private Reading one(Signal signal, Timelines.Key key, SignalResult result, Labels labels) {
    Timelines.Told told = timelines.find(key);
    double[] column = told == null ? null : told.columns().get(labels);
    Line line = column == null ? Line.EMPTY : new Line(timelines.timesMs(), column);
    SignalSeries now = series(result, labels);
    SignalSeries before = series(baseline.find(key), labels);
    boolean isMean = isMeanOfMoments(signal, result);
    Line judged = line.within(basis.judged());
    double value = isMean ? judged.mean() : value(now);
    Period base = basis.baseline();
    Line earlier = base == null ? Line.EMPTY : line.within(base);
    // A baseline of another day is beyond the timeline.
    boolean isBeyond = earlier.known().size() == 0;
    double was = isMean && !isBeyond ? earlier.mean() : value(before);
    Line extremes = judged.known();
    return new Reading(
        signal.name(),
        signal.title(),
        signal.unit(),
        signal.layer(),
        result.quality(),
        result.reason(),
        result.query(),
        value,
        now == null ? Double.NaN : now.low(0),
        now == null ? Double.NaN : now.high(0),
        was,
        extremes.size() == 0 ? value : extremes.min(),
        extremes.size() == 0 ? value : extremes.max(),
        line.timesMs(),
        line.values(),
        result.goal(),
        new Reading.Detail(
            now == null || now.counts() == null ? Double.NaN : now.counts()[0],
            before == null ? Double.NaN : before.low(0),
            before == null ? Double.NaN : before.high(0),
            earlier.spread(),
            Map.of()));
  }

  private boolean isMeanOfMoments(Signal signal, SignalResult result) {
    String query = result.query();
    return query != null
        && (!lookingBack.computeIfAbsent(query, text -> RANGE.matcher(text).find())
            || MEANS_OF_MOMENTS.contains(signal.name()));
  }

  private static double value(@Nullable SignalSeries series) {
    return series == null ? Double.NaN : series.values()[0];
  }

  private static @Nullable SignalSeries series(@Nullable SignalResult result, Labels labels) {
    if (result == null) {
      return null;
    }
    return result.series().stream()
        .filter(series -> series.labels().equals(labels))
        .findFirst()
        .orElse(null);
  }

  /** What several series come to: their sum where that means something. */
  private Reading joined(Signal signal, SignalResult result, Map<String, Reading> splits) {
    boolean isSum =
        !splits.isEmpty() && (signal.kind() == SignalKind.RATE || signal.unit().equals("requests"));
    double value = isSum ? sum(splits, false) : Double.NaN;
    return new Reading(
        signal.name(),
        signal.title(),
        signal.unit(),
        signal.layer(),
        result.quality(),
        result.reason(),
        result.query(),
        value,
        Double.NaN,
        Double.NaN,
        isSum ? sum(splits, true) : Double.NaN,
        value,
        value,
        new long[0],
        new double[0],
        result.goal(),
        new Reading.Detail(Double.NaN, Double.NaN, Double.NaN, Double.NaN, splits));
  }

  private static double sum(Map<String, Reading> splits, boolean isBaseline) {
    double sum = Double.NaN;
    for (Reading reading : splits.values()) {
      double value = isBaseline ? reading.baseline() : reading.value();
      sum = Double.isNaN(sum) ? value : Double.isNaN(value) ? sum : sum + value;
    }
    return sum;
  }

  static Map<String, Signal> byName(Iterable<Signal> signals) {
    Map<String, Signal> byName = new LinkedHashMap<>();
    signals.forEach(signal -> byName.put(signal.name(), signal));
    return byName;
  }
}
