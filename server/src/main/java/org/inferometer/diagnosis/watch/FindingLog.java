package org.inferometer.diagnosis.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.jspecify.annotations.Nullable;

/**
 * What looks found, one after the other: what holds now and what held. The past is kept up to a
 * number of findings. Thread-safe.
 */
public final class FindingLog {
  /** At a few findings an hour these are weeks, at a kilobyte each a megabyte. */
  static final int PAST_MAX = 1_000;

  static final int INCIDENTS_MAX = 200;

  private final HoldRule rule;
  private final Map<String, ServiceTrack> services = new LinkedHashMap<>();
  private final Map<String, IncidentTrack> open = new LinkedHashMap<>();
  private final Deque<HeldFinding> past = new ArrayDeque<>();
  private final Deque<Incident> incidents = new ArrayDeque<>();
  private @Nullable Look newest;
  private long firstMs = Long.MAX_VALUE;

  /**
   * What one look found.
   *
   * @param timeMs the end of its window
   */
  public record Look(long timeMs, Report report) {}

  public FindingLog(HoldRule rule) {
    this.rule = rule;
  }

  /** Takes a look, which is later than all before. */
  public synchronized void take(long timeMs, Report report) {
    newest = new Look(timeMs, report);
    firstMs = Math.min(firstMs, timeMs);
    Set<String> seen = new HashSet<>();
    for (Diagnosis look : report.services()) {
      String service = look.service();
      if (service != null && seen.add(service)) {
        take(timeMs, service, look);
      }
    }
    services.entrySet().removeIf(entry -> !seen.contains(entry.getKey()) && end(entry, timeMs));
  }

  private void take(long timeMs, String service, Diagnosis look) {
    ServiceTrack track = services.computeIfAbsent(service, id -> new ServiceTrack(id, rule));
    List<HeldFinding> over = track.take(timeMs, look);
    if (!track.held().isEmpty()) {
      open.computeIfAbsent(service, IncidentTrack::new).take(track.held(), look);
    }
    forget(service, over, track.held().isEmpty(), timeMs);
  }

  /** A service that isn't watched any more. */
  private boolean end(Map.Entry<String, ServiceTrack> entry, long timeMs) {
    forget(entry.getKey(), entry.getValue().end(), true, timeMs);
    return true;
  }

  private void forget(String service, List<HeldFinding> over, boolean isAllOver, long timeMs) {
    IncidentTrack incident = open.get(service);
    for (HeldFinding finding : over) {
      add(past, finding, PAST_MAX);
      if (incident != null) {
        incident.put(finding);
      }
    }
    if (incident != null && isAllOver) {
      long endMs = over.stream().mapToLong(HeldFinding::lastSeenMs).max().orElse(timeMs);
      add(incidents, incident.told(endMs), INCIDENTS_MAX);
      open.remove(service);
    }
  }

  private static <T> void add(Deque<T> kept, T one, int most) {
    kept.addLast(one);
    if (kept.size() > most) {
      kept.removeFirst();
    }
  }

  /** The newest look, or null if there was none. */
  public synchronized @Nullable Look newest() {
    return newest;
  }

  /** When the first look was, {@link Long#MAX_VALUE} if there was none. */
  public synchronized long firstMs() {
    return firstMs;
  }

  /** How the services fare, worst first. */
  public synchronized List<ServiceStatus> statuses() {
    List<ServiceStatus> all = new ArrayList<>();
    services.values().forEach(track -> all.add(track.status()));
    all.sort(Comparator.comparing(ServiceStatus::state).reversed());
    return all;
  }

  /** All findings that hold. */
  public synchronized List<HeldFinding> held() {
    List<HeldFinding> all = new ArrayList<>();
    services.values().forEach(track -> all.addAll(track.held()));
    return all;
  }

  /** Findings of a stretch of time that hold or held, the latest first. */
  public synchronized List<HeldFinding> findings(long fromMs, long toMs) {
    List<HeldFinding> all = new ArrayList<>(past);
    all.addAll(held());
    all.removeIf(finding -> !finding.overlaps(fromMs, toMs));
    all.sort(Comparator.comparingLong(HeldFinding::startMs).reversed());
    return all;
  }

  /** Incidents of a stretch of time, the latest first. */
  public synchronized List<Incident> incidents(long fromMs, long toMs) {
    List<Incident> all = new ArrayList<>(incidents);
    open.values().forEach(track -> all.add(track.told(null)));
    all.removeIf(incident -> !incident.overlaps(fromMs, toMs));
    all.sort(Comparator.comparingLong(Incident::startMs).reversed());
    return all;
  }
}
