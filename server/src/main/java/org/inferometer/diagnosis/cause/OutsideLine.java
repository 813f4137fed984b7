package org.inferometer.diagnosis.cause;

import java.util.function.DoublePredicate;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.jspecify.annotations.Nullable;

/** What a reading's timeline tells: how it is now, since when, and how it was long before. */
final class OutsideLine {
  /** So many points are needed to say how something used to be. */
  private static final int HISTORY_POINTS_MIN = 4;

  private OutsideLine() {}

  /** The mean of what is known of the last stretch before the window's end; NaN if nothing is. */
  static double recent(Reading reading, Period window, double seconds) {
    return mean(reading, window.endMs() - Math.round(seconds * 1000), window.endMs());
  }

  /** The newest value that is known of the last stretch; NaN if none is. */
  static double newest(Reading reading, Period window, double seconds) {
    long from = window.endMs() - Math.round(seconds * 1000);
    for (int i = reading.values().length - 1; i >= 0 && reading.timesMs()[i] > from; i--) {
      if (reading.timesMs()[i] <= window.endMs() && !Double.isNaN(reading.values()[i])) {
        return reading.values()[i];
      }
    }
    return Double.NaN;
  }

  /** The mean over (fromMs, toMs]; NaN if nothing is known of it. */
  static double mean(Reading reading, long fromMs, long toMs) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < reading.values().length; i++) {
      long time = reading.timesMs()[i];
      double value = reading.values()[i];
      if (time > fromMs && time <= toMs && !Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /** The highest less the lowest over the last stretch; NaN if fewer than two values are known. */
  static double spread(Reading reading, Period window, double seconds) {
    long from = window.endMs() - Math.round(seconds * 1000);
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    int count = 0;
    for (int i = 0; i < reading.values().length; i++) {
      double value = reading.values()[i];
      boolean isMeant = reading.timesMs()[i] > from && reading.timesMs()[i] <= window.endMs();
      if (isMeant && !Double.isNaN(value)) {
        min = Math.min(min, value);
        max = Math.max(max, value);
        count++;
      }
    }
    return count < 2 ? Double.NaN : max - min;
  }

  /**
   * Since when, up to the window's end, every known value has been so.
   *
   * @return null if the last known value isn't, or none is known in the window
   */
  static @Nullable Long since(Reading reading, Period window, DoublePredicate isSo) {
    Long since = null;
    for (int i = reading.values().length - 1; i >= 0; i--) {
      double value = reading.values()[i];
      long time = reading.timesMs()[i];
      if (time > window.endMs() || Double.isNaN(value)) {
        continue;
      }
      if (!isSo.test(value)) {
        break;
      }
      since = time;
    }
    return since != null && since <= window.endMs() && knownIn(reading, window) ? since : null;
  }

  private static boolean knownIn(Reading reading, Period window) {
    return !Double.isNaN(mean(reading, window.startMs(), window.endMs()));
  }

  /** Since when a reading has been nearer to its value now than to its baseline's, or null. */
  static @Nullable Long onset(Reading reading, Period window, double now) {
    double before = reading.baseline();
    if (Double.isNaN(before) || Double.isNaN(now) || before == now) {
      return null;
    }
    double middle = (before + now) / 2;
    return since(reading, window, v -> now > before ? v > middle : v < middle);
  }

  /**
   * Whether a reading came back to where it had been before the baseline, so that the baseline was
   * the exception.
   */
  static boolean isReturn(Reading reading, @Nullable Period baseline, double now) {
    if (baseline == null || Double.isNaN(reading.baseline())) {
      return false;
    }
    int count = 0;
    for (int i = 0; i < reading.values().length; i++) {
      count +=
          reading.timesMs()[i] <= baseline.startMs() && !Double.isNaN(reading.values()[i]) ? 1 : 0;
    }
    double history = mean(reading, Long.MIN_VALUE, baseline.startMs());
    return count >= HISTORY_POINTS_MIN
        && Math.abs(history - now) < Math.abs(history - reading.baseline());
  }
}
