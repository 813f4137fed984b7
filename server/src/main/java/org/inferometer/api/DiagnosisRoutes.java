package org.inferometer.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;
import org.inferometer.diagnosis.Causes;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.Incident;
import org.inferometer.diagnosis.watch.ServiceStatus;
import org.inferometer.time.WallClock;

/** Why it is slow: now, at a time in the past, and what was the matter when. */
public final class DiagnosisRoutes implements HttpService {
  /** How much of the past is told if it isn't said. */
  private static final long PAST_MS = 86_400_000L;

  /** As far as one can look back in one question. */
  private static final long PAST_MS_MAX = 31 * PAST_MS;

  private final DiagnosisSource source;
  private final Diagnoses diagnoses;
  private final WallClock clock;

  public DiagnosisRoutes(DiagnosisSource source, WallClock clock) {
    this.source = source;
    this.diagnoses = new Diagnoses(source, clock);
    this.clock = clock;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/diagnosis", this::diagnosis);
    Requests.read(rules, "/api/v1/findings", this::findings);
    Requests.read(rules, "/api/v1/incidents", this::incidents);
    Requests.read(rules, "/api/v1/causes", DiagnosisRoutes::causes);
  }

  private void diagnosis(ServerRequest request, ServerResponse response) throws Exception {
    DiagnosisRequest asked = diagnoses.read(Requests.parameters(request));
    Report report = Asking.ask(request, () -> diagnoses.answer(asked));
    if (asked.service() == null) {
      Answer.success(request, response, json -> DiagnosisJson.write(json, report));
    } else {
      Diagnosis one = Diagnoses.of(report, asked.service());
      Answer.success(request, response, json -> DiagnosisJson.write(json, one));
    }
  }

  private void findings(ServerRequest request, ServerResponse response) throws Exception {
    Stretch stretch = stretch(Requests.parameters(request));
    List<ServiceStatus> statuses = source.log().statuses();
    List<HeldFinding> past =
        Asking.ask(request, () -> source.findings(stretch.startMs(), stretch.endMs()));
    Answer.success(
        request,
        response,
        json -> FindingJson.findings(json, source.watching(), source.log(), statuses, past));
  }

  private void incidents(ServerRequest request, ServerResponse response) throws Exception {
    Stretch stretch = stretch(Requests.parameters(request));
    List<Incident> incidents =
        Asking.ask(request, () -> source.incidents(stretch.startMs(), stretch.endMs()));
    Answer.success(request, response, json -> FindingJson.incidents(json, incidents));
  }

  private static void causes(ServerRequest request, ServerResponse response) throws IOException {
    Answer.success(request, response, json -> CauseJson.write(json, Causes.builtIn().all()));
  }

  /** A stretch of time, both ends included. */
  private record Stretch(long startMs, long endMs) {}

  private Stretch stretch(Parameters parameters) throws ApiException {
    long endMs = RequestValues.timeMs(parameters, "end", clock.nowMs());
    long startMs = RequestValues.timeMs(parameters, "start", endMs - PAST_MS);
    if (startMs > endMs) {
      throw ApiException.badParameter("end", "end timestamp must not be before start time");
    }
    if (endMs - startMs > PAST_MS_MAX) {
      throw ApiException.badParameter("start", "expected at most 31 days from start to end");
    }
    return new Stretch(startMs, endMs);
  }
}
