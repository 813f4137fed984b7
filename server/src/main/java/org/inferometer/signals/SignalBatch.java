package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Names;

/**
 * Many signals asked for at once, over a stretch of time or for one moment.
 *
 * @param startMs the first time
 * @param endMs the last time at most; equal to the start for one moment
 * @param stepMs between times, above 0
 */
public record SignalBatch(long startMs, long endMs, long stepMs, List<Request> requests) {
  /** Signals over all requests of somebody outside. */
  public static final int SIGNALS_MAX = 200;

  public static final int STEPS_MAX = 11_000;

  /** Labels in one split. */
  public static final int BY_MAX = 8;

  /**
   * @throws IllegalArgumentException if a limit is passed or the times make no sense, saying what
   *     was expected
   */
  public SignalBatch {
    requests = List.copyOf(requests);
    check(stepMs > 0, "expected a \"step\" above 0");
    check(endMs >= startMs, "expected \"end\" at or after \"start\"");
    check(
        (endMs - startMs) / stepMs < STEPS_MAX,
        "expected at most " + STEPS_MAX + " steps, choose a larger \"step\"");
  }

  /**
   * This batch, as one that somebody outside may ask.
   *
   * @throws IllegalArgumentException if it has more than {@value #SIGNALS_MAX} signals
   */
  public SignalBatch ofFew() {
    int signals = 0;
    for (Request request : requests) {
      signals += request.signals().size();
    }
    check(signals <= SIGNALS_MAX, "expected at most " + SIGNALS_MAX + " signals, got " + signals);
    return this;
  }

  public static SignalBatch at(long timeMs, List<Request> requests) {
    return new SignalBatch(timeMs, timeMs, 1, requests);
  }

  /**
   * Signals of one service.
   *
   * @param by labels to split by; none for the service as a whole
   * @param buckets whether quantiles are to come as the rate in each bucket of their histogram, one
   *     series an edge, named by the label {@code le}
   */
  public record Request(String service, List<String> signals, List<String> by, boolean buckets) {
    /** A request for values. */
    public Request(String service, List<String> signals, List<String> by) {
      this(service, signals, by, false);
    }

    /**
     * @throws IllegalArgumentException if a label isn't one, or there are too many
     */
    public Request {
      signals = List.copyOf(signals);
      by = by.stream().distinct().toList();
      check(by.size() <= BY_MAX, "expected at most " + BY_MAX + " labels in \"by\"");
      for (String label : by) {
        check(
            Names.isLegacyLabelName(label) && !label.equals("le"),
            "expected the name of a label in \"by\", not \"" + label + "\"");
      }
    }
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  boolean isMoment() {
    return startMs == endMs;
  }

  /** How many times there are. */
  int count() {
    return (int) ((endMs - startMs) / stepMs) + 1;
  }

  List<Long> timesMs() {
    List<Long> times = new ArrayList<>(count());
    for (int i = 0; i < count(); i++) {
      times.add(startMs + i * stepMs);
    }
    return times;
  }
}
