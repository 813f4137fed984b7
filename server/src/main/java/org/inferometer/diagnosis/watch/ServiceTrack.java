package org.inferometer.diagnosis.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Diagnosis.State;
import org.inferometer.diagnosis.Verdict;
import org.jspecify.annotations.Nullable;

/** One service from look to look. Not thread-safe. */
final class ServiceTrack {
  /** The cause that there is none. */
  private static final String FINE = "healthy";

  private final String service;
  private final HoldRule rule;
  private final Map<FindingKey, FindingTrack> tracks = new LinkedHashMap<>();
  private @Nullable State state;
  private @Nullable State next;
  private String sentence = "";
  private long sinceMs;
  private List<HeldFinding> held = List.of();

  ServiceTrack(String service, HoldRule rule) {
    this.service = service;
    this.rule = rule;
  }

  /**
   * Takes what a look found.
   *
   * @return the findings that are over since
   */
  List<HeldFinding> take(long timeMs, Diagnosis look) {
    Map<FindingKey, Verdict> seen = new LinkedHashMap<>();
    troubles(look).forEach(v -> seen.putIfAbsent(FindingKey.of(v.finding()), v));
    boolean ebbs = ebbs(timeMs, look, seen);
    seen.forEach(
        (key, verdict) -> {
          boolean isLeftover = ebbs && verdict.follows() == null;
          FindingTrack track =
              tracks.computeIfAbsent(key, _ -> new FindingTrack(rule, verdict, timeMs, isLeftover));
          if (!ebbs) {
            track.standsAlone();
          }
          track.seen(verdict, timeMs);
        });
    List<HeldFinding> over = new ArrayList<>();
    tracks
        .entrySet()
        .removeIf(
            entry ->
                !seen.containsKey(entry.getKey())
                    && miss(entry.getValue(), lingers(entry.getValue(), timeMs, look), over));
    held = held(new ArrayList<>(seen.keySet()));
    judge(timeMs, look);
    return over;
  }

  /** That all is well is a verdict too, and no finding. */
  private static List<Verdict> troubles(Diagnosis look) {
    return look.verdicts().stream().filter(verdict -> !verdict.cause().equals(FINE)).toList();
  }

  /**
   * Whether what held isn't seen any more and what users feel may be what is left of it: requests
   * that waited end late and look as if something else were the matter.
   */
  private boolean ebbs(long timeMs, Diagnosis look, Map<FindingKey, Verdict> seen) {
    boolean isSeen =
        tracks.entrySet().stream()
            .anyMatch(entry -> entry.getValue().isHeld() && seen.containsKey(entry.getKey()));
    return !isSeen && tracks.values().stream().anyMatch(track -> lingers(track, timeMs, look));
  }

  /** At most for half a window: after that most of what is looked at came later. */
  private static boolean lingers(FindingTrack track, long timeMs, Diagnosis look) {
    boolean isWell = look.state() == State.HEALTHY || look.state() == State.NO_TRAFFIC;
    return !isWell && track.mayLinger(timeMs, look.window().lengthMs() / 2);
  }

  /** Whether it needn't be followed any more. */
  private static boolean miss(FindingTrack track, boolean lingers, List<HeldFinding> over) {
    track.notSeen();
    boolean isOver = track.isOver(lingers);
    if (isOver && track.isHeld()) {
      HeldFinding last = track.told(null);
      over.add(track.told(last.lastSeenMs()));
    }
    return isOver;
  }

  /** All findings are over, as nobody looks for them any more. */
  List<HeldFinding> end() {
    List<HeldFinding> over = new ArrayList<>();
    for (FindingTrack track : tracks.values()) {
      if (track.isHeld()) {
        over.add(track.told(track.told(null).lastSeenMs()));
      }
    }
    tracks.clear();
    held = List.of();
    return over;
  }

  /** In the order of the latest look, then those that it didn't see. */
  private List<HeldFinding> held(List<FindingKey> order) {
    List<FindingKey> keys = new ArrayList<>(tracks.keySet());
    keys.sort(
        Comparator.comparingInt(
            key -> order.contains(key) ? order.indexOf(key) : Integer.MAX_VALUE));
    List<HeldFinding> all = new ArrayList<>();
    for (FindingKey key : keys) {
      FindingTrack track = tracks.get(key);
      if (track != null && track.isHeld()) {
        all.add(track.told(null));
      }
    }
    return all;
  }

  private void judge(long timeMs, Diagnosis look) {
    State told = told(look);
    if (told == state) {
      next = null;
    } else if (state == null || isBad(told) || isBad(state) || told == next) {
      sinceMs = isBad(told) && !held.isEmpty() ? held.getFirst().startMs() : timeMs;
      state = told;
      next = null;
    } else {
      next = told; // One look more, as services without traffic come and go.
    }
    if (isToTell(look)) {
      sentence = look.summary();
    }
  }

  /**
   * A look's state counts if it saw what holds, or if nothing does. A state that is bad stays while
   * what holds isn't seen, and doesn't begin with what doesn't hold yet.
   */
  private State told(Diagnosis look) {
    State now = look.state();
    boolean isSeen = tracks.values().stream().anyMatch(t -> t.isHeld() && t.isSeenNow());
    if (state == null || isSeen) {
      return now;
    }
    boolean isEarly = isBad(now) && !isBad(state) && !troubles(look).isEmpty();
    boolean isLate = !held.isEmpty() && isBad(state) && !isBad(now);
    return isEarly || isLate ? state : now;
  }

  /** Whether a look's sentence is about what is told. */
  private boolean isToTell(Diagnosis look) {
    if (sentence.isEmpty()) {
      return true;
    }
    List<Verdict> troubles = troubles(look);
    if (troubles.isEmpty()) {
      return held.isEmpty() && look.state() == state;
    }
    FindingTrack first = tracks.get(FindingKey.of(troubles.getFirst().finding()));
    return first != null && first.isHeld();
  }

  static boolean isBad(@Nullable State state) {
    return state == State.DEGRADED || state == State.CRITICAL;
  }

  ServiceStatus status() {
    State now = state == null ? State.CANNOT_TELL : state;
    return new ServiceStatus(service, now, sentence, sinceMs, held);
  }

  /** What holds, for an incident. */
  List<HeldFinding> held() {
    return held;
  }
}
