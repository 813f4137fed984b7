package org.inferometer.diagnosis.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.signals.Layer;
import org.jspecify.annotations.Nullable;

/** An incident while it goes on. Not thread-safe. */
final class IncidentTrack {
  /** Nobody reads more. */
  private static final int HAPPENINGS_MAX = 100;

  private static final int FINDINGS_MAX = 100;

  private final String service;
  private final Map<Layer, ChangePoint> deviations = new EnumMap<>(Layer.class);
  private final Map<String, Happening> happenings = new LinkedHashMap<>();
  private final Map<FindingKey, HeldFinding> findings = new LinkedHashMap<>();
  private long startMs = Long.MAX_VALUE;

  IncidentTrack(String service) {
    this.service = service;
  }

  /** Takes what holds and what the look saw around it. */
  void take(List<HeldFinding> held, Diagnosis look) {
    for (HeldFinding finding : held) {
      put(finding);
      startMs = Math.min(startMs, finding.startMs());
    }
    long fromMs = startMs - look.window().lengthMs();
    for (ChangePoint change : look.timeline()) {
      if (change.timeMs() > fromMs) {
        deviations.merge(change.layer(), change, IncidentTrack::earlier);
      }
    }
    for (Happening happening : look.happenings()) {
      if (happening.timeMs() > fromMs && happenings.size() < HAPPENINGS_MAX) {
        happenings.putIfAbsent(key(happening), happening);
      }
    }
  }

  /** Takes a finding that is over. */
  void put(HeldFinding finding) {
    if (findings.size() < FINDINGS_MAX || findings.containsKey(finding.key())) {
      findings.put(finding.key(), finding);
    }
  }

  private static ChangePoint earlier(ChangePoint known, ChangePoint other) {
    return other.timeMs() < known.timeMs() ? other : known;
  }

  private static String key(Happening happening) {
    return happening.kind() + " " + happening.instance() + " " + happening.says();
  }

  Incident told(@Nullable Long endMs) {
    List<ChangePoint> moved = new ArrayList<>(deviations.values());
    moved.sort(Comparator.comparingLong(ChangePoint::timeMs));
    List<Happening> happened = new ArrayList<>(happenings.values());
    happened.sort(Comparator.comparingLong(Happening::timeMs));
    List<HeldFinding> found = new ArrayList<>(findings.values());
    found.sort(Comparator.comparingLong(HeldFinding::startMs));
    return new Incident(service, startMs, endMs, moved, happened, found);
  }
}
