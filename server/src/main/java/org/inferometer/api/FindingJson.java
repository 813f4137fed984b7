package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.Incident;
import org.inferometer.diagnosis.watch.ServiceStatus;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Happening;

/** What holds and what held, as JSON. */
final class FindingJson {
  private FindingJson() {}

  static void findings(
      JsonGenerator json,
      DiagnosisSource.Watching watching,
      FindingLog log,
      List<ServiceStatus> statuses,
      List<HeldFinding> past)
      throws IOException {
    FindingLog.Look newest = log.newest();
    json.writeStartObject();
    json.writeBooleanField("enabled", watching.enabled());
    json.writeFieldName("interval");
    SignalJson.number(json, watching.intervalMs() / 1000.0);
    json.writeFieldName("window");
    SignalJson.number(json, watching.windowMs() / 1000.0);
    DiagnosisJson.time(json, "time", newest == null ? null : Long.valueOf(newest.timeMs()));
    json.writeArrayFieldStart("services");
    for (ServiceStatus status : statuses) {
      status(json, status);
    }
    json.writeEndArray();
    findings(json, "history", past);
    json.writeEndObject();
  }

  private static void status(JsonGenerator json, ServiceStatus status) throws IOException {
    json.writeStartObject();
    json.writeStringField("service", status.service());
    json.writeStringField("state", status.state().id());
    json.writeStringField("sentence", status.sentence());
    DiagnosisJson.time(json, "since", status.sinceMs());
    findings(json, "findings", status.findings());
    json.writeEndObject();
  }

  private static void findings(JsonGenerator json, String name, List<HeldFinding> findings)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (HeldFinding finding : findings) {
      finding(json, finding);
    }
    json.writeEndArray();
  }

  private static void finding(JsonGenerator json, HeldFinding finding) throws IOException {
    json.writeStartObject();
    json.writeStringField("cause", finding.cause());
    json.writeStringField("title", finding.title());
    json.writeStringField("follows", finding.follows());
    json.writeBooleanField("root", finding.isRoot());
    json.writeFieldName("confidence");
    json.writeNumber(Math.round(finding.confidence() * 1000) / 1000.0);
    json.writeObjectFieldStart("scope");
    json.writeStringField("service", finding.scope().service());
    json.writeStringField("model", finding.scope().model());
    json.writeStringField("instance", finding.scope().instance());
    json.writeStringField("gpu", finding.scope().gpu());
    json.writeEndObject();
    json.writeStringField("says", finding.says());
    DiagnosisJson.time(json, "start", finding.startMs());
    DiagnosisJson.time(json, "seen", finding.seenMs());
    DiagnosisJson.time(json, "end", finding.endMs());
    json.writeEndObject();
  }

  static void incidents(JsonGenerator json, List<Incident> incidents) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("incidents");
    for (Incident incident : incidents) {
      incident(json, incident);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void incident(JsonGenerator json, Incident incident) throws IOException {
    json.writeStartObject();
    json.writeStringField("service", incident.service());
    DiagnosisJson.time(json, "start", incident.startMs());
    DiagnosisJson.time(json, "end", incident.endMs());
    json.writeArrayFieldStart("deviations");
    for (ChangePoint change : incident.deviations()) {
      json.writeStartObject();
      DiagnosisJson.moved(json, change);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("happenings");
    for (Happening happening : incident.happenings()) {
      json.writeStartObject();
      DiagnosisJson.happening(json, happening);
      json.writeEndObject();
    }
    json.writeEndArray();
    findings(json, "findings", incident.findings());
    json.writeEndObject();
  }
}
