package org.inferometer.api;

import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.world.Period;
import org.jspecify.annotations.Nullable;

/**
 * A question for a diagnosis.
 *
 * @param service the id of one service, or null for all
 * @param endMs of the window, or null for now
 * @param baseline null for one that is found
 */
record DiagnosisRequest(
    @Nullable String service, @Nullable Long endMs, long windowMs, @Nullable Baseline baseline) {
  /** Rates need two scrapes, and they may be half a minute apart. */
  static final long WINDOW_MS_MIN = 30_000;

  /** The whole past that is looked at is twelve times as long. */
  static final long WINDOW_MS_MAX = 86_400_000L;

  private static final int SERVICE_LENGTH_MAX = 1_000;

  /** What a window is compared with. */
  sealed interface Baseline {
    /** The window so much earlier. */
    record Before(long ms) implements Baseline {}

    record Fixed(Period period) implements Baseline {}
  }

  /**
   * Reads the parameters {@code service}, {@code time}, {@code window} and {@code baseline}.
   *
   * @param usualWindowMs if none is given
   */
  static DiagnosisRequest read(Parameters parameters, long usualWindowMs, long nowMs)
      throws ApiException {
    String service = parameters.find("service");
    if (service != null && service.length() > SERVICE_LENGTH_MAX) {
      throw ApiException.badParameter("service", "expected the id of a service");
    }
    Long end =
        parameters.find("time") == null ? null : Long.valueOf(endMs(parameters, "time", nowMs));
    return new DiagnosisRequest(
        service, end, windowMs(parameters, usualWindowMs), baseline(parameters));
  }

  private static long endMs(Parameters parameters, String name, long nowMs) throws ApiException {
    long ms = RequestValues.timeMs(parameters, name);
    if (ms < 0 || ms > nowMs + WINDOW_MS_MIN) {
      throw ApiException.badParameter(name, "expected a time in the past, or now");
    }
    return ms;
  }

  private static long windowMs(Parameters parameters, long usualMs) throws ApiException {
    if (parameters.find("window") == null) {
      return usualMs;
    }
    long ms = RequestValues.durationMs(parameters, "window");
    if (ms < WINDOW_MS_MIN || ms > WINDOW_MS_MAX) {
      throw ApiException.badParameter("window", "expected a duration from 30s to 1d");
    }
    return ms;
  }

  /** {@code 1d}, the window a day before; or {@code START,END}, two times. */
  private static @Nullable Baseline baseline(Parameters parameters) throws ApiException {
    String text = parameters.find("baseline");
    if (text == null) {
      return null;
    }
    int comma = text.indexOf(',');
    if (comma < 0) {
      long ms = RequestValues.durationMs(parameters, "baseline");
      if (ms < WINDOW_MS_MIN) {
        throw ApiException.badParameter("baseline", "expected a duration from 30s on");
      }
      return new Baseline.Before(ms);
    }
    Parameters ends = new Parameters();
    ends.put("baseline", text.substring(0, comma));
    long startMs = RequestValues.timeMs(ends, "baseline");
    ends = new Parameters();
    ends.put("baseline", text.substring(comma + 1));
    long endMs = RequestValues.timeMs(ends, "baseline");
    if (startMs < 0 || endMs - startMs < WINDOW_MS_MIN || endMs - startMs > WINDOW_MS_MAX) {
      throw ApiException.badParameter("baseline", "expected START,END, 30s to 1d apart");
    }
    return new Baseline.Fixed(new Period(startMs, endMs));
  }

  /** Whether it is about now, compared as usual. */
  boolean isUsual(long usualWindowMs) {
    return endMs == null && baseline == null && windowMs == usualWindowMs;
  }

  /** For all services, as one world is made for all. */
  Diagnoser.Request at(long nowMs) {
    long end = endMs == null ? nowMs : endMs;
    Period window = new Period(end - windowMs, end);
    Period compared =
        switch (baseline) {
          case null -> null;
          case Baseline.Before before ->
              new Period(window.startMs() - before.ms(), window.endMs() - before.ms());
          case Baseline.Fixed fixed -> fixed.period();
        };
    return new Diagnoser.Request(null, window, compared);
  }
}
