package org.inferometer.diagnosis.world;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.Service;
import org.inferometer.signals.Signal;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.SignalSeries;
import org.jspecify.annotations.Nullable;

/** The results of the batches, taken apart by what they are of. Not thread-safe. */
final class Measured {
  /** The labels by which a service's signals are split into its replicas. */
  static final String INSTANCE = "instance";

  private final Period window;
  private final long[] timesMs;
  private final Map<String, Signal> vocabulary;

  /** A signal of a service, whole or split by replica, in the three shapes in which it is asked. */
  private record Key(String service, String signal, boolean isSplit) {}

  /** The results along all times, over the window as one value, over the baseline as one. */
  private static final class Found {
    @Nullable SignalResult timeline;
    @Nullable SignalResult window;
    @Nullable SignalResult baseline;
  }

  private final Map<Key, Found> found = new LinkedHashMap<>();

  Measured(Period window, long[] timesMs, Map<String, Signal> vocabulary) {
    this.window = window;
    this.timesMs = timesMs;
    this.vocabulary = vocabulary;
  }

  /** Which of the three a result is. */
  enum Shape {
    TIMELINE,
    WINDOW,
    BASELINE
  }

  void add(SignalResult result, boolean isSplit, Shape shape) {
    Found one =
        found.computeIfAbsent(
            new Key(result.service(), result.signal(), isSplit), _ -> new Found());
    switch (shape) {
      case TIMELINE -> one.timeline = result;
      case WINDOW -> one.window = result;
      case BASELINE -> one.baseline = result;
    }
  }

  Readings whole(Service service) {
    Map<String, Reading> readings = new LinkedHashMap<>();
    found.forEach(
        (key, one) -> {
          if (key.service().equals(service.id()) && !key.isSplit()) {
            put(readings, key.signal(), one, _ -> true);
          }
        });
    absent(service, readings);
    return new Readings(readings);
  }

  Readings replica(Service service, Service.Replica replica) {
    Map<String, Reading> readings = new LinkedHashMap<>();
    found.forEach(
        (key, one) -> {
          if (key.service().equals(service.id()) && key.isSplit()) {
            put(
                readings,
                key.signal(),
                one,
                labels -> labels.get(INSTANCE).equals(replica.instance()));
          }
        });
    absent(service, readings);
    return new Readings(readings);
  }

  Readings gpu(Gpu gpu) {
    Map<String, Reading> readings = new LinkedHashMap<>();
    found.forEach(
        (key, one) -> {
          if (key.service().equals(gpu.service()) && !key.isSplit()) {
            put(readings, key.signal(), one, labels -> isOf(labels, gpu));
          }
        });
    return new Readings(readings);
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

  /** Tells which series are meant. */
  private interface Which {
    boolean is(Labels labels);
  }

  private void put(Map<String, Reading> readings, String name, Found one, Which which) {
    Signal signal = vocabulary.get(name);
    SignalResult timeline = one.timeline;
    if (signal == null || timeline == null) {
      return;
    }
    SignalSeries line = series(timeline, which);
    double[] values = line == null ? new double[timesMs.length] : line.values();
    if (line == null) {
      Arrays.fill(values, Double.NaN);
    }
    SignalSeries overWindow = one.window == null ? null : series(one.window, which);
    SignalSeries overBaseline = one.baseline == null ? null : series(one.baseline, which);
    Period base = baseline;
    boolean isGauge = timeline.query() != null && !timeline.query().contains("[");
    double value =
        isGauge ? mean(values, window) : overWindow == null ? Double.NaN : overWindow.values()[0];
    double before =
        isGauge
            ? (base == null ? Double.NaN : mean(values, base))
            : overBaseline == null ? Double.NaN : overBaseline.values()[0];
    readings.put(
        name,
        new Reading(
            name,
            signal.title(),
            signal.unit(),
            signal.layer(),
            timeline.quality(),
            timeline.reason(),
            timeline.query(),
            value,
            overWindow == null ? Double.NaN : overWindow.low(0),
            overWindow == null ? Double.NaN : overWindow.high(0),
            before,
            extreme(values, false),
            extreme(values, true),
            timesMs,
            values,
            timeline.goal()));
  }

  private @Nullable Period baseline;

  void baseline(@Nullable Period period) {
    baseline = period;
  }

  /** The one series that is meant; none if there are several. */
  private static @Nullable SignalSeries series(SignalResult result, Which which) {
    SignalSeries found = null;
    for (SignalSeries series : result.series()) {
      if (which.is(series.labels())) {
        if (found != null) {
          return null;
        }
        found = series;
      }
    }
    return found;
  }

  private double mean(double[] values, Period period) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (period.contains(timesMs[i]) && !Double.isNaN(values[i])) {
        sum += values[i];
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  private double extreme(double[] values, boolean isMax) {
    double extreme = Double.NaN;
    for (int i = 0; i < values.length; i++) {
      if (window.contains(timesMs[i]) && !Double.isNaN(values[i])) {
        boolean beats = isMax ? values[i] > extreme : values[i] < extreme;
        extreme = Double.isNaN(extreme) || beats ? values[i] : extreme;
      }
    }
    return extreme;
  }

  static Map<String, Signal> byName(Iterable<Signal> signals) {
    Map<String, Signal> byName = new HashMap<>();
    signals.forEach(signal -> byName.put(signal.name(), signal));
    return new TreeMap<>(byName);
  }
}
