package org.inferometer.api;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.HoldRule;
import org.inferometer.diagnosis.watch.Incident;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** Gives the same diagnosis to all who ask, or a failure. */
final class FakeDiagnoses implements DiagnosisSource {
  final FindingLog log = new FindingLog(HoldRule.DEFAULT);
  final List<Diagnoser.Request> asked = new ArrayList<>();
  @Nullable QueryException failure;
  private final Report report;

  FakeDiagnoses(Report report) {
    this.report = report;
  }

  @Override
  public Report diagnose(Diagnoser.Request request) throws QueryException {
    asked.add(request);
    if (failure != null) {
      throw failure;
    }
    return report;
  }

  @Override
  public FindingLog log() {
    return log;
  }

  @Override
  public List<HeldFinding> findings(long startMs, long endMs) {
    return log.findings(startMs, endMs);
  }

  @Override
  public List<Incident> incidents(long startMs, long endMs) {
    return log.incidents(startMs, endMs);
  }

  @Override
  public Watching watching() {
    return new Watching(true, 30_000, 300_000);
  }
}
