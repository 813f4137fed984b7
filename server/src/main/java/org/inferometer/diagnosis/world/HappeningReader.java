package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.inferometer.diagnosis.world.Happening.Kind;
import org.inferometer.signals.TargetHistory;

/** Tells from targets' histories what happened to replicas. */
final class HappeningReader {
  /** Clocks of processes are read to the hundredth of a second; more is another process. */
  private static final double START_SECONDS_APART = 1;

  private HappeningReader() {}

  /** A target that was first seen this many steps after others is new; the steps may be offset. */
  private static final int NEW_STEPS = 4;

  /**
   * What happened, oldest first.
   *
   * @param everything all targets, by which one tells a new one from the beginning of the series
   */
  static List<Happening> read(List<TargetHistory> replicas, List<TargetHistory> everything) {
    int begin = everything.stream().mapToInt(HappeningReader::firstSeen).min().orElse(0);
    List<Happening> all = new ArrayList<>();
    for (TargetHistory replica : replicas) {
      restarts(replica, all);
      absences(replica, begin + NEW_STEPS, all);
      settings(replica, all);
    }
    all.sort(Comparator.comparingLong(Happening::timeMs));
    return all;
  }

  private static void restarts(TargetHistory replica, List<Happening> all) {
    double last = Double.NaN;
    for (int i = 0; i < replica.starts().length; i++) {
      double start = replica.starts()[i];
      if (start - last > START_SECONDS_APART) {
        all.add(
            of(
                replica,
                Math.round(start * 1000),
                Kind.RESTART,
                replica.instance() + " started again."));
      }
      last = Double.isNaN(start) ? last : start;
    }
  }

  private static int firstSeen(TargetHistory target) {
    int i = 0;
    while (i < target.up().length && Double.isNaN(target.up()[i])) {
      i++;
    }
    return i;
  }

  private static void absences(TargetHistory replica, int firstNew, List<Happening> all) {
    double[] up = replica.up();
    Boolean wasUp = null;
    for (int i = 0; i < up.length; i++) {
      // The step after a failed scrape may still hold one that worked.
      boolean isUp = up[i] > 0;
      boolean isDown = up[i] == 0 || (Double.isNaN(up[i]) && i + 1 < up.length);
      if (wasUp != null && wasUp && isDown && !(i + 1 < up.length && up[i + 1] > 0)) {
        String says = replica.instance() + " can't be scraped any more.";
        all.add(of(replica, replica.timesMs()[i], Kind.GONE, says));
        wasUp = false;
      } else if (isUp && (wasUp == null ? i >= firstNew : !wasUp)) {
        String says = replica.instance() + (wasUp == null ? " is new." : " is back.");
        all.add(of(replica, replica.timesMs()[i], Kind.CAME, says));
        wasUp = true;
      } else if (isUp) {
        wasUp = true;
      }
    }
  }

  private static void settings(TargetHistory replica, List<Happening> all) {
    replica
        .settings()
        .forEach(
            (name, values) -> {
              for (int i = 1; i < values.size(); i++) {
                String from = values.get(i - 1).value();
                String to = values.get(i).value();
                boolean isVersion = name.toLowerCase(Locale.ROOT).contains("version");
                all.add(
                    new Happening(
                        values.get(i).fromMs(),
                        isVersion ? Kind.VERSION : Kind.CONFIG,
                        replica.instance(),
                        name,
                        from,
                        to,
                        name + " of " + replica.instance() + ": " + from + ", now " + to + "."));
              }
            });
  }

  private static Happening of(TargetHistory replica, long timeMs, Kind kind, String says) {
    return new Happening(timeMs, kind, replica.instance(), "", null, null, says);
  }

  /** Share of the scrapes in a stretch that worked, NaN if none was tried. */
  static double upShare(TargetHistory target, Period period) {
    return new Line(target.timesMs(), target.up()).within(period).mean();
  }
}
