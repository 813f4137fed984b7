package org.inferometer.api;

import io.helidon.webserver.http.ServerRequest;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.query.QueryException;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

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

  Report answer(ServerRequest request, DiagnosisRequest asked) throws ApiException, QueryException {
    FindingLog.Look newest = source.log().newest();
    if (newest != null && isNew(newest) && asked.isUsual(source.watching().windowMs())) {
      return newest.report();
    }
    Asked answer = new Asked(source, asked, clock.nowMs());
    Report report = Asking.ask(request, answer::ask);
    if (report == null) {
      throw new ApiException(ApiException.Kind.UNAVAILABLE, answer.refusal);
    }
    return report;
  }

  private boolean isNew(FindingLog.Look look) {
    return clock.nowMs() - look.timeMs() < NEW_INTERVALS * source.watching().intervalMs();
  }

  /** One question, which may be refused. */
  private static final class Asked {
    private final DiagnosisSource source;
    private final DiagnosisRequest asked;
    private final long nowMs;
    private String refusal = "";

    Asked(DiagnosisSource source, DiagnosisRequest asked, long nowMs) {
      this.source = source;
      this.asked = asked;
      this.nowMs = nowMs;
    }

    @Nullable Report ask() throws QueryException {
      try {
        return source.diagnose(asked.at(nowMs));
      } catch (DiagnosisSource.BusyException e) {
        refusal = String.valueOf(e.getMessage());
        return null;
      }
    }
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
