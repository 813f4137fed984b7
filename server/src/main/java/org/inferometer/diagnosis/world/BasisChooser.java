package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Basis.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what is judged and what it is compared with. A baseline that lies within the trouble
 * makes every trouble look normal, so the onset is looked for first.
 */
final class BasisChooser {
  private final Thresholds thresholds;
  private final Past past;
  private final Period window;

  /**
   * What is known of the past.
   *
   * @param felt what users feel
   * @param drivers what may have moved it: rates and lengths
   * @param traffic requests a second, empty if that isn't known
   * @param restartsMs when replicas began anew
   * @param firstMs where the first values are
   * @param isFromStart whether the series begin there, rather than one didn't look further
   * @param survivorsMs how long after a start only short requests have ended
   * @param intervalMs between scrapes
   * @param rateMs what rates are taken over
   * @param yesterdayTraffic requests a second a day before the window, NaN if that isn't known
   */
  record Past(
      List<Felt> felt,
      List<Line> drivers,
      Line traffic,
      List<Long> restartsMs,
      long firstMs,
      boolean isFromStart,
      long survivorsMs,
      long intervalMs,
      long rateMs,
      double yesterdayTraffic) {
    Past {
      felt = List.copyOf(felt);
      drivers = List.copyOf(drivers);
      restartsMs = List.copyOf(restartsMs);
    }
  }

  BasisChooser(Period window, Past past, Thresholds thresholds) {
    this.window = seen(window, past);
    this.past = past;
    this.thresholds = thresholds;
  }

  /**
   * The part of a window since the series began, with the scrape before: rates over time from
   * before it would come out too low, and what the same requests took would contradict them.
   */
  private static Period seen(Period window, Past past) {
    long from = past.firstMs() - past.intervalMs();
    boolean isPart =
        past.isFromStart() && from > window.startMs() && past.firstMs() < window.endMs();
    return isPart ? new Period(from, window.endMs()) : window;
  }

  Basis choose(@Nullable Period given) {
    if (given != null) {
      return new Basis(window, given, Kind.GIVEN, "It was asked for.", null);
    }
    List<Felt.Turn> worse = new ArrayList<>();
    List<Felt.Turn> better = new ArrayList<>();
    String first = null;
    long onset = Long.MAX_VALUE;
    for (Felt felt : past.felt()) {
      Felt.Trend trend = felt.since(warmMs()).trend(window, thresholds);
      if (trend.worse() != null) {
        worse.add(trend.worse());
        if (trend.worse().timeMs() < onset) {
          onset = trend.worse().timeMs();
          first = felt.name();
        }
      } else if (trend.better() != null) {
        better.add(trend.better());
      }
    }
    Basis found = null;
    if (first != null) {
      found = beforeOnset(worse, onset, first + " rose and stayed up");
    }
    Long ebb = ebb();
    if (found == null && ebb != null) {
      found = beforeOnset(List.of(), ebb, "requests stopped coming");
    }
    if (found == null) {
      found = afterTrouble(better);
    }
    return found == null ? calm(worse) : found;
  }

  private @Nullable Basis beforeOnset(List<Felt.Turn> worse, long onset, String what) {
    Period baseline = stretch(driven(onset));
    if (baseline == null) {
      return null;
    }
    String because = "The stretch before " + what + ".";
    return new Basis(judged(worse, onset), baseline, Kind.BEFORE_ONSET, because, onset);
  }

  /** The first onset within the window begins what is judged, if there is enough of it. */
  private Period judged(List<Felt.Turn> worse, long onset) {
    long from =
        worse.stream()
            .mapToLong(Felt.Turn::timeMs)
            .filter(time -> time > window.startMs())
            .min()
            .orElse(onset);
    return since(from);
  }

  private Period since(long timeMs) {
    long least =
        Math.max(
            millis("judged_min_seconds"),
            Math.round(thresholds.get("judged_scrapes_min") * past.intervalMs()));
    long start = Math.min(timeMs, window.endMs() - least);
    return new Period(Math.max(window.startMs(), start), window.endMs());
  }

  /** When what drives it moved shortly before, then that was when it began. */
  private long driven(long onset) {
    long first = onset;
    long reach = millis("onset_driver_seconds");
    for (Line driver : past.drivers()) {
      double scale = Math.max(Math.abs(driver.median()) / 100, 1e-9);
      List<Segments.Segment> all = Segments.of(driver, scale, thresholds.get("onset_ratio"));
      for (int i = 1; i < all.size(); i++) {
        long time = all.get(i).startMs();
        if (time < first && onset - time <= reach) {
          first = time;
        }
      }
    }
    return first;
  }

  /** When requests stopped coming, null if they do come. */
  private @Nullable Long ebb() {
    double median = past.traffic().median();
    if (!(median > 0)) {
      median = past.traffic().max();
    }
    List<Segments.Segment> all =
        Segments.of(past.traffic(), Math.max(median / 100, 1e-9), thresholds.get("onset_ratio"));
    if (all.size() < 2) {
      return null;
    }
    double before = all.get(all.size() - 2).level();
    boolean isGone = all.getLast().level() < before * thresholds.get("baseline_traffic_share");
    return isGone ? all.getLast().startMs() : null;
  }

  /** What users feel is better again: only what came after the trouble is judged. */
  private @Nullable Basis afterTrouble(List<Felt.Turn> better) {
    long over = Long.MIN_VALUE;
    long began = Long.MAX_VALUE;
    for (Felt.Turn turn : better) {
      over = Math.max(over, turn.timeMs());
      began = Math.min(began, turn.sinceMs());
    }
    if (over <= window.startMs()) {
      return null;
    }
    Period baseline = stretch(driven(began));
    Basis calm = calm(List.of());
    return baseline == null
        ? new Basis(since(over), calm.baseline(), calm.kind(), calm.because(), null)
        : new Basis(
            since(over),
            baseline,
            Kind.BEFORE_TROUBLE,
            "The stretch before a trouble that is over.",
            null);
  }

  private Basis calm(List<Felt.Turn> worse) {
    double traffic = past.traffic().within(window).mean();
    double most = thresholds.get("yesterday_traffic_ratio");
    double ratio = past.yesterdayTraffic() / traffic;
    Period judged = worse.isEmpty() ? window : judged(worse, window.startMs());
    if (ratio <= most && ratio >= 1 / most) {
      Period yesterday = new Period(window.startMs() - DAY_MS, window.endMs() - DAY_MS);
      return new Basis(judged, yesterday, Kind.YESTERDAY, "The same time a day ago.", null);
    }
    Period before = stretch(window.startMs() + guard(window.startMs()));
    return before == null
        ? new Basis(
            judged, null, Kind.NONE, "The series don't reach back far enough to compare.", null)
        : new Basis(judged, before, Kind.WINDOW_BEFORE, "The stretch before the window.", null);
  }

  static final long DAY_MS = 86_400_000;

  /** Rates look back: what they tell just before a change may have part in it. */
  private long guard(long untilMs) {
    return Math.min(past.rateMs(), Math.max(0, (untilMs - past.firstMs()) / 3));
  }

  /** The last stretch before a time that can serve as a baseline. */
  private @Nullable Period stretch(long untilMs) {
    long end = untilMs - guard(untilMs);
    long least = millis("baseline_min_seconds");
    Period calm = calmStretch(warmMs(), end, least);
    if (calm == null) {
      calm = calmStretch(past.firstMs(), end, least / 2);
    }
    if (calm == null && end - past.firstMs() >= least / 2) {
      calm = new Period(Math.max(past.firstMs(), end - window.lengthMs()), end);
    }
    return calm;
  }

  /** From when on rates are full and requests of all lengths have ended. */
  private long warmMs() {
    long warm = Math.min(past.rateMs() + past.survivorsMs(), window.lengthMs());
    return past.isFromStart() ? past.firstMs() + warm : past.firstMs();
  }

  /** Without restarts, and with enough traffic. */
  private @Nullable Period calmStretch(long from, long end, long least) {
    long most = Math.round(thresholds.get("baseline_windows_max") * window.lengthMs());
    double traffic = past.traffic().within(window).mean();
    double enough = thresholds.get("baseline_traffic_share") * traffic;
    long[] times = past.traffic().timesMs();
    long until = end;
    for (int i = times.length - 1; i >= 0; i--) {
      long time = times[i];
      if (time > end || time > until) {
        continue;
      }
      boolean isEnough = !(past.traffic().values()[i] < enough);
      boolean isBad = !isEnough || isAfterRestart(time);
      if (time < from || isBad || until - time >= most) {
        long start = Math.max(from, isBad ? time : Math.max(time, until - most));
        if (until - start >= least) {
          return new Period(start, until);
        }
        if (time < from) {
          return null;
        }
        until = isBad && i > 0 ? times[i - 1] : until;
      }
    }
    long start = Math.max(from, Math.min(until, times.length == 0 ? from : times[0]));
    start = Math.max(start, until - most);
    return until - start >= least ? new Period(start, until) : null;
  }

  private boolean isAfterRestart(long timeMs) {
    long settle = millis("restart_settle_seconds");
    return past.restartsMs().stream().anyMatch(r -> timeMs >= r && timeMs < r + settle);
  }

  private long millis(String threshold) {
    return Math.round(thresholds.get(threshold) * 1000);
  }
}
