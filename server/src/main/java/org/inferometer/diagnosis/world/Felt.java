package org.inferometer.diagnosis.world;

import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.jspecify.annotations.Nullable;

/**
 * Something that users feel along time; more is worse.
 *
 * @param name of the signal, and of who tells if it isn't the engine
 * @param scale what is felt at all, in the signal's unit
 */
record Felt(String name, Line line, double scale) {
  /** A signal that tells what users feel, and the threshold that says how little of it counts. */
  record Kind(String signal, String scale) {
    /** Whether it is of the moment rather than of requests. */
    boolean isMoment() {
      return signal.equals("waiting");
    }
  }

  static final List<Kind> KINDS =
      List.of(
          new Kind("ttft_mean", "felt_ttft_seconds"),
          new Kind("tpot_mean", "felt_tpot_seconds"),
          new Kind("ntpot_mean", "felt_tpot_seconds"),
          new Kind("itl_mean", "felt_tpot_seconds"),
          new Kind("itl_p99", "felt_gap_seconds"),
          new Kind("e2e_mean", "felt_e2e_seconds"),
          new Kind("queue_time_mean", "felt_ttft_seconds"),
          new Kind("waiting", "felt_waiting"),
          new Kind("error_share", "felt_share"),
          new Kind("abort_share", "felt_share"),
          new Kind("http_5xx_share", "felt_share"));

  /** How its level came to be what it is. */
  record Trend(@Nullable Turn worse, @Nullable Turn better) {
    static final Trend NONE = new Trend(null, null);
  }

  /**
   * A change that lasts.
   *
   * @param timeMs the first value of the new level
   * @param sinceMs of a worse level that is over, when that began
   */
  record Turn(long timeMs, long sinceMs, double before, double after) {
    double ratio() {
      return after / Math.max(before, 1e-12);
    }
  }

  /** What came after a time. */
  Felt since(long timeMs) {
    return new Felt(name, line.within(new Period(timeMs, Math.max(timeMs, lastMs()))), scale);
  }

  private long lastMs() {
    return line.size() == 0 ? Long.MIN_VALUE : line.timesMs()[line.size() - 1];
  }

  /**
   * What its segments tell; those of a line that ended long before the window's end tell nothing.
   */
  Trend trend(Period window, Thresholds thresholds) {
    double ratio = thresholds.get("onset_ratio");
    List<Segments.Segment> all = Segments.of(line, scale, ratio);
    if (all.isEmpty() || all.getLast().endMs() <= window.startMs()) {
      return Trend.NONE;
    }
    long level = Math.round(500 * thresholds.get("baseline_min_seconds"));
    Turn worse = worse(all, window.lengthMs(), level, ratio);
    return worse == null ? new Trend(null, better(all, ratio)) : new Trend(worse, null);
  }

  /** Back from now to the last level that was better and kept for a while. */
  private @Nullable Turn worse(
      List<Segments.Segment> all, long steadyMs, long levelMs, double ratio) {
    double now = all.getLast().level();
    Turn turn = null;
    for (int i = all.size() - 1; i > 0; i--) {
      Segments.Segment before = all.get(i - 1);
      boolean isLevel = before.lengthMs() >= levelMs || i > 1;
      if (isLevel && isWorse(now, before.level(), ratio)) {
        turn = new Turn(all.get(i).startMs(), all.get(i).startMs(), before.level(), now);
        if (before.lengthMs() >= steadyMs) {
          return turn;
        }
      } else if (turn != null) {
        boolean isReturn =
            isReturn(before, turn.timeMs() - all.get(i).startMs(), steadyMs, ratio, now);
        return isReturn ? null : turn;
      }
    }
    return turn;
  }

  /**
   * Whether it is where it had been for long, and was better for a moment only, as the pace of
   * tokens that come all at once.
   */
  private boolean isReturn(
      Segments.Segment earlier, long betterMs, long steadyMs, double ratio, double now) {
    boolean isMoment = betterMs <= steadyMs && earlier.lengthMs() >= 2 * betterMs;
    return isMoment
        && !isWorse(earlier.level(), now, ratio)
        && !isWorse(now, earlier.level(), ratio);
  }

  private @Nullable Turn better(List<Segments.Segment> all, double ratio) {
    int last = all.size() - 1;
    double now = all.get(last).level();
    if (last == 0 || !isWorse(all.get(last - 1).level(), now, ratio)) {
      return null;
    }
    int since = last - 1;
    while (since > 0 && isWorse(all.get(since - 1).level(), now, ratio)) {
      since--;
    }
    return new Turn(
        all.get(last).startMs(), all.get(since).startMs(), all.get(last - 1).level(), now);
  }

  private boolean isWorse(double value, double than, double ratio) {
    return value > than * ratio && value - than >= scale;
  }
}
