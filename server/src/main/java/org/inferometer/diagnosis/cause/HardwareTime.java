package org.inferometer.diagnosis.cause;

import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/** What a reading did along its timeline. */
final class HardwareTime {
  /** The newest part of a window, in which a fault shows whole that began within the window. */
  private static final double RECENT_SHARE = 0.3;

  private HardwareTime() {}

  /** The newest part of the window. */
  static Period recent(ServiceWorld service) {
    Period window = service.window();
    long length = Math.round(window.lengthMs() * RECENT_SHARE);
    return new Period(window.endMs() - length, window.endMs());
  }

  /** The mean over the newest part of the window; the window's value if nothing is known there. */
  static double recent(ServiceWorld service, Reading reading) {
    double mean = mean(reading, recent(service));
    return Double.isNaN(mean) ? reading.value() : mean;
  }

  /** The newest value through the baseline's; NaN if either isn't known or the latter isn't > 0. */
  static double ratio(ServiceWorld service, Reading reading) {
    double before = reading.baseline();
    return before > 0 ? recent(service, reading) / before : Double.NaN;
  }

  static double mean(Reading reading, Period period) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < reading.values().length; i++) {
      double value = reading.values()[i];
      if (period.contains(reading.timesMs()[i]) && !Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /** The middle of the known values in a period; NaN if none is known. */
  static double median(Reading reading, Period period) {
    double[] known =
        IntStream.range(0, reading.values().length)
            .filter(i -> period.contains(reading.timesMs()[i]))
            .mapToDouble(i -> reading.values()[i])
            .filter(value -> !Double.isNaN(value))
            .toArray();
    return HardwareGpus.median(known);
  }

  /** The share of the known values in a period for which something holds; 0 if none is known. */
  static double share(Reading reading, Period period, DoublePredicate holds) {
    int count = 0;
    int known = 0;
    for (int i = 0; i < reading.values().length; i++) {
      double value = reading.values()[i];
      if (period.contains(reading.timesMs()[i]) && !Double.isNaN(value)) {
        known++;
        count += holds.test(value) ? 1 : 0;
      }
    }
    return known == 0 ? 0 : (double) count / known;
  }

  /** The share of a period in which a bit of a mask was set. */
  static double bitShare(Reading mask, Period period, int bit) {
    return share(mask, period, value -> (((long) value >> bit) & 1) == 1);
  }

  /**
   * Since when something holds without a break until the window's end; null if it doesn't hold now,
   * or held all along.
   */
  static @Nullable Long since(ServiceWorld service, Reading reading, DoublePredicate holds) {
    Long since = null;
    for (int i = reading.values().length - 1; i >= 0; i--) {
      double value = reading.values()[i];
      if (reading.timesMs()[i] > service.window().endMs() || Double.isNaN(value)) {
        continue;
      }
      if (!holds.test(value)) {
        return since;
      }
      since = reading.timesMs()[i];
    }
    return null;
  }

  /** When there was a value last; null if there never was one. */
  static @Nullable Long lastKnown(Reading reading) {
    for (int i = reading.values().length - 1; i >= 0; i--) {
      if (!Double.isNaN(reading.values()[i])) {
        return reading.timesMs()[i];
      }
    }
    return null;
  }
}
