package org.inferometer.diagnosis.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.Diagnosis;
import org.jspecify.annotations.Nullable;

/** Puts findings of the past together to incidents. */
public final class PastIncidents {
  /** Findings further apart than this are of two incidents. */
  private static final long GAP_MS = 300_000;

  private PastIncidents() {}

  /** Tells what was the matter while an incident went on. */
  public interface Looking {
    /**
     * @return null if that can't be told
     */
    @Nullable Diagnosis look(String service, long startMs, long endMs);
  }

  /**
   * The incidents that findings are of, the latest first.
   *
   * @param findings that are over
   * @param looking is asked for as many of the latest incidents
   */
  public static List<Incident> of(List<HeldFinding> findings, Looking looking, int looksMax) {
    Map<String, List<HeldFinding>> byService = new LinkedHashMap<>();
    findings.stream()
        .sorted(Comparator.comparingLong(HeldFinding::startMs))
        .forEach(
            one ->
                byService.computeIfAbsent(one.scope().service(), _ -> new ArrayList<>()).add(one));
    List<List<HeldFinding>> groups = new ArrayList<>();
    byService.values().forEach(all -> groups.addAll(groups(all)));
    groups.sort(
        Comparator.comparingLong((List<HeldFinding> one) -> one.getFirst().startMs()).reversed());
    List<Incident> incidents = new ArrayList<>();
    for (List<HeldFinding> group : groups) {
      incidents.add(incident(group, incidents.size() < looksMax ? looking : (_, _, _) -> null));
    }
    return incidents;
  }

  /** Those that follow one another without a gap, in order of time. */
  private static List<List<HeldFinding>> groups(List<HeldFinding> findings) {
    List<List<HeldFinding>> groups = new ArrayList<>();
    long endMs = Long.MIN_VALUE;
    for (HeldFinding one : findings) {
      if (groups.isEmpty() || one.startMs() > endMs + GAP_MS) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(one);
      endMs = Math.max(endMs, one.lastSeenMs());
    }
    return groups;
  }

  private static Incident incident(List<HeldFinding> findings, Looking looking) {
    String service = findings.getFirst().scope().service();
    long startMs = findings.getFirst().startMs();
    long endMs = findings.stream().mapToLong(HeldFinding::lastSeenMs).max().orElse(startMs);
    Diagnosis look = looking.look(service, startMs, endMs);
    if (look == null) {
      return new Incident(service, startMs, endMs, List.of(), List.of(), findings);
    }
    IncidentTrack track = new IncidentTrack(service);
    track.take(findings, look);
    Incident told = track.told(endMs);
    return new Incident(service, startMs, endMs, told.deviations(), told.happenings(), findings);
  }
}
