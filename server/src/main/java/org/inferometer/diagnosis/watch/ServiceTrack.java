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
    look.verdicts().forEach(v -> seen.putIfAbsent(FindingKey.of(v.finding()), v));
    seen.forEach(
        (key, verdict) ->
            tracks
                .computeIfAbsent(key, _ -> new FindingTrack(rule, verdict, timeMs))
                .seen(verdict, timeMs));
    List<HeldFinding> over = new ArrayList<>();
    tracks
        .entrySet()
        .removeIf(entry -> !seen.containsKey(entry.getKey()) && miss(entry.getValue(), over));
    held = held(new ArrayList<>(seen.keySet()));
    judge(timeMs, look);
    return over;
  }

  /** Whether it needn't be followed any more. */
  private static boolean miss(FindingTrack track, List<HeldFinding> over) {
    track.notSeen();
    if (track.isOver() && track.isHeld()) {
      HeldFinding last = track.told(null);
      over.add(track.told(last.lastSeenMs()));
    }
    return track.isOver();
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

  /** A state that is bad stays as long as a finding holds, and begins when one does. */
  private State told(Diagnosis look) {
    State now = look.state();
    if (state == null) {
      return now;
    }
    if (!held.isEmpty() && !isBad(now)) {
      return isBad(state) ? state : State.DEGRADED;
    }
    return held.isEmpty() && isBad(now) && !look.verdicts().isEmpty() && !isBad(state)
        ? state
        : now;
  }

  /** Whether a look's sentence is about what is told. */
  private boolean isToTell(Diagnosis look) {
    if (sentence.isEmpty()) {
      return true;
    }
    if (look.verdicts().isEmpty()) {
      return held.isEmpty() && look.state() == state;
    }
    FindingTrack first = tracks.get(FindingKey.of(look.verdicts().getFirst().finding()));
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
