package org.inferometer.api;

import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.FindingLog;
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

  Watching watching();
}
