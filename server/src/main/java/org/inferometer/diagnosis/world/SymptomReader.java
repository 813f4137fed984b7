package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.jspecify.annotations.Nullable;

/** Tells what users feel: against the goals that were set, the baseline, or what is common. */
final class SymptomReader {
  private final Thresholds thresholds;

  SymptomReader(Thresholds thresholds) {
    this.thresholds = thresholds;
  }

  Symptoms read(Readings engine, List<EdgeWorld> edges) {
    List<Symptom> all = new ArrayList<>();
    add(all, engine, null);
    edges.forEach(edge -> add(all, edge.readings(), edge.id()));
    all.sort(Comparator.comparingDouble(s -> -s.reading().value() / s.limit()));
    return new Symptoms(all);
  }

  private void add(List<Symptom> all, Readings readings, @Nullable String edge) {
    addLatency(all, Symptom.Kind.TTFT, readings.get("ttft_p95"), "symptom_ttft_seconds", edge);
    addLatency(all, Symptom.Kind.TPOT, readings.get("tpot_p95"), "symptom_tpot_seconds", edge);
    addLatency(all, Symptom.Kind.ITL_TAIL, readings.get("itl_p99"), null, edge);
    addLatency(all, Symptom.Kind.E2E, readings.get("e2e_p95"), null, edge);
    Reading errors = readings.get("error_share");
    double limit = thresholds.get("symptom_failure_share");
    if (errors.value() > limit) {
      all.add(
          new Symptom(
              Symptom.Kind.FAILURES, errors, edge, limit, "98 % of requests should succeed", true));
    }
  }

  private void addLatency(
      List<Symptom> all,
      Symptom.Kind kind,
      Reading reading,
      @Nullable String absolute,
      @Nullable String edge) {
    if (!reading.isKnown()) {
      return;
    }
    double critical = thresholds.get("symptom_critical_factor");
    Double goal = reading.goal();
    if (goal != null) {
      double limit = goal * thresholds.get("symptom_goal_factor");
      if (reading.value() > limit) {
        all.add(
            new Symptom(kind, reading, edge, limit, "its goal", reading.value() > goal * critical));
      }
      return;
    }
    double before = reading.baseline() * thresholds.get("symptom_baseline_factor");
    if (reading.value() > before) {
      all.add(
          new Symptom(
              kind, reading, edge, before, "what it was before", reading.ratio() > 2 * critical));
    } else if (absolute != null && reading.value() > thresholds.get(absolute)) {
      double limit = thresholds.get(absolute);
      all.add(
          new Symptom(
              kind, reading, edge, limit, "a common limit", reading.value() > limit * critical));
    }
  }
}
