package org.inferometer.api;

import java.util.List;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.Incident;
import org.inferometer.query.QueryException;

/** Where diagnoses come from. Thread-safe. */
public interface DiagnosisSource {
  /** How the looks are taken that come by themselves. */
  record Watching(boolean enabled, long intervalMs, long windowMs) {}

  /**
   * What was the matter in a window. Answers that were given lately are given again.
   *
   * @throws QueryException if the source of the series can't answer, or too many ask at once
   */
  Report diagnose(Diagnoser.Request request) throws QueryException;

  /** What the looks found that come by themselves. */
  FindingLog log();

  /**
   * The findings of a stretch of time, the latest first; those before the first look are read from
   * the series that were kept of them.
   *
   * @throws QueryException if the source of the series can't answer
   */
  List<HeldFinding> findings(long startMs, long endMs) throws QueryException;

  /**
   * The incidents of a stretch of time, likewise.
   *
   * @throws QueryException if the source of the series can't answer
   */
  List<Incident> incidents(long startMs, long endMs) throws QueryException;

  Watching watching();
}
