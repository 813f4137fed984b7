package org.inferometer.diagnosis.world;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Labels;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.SignalSeries;
import org.jspecify.annotations.Nullable;

/** Signals along time: coarse in the past, fine of late. Not thread-safe while it is filled. */
@SuppressWarnings("ArrayRecordComponent") // columns that are read and never compared
final class Timelines {
  /** A signal of more series may have been cut, here and there differently. */
  private static final int SERIES_MAX = 500;

  private final long[] timesMs;
  private final Map<Key, Told> told = new LinkedHashMap<>();

  /** A signal of a service, as a whole or split by replica. */
  record Key(String service, String signal, boolean isSplit) {}

  /** What is told of a signal, and its columns by what they are of. */
  record Told(SignalResult result, Map<Labels, double[]> columns) {}

  Timelines(long[] timesMs) {
    this.timesMs = timesMs;
  }

  long[] timesMs() {
    return timesMs;
  }

  /** Adds what comes at some of the times, the first of which has this index. */
  void add(SignalResult result, boolean isSplit, int index) {
    Key key = new Key(result.service(), result.signal(), isSplit);
    Told before = told.get(key);
    Map<Labels, double[]> columns = before == null ? new LinkedHashMap<>() : before.columns();
    for (SignalSeries series : result.series()) {
      double[] column = columns.computeIfAbsent(series.labels(), _ -> blank());
      System.arraycopy(series.values(), 0, column, index, series.values().length);
    }
    told.put(key, new Told(result, columns));
  }

  private double[] blank() {
    double[] column = new double[timesMs.length];
    Arrays.fill(column, Double.NaN);
    return column;
  }

  @Nullable Told find(Key key) {
    return told.get(key);
  }

  /**
   * Whether a signal is one whose value over a stretch of time is the mean of its moments, all of
   * which are here: to ask what it is over that stretch would tell nothing more.
   */
  boolean tells(Key key, Period period) {
    Told one = told.get(key);
    if (one == null || !isOfMoments(one.result())) {
      return false;
    }
    boolean isBlank = one.result().series().stream().noneMatch(Timelines::isKnown);
    return one.columns().isEmpty() || (!isBlank && isWhole(one, period));
  }

  private boolean isWhole(Told one, Period period) {
    return period.startMs() >= timesMs[0]
        && one.columns().size() < SERIES_MAX
        && one.columns().values().stream()
            .allMatch(column -> new Line(timesMs, column).within(period).known().size() > 0);
  }

  /** Without a range in its query and without bounds. */
  private static boolean isOfMoments(SignalResult result) {
    String query = result.query();
    return query != null
        && !query.contains("[")
        && result.series().stream().allMatch(s -> s.low() == null && s.counts() == null);
  }

  private static boolean isKnown(SignalSeries series) {
    return Arrays.stream(series.values()).anyMatch(value -> !Double.isNaN(value));
  }

  /** A signal of a whole service, if it is one line; empty otherwise. */
  Line whole(String service, String signal) {
    Told one = told.get(new Key(service, signal, false));
    return one == null || one.columns().size() != 1
        ? Line.EMPTY
        : new Line(timesMs, one.columns().values().iterator().next());
  }

  /** The first time at which any of these services has a value; the last time if none has. */
  long firstMs(List<String> services) {
    int first = timesMs.length - 1;
    for (Map.Entry<Key, Told> entry : told.entrySet()) {
      if (services.contains(entry.getKey().service()) && !entry.getKey().isSplit()) {
        for (double[] column : entry.getValue().columns().values()) {
          int i = 0;
          while (i < first && Double.isNaN(column[i])) {
            i++;
          }
          first = i;
        }
      }
    }
    return timesMs[first];
  }
}
