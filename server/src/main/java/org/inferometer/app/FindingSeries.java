package org.inferometer.app;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.ServiceStatus;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.SampleSink;
import org.inferometer.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what holds as series, so that it can be drawn and alerted on: {@code inferometer_finding}
 * with the confidence while a finding holds, ended by a staleness marker; {@code
 * inferometer_service_state}, 1 for the state that a service is in and 0 for the others. Not
 * thread-safe.
 */
final class FindingSeries {
  static final String FINDING = "inferometer_finding";
  static final String STATE = "inferometer_service_state";

  /** Series beyond this many aren't written: hundreds of findings at a time say nothing. */
  static final int SERIES_MAX = 1_000;

  private final SampleSink store;
  private Map<Labels, Double> written = new HashMap<>();

  FindingSeries(SampleSink store) {
    this.store = store;
  }

  /**
   * Writes what holds at a time, and ends what held at the time before and doesn't now.
   *
   * @return how many samples weren't taken
   */
  long write(long timeMs, List<ServiceStatus> statuses) {
    Map<Labels, Double> now = new LinkedHashMap<>();
    for (ServiceStatus status : statuses) {
      status.findings().forEach(f -> put(now, labels(f), f.confidence()));
    }
    for (ServiceStatus status : statuses) {
      for (Diagnosis.State state : Diagnosis.State.values()) {
        put(now, labels(status, state), state == status.state() ? 1 : 0);
      }
    }
    Map<Labels, Double> samples = new LinkedHashMap<>(now);
    written.keySet().forEach(labels -> samples.putIfAbsent(labels, StalenessMarker.VALUE));
    long lost = append(timeMs, samples);
    written = now;
    return lost;
  }

  /** Ends all series. */
  void end(long timeMs) {
    if (!written.isEmpty()) {
      write(timeMs, List.of());
    }
  }

  /** Of two findings with the same labels the surer one counts. */
  private static void put(Map<Labels, Double> samples, Labels labels, double value) {
    if (samples.size() < SERIES_MAX || samples.containsKey(labels)) {
      samples.merge(labels, value, Math::max);
    }
  }

  private long append(long timeMs, Map<Labels, Double> samples) {
    if (samples.isEmpty()) {
      return 0;
    }
    Appender appender = store.appender();
    long lost = 0;
    for (Map.Entry<Labels, Double> sample : samples.entrySet()) {
      long ref = appender.series(sample.getKey());
      AppendOutcome outcome =
          ref == Appender.NO_SERIES
              ? AppendOutcome.NO_ROOM
              : appender.append(ref, timeMs, sample.getValue());
      lost += outcome.isRejection() ? 1 : 0;
    }
    try {
      appender.commit();
      return lost;
    } catch (StoreException e) {
      return samples.size();
    }
  }

  private static Labels labels(HeldFinding finding) {
    Scope scope = finding.scope();
    Labels.Builder labels = new Labels.Builder();
    labels.set(Labels.NAME, FINDING);
    labels.set("cause", finding.cause());
    labels.set("service", scope.service());
    put(labels, "model", scope.model());
    put(labels, "instance", scope.instance());
    put(labels, "gpu", scope.gpu());
    labels.set("root", Boolean.toString(finding.isRoot()));
    return labels.build();
  }

  private static void put(Labels.Builder labels, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      labels.set(name, value);
    }
  }

  private static Labels labels(ServiceStatus status, Diagnosis.State state) {
    return Labels.of(Labels.NAME, STATE, "service", status.service(), "state", state.id());
  }
}
