package org.inferometer.api;

import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.query.QueryException;
import org.inferometer.time.WallClock;

/**
 * Answers questions for diagnoses: by the newest look that came by itself if it fits, else by one
 * that is made for the question.
 */
final class Diagnoses {
  /** A look is new until the second one after it should have come. */
  private static final int NEW_INTERVALS = 2;

  private final DiagnosisSource source;
  private final WallClock clock;

  Diagnoses(DiagnosisSource source, WallClock clock) {
    this.source = source;
    this.clock = clock;
  }

  DiagnosisRequest read(Parameters parameters) throws ApiException {
    return DiagnosisRequest.read(parameters, source.watching().windowMs(), clock.nowMs());
  }

  Report answer(DiagnosisRequest asked) throws QueryException {
    FindingLog.Look newest = source.log().newest();
    if (newest != null && isNew(newest) && asked.isUsual(source.watching().windowMs())) {
      return newest.report();
    }
    return source.diagnose(asked.at(clock.nowMs()));
  }

  private boolean isNew(FindingLog.Look look) {
    return clock.nowMs() - look.timeMs() < NEW_INTERVALS * source.watching().intervalMs();
  }

  /**
   * The diagnosis of one service.
   *
   * @throws ApiException if there was none of that id
   */
  static Diagnosis of(Report report, String service) throws ApiException {
    for (Diagnosis one : report.services()) {
      if (service.equals(one.service())) {
        return one;
      }
    }
    throw new ApiException(
        ApiException.Kind.NOT_FOUND,
        "no inference engine \"" + RequestValues.shortened(service) + "\" was watched then");
  }
}
