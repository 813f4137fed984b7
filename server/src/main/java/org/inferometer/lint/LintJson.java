package org.inferometer.lint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** A report as JSON; its form is stable and described in docs/reference/lint.md. */
public final class LintJson {
  private static final int VERSION = 1;

  private LintJson() {}

  public static String of(LintReport report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      report(json, report);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void report(JsonGenerator json, LintReport report) throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", VERSION);
    json.writeObjectFieldStart("scrapeInterval");
    json.writeNumberField("seconds", report.options().scrapeIntervalMs() / 1000.0);
    json.writeStringField("knownFrom", report.options().intervalKnownFrom());
    json.writeEndObject();
    for (Severity severity : Severity.values()) {
      json.writeNumberField(severity.word() + "s", report.count(severity));
    }
    json.writeArrayFieldStart("files");
    for (LintReport.OfFile file : report.files()) {
      file(json, file);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void file(JsonGenerator json, LintReport.OfFile file) throws IOException {
    json.writeStartObject();
    json.writeStringField("file", file.file());
    json.writeNumberField("queries", file.queries());
    json.writeArrayFieldStart("notes");
    for (String note : file.notes()) {
      json.writeString(note);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("findings");
    for (Finding finding : file.findings()) {
      finding(json, finding);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void finding(JsonGenerator json, Finding finding) throws IOException {
    json.writeStartObject();
    json.writeStringField("rule", finding.rule().id());
    json.writeStringField("severity", finding.severity().word());
    json.writeStringField("kind", finding.kind());
    json.writeStringField("name", finding.name());
    json.writeNumberField("line", finding.line());
    json.writeNumberField("column", finding.column());
    json.writeNumberField("offset", finding.offset());
    json.writeStringField("message", finding.message());
    json.writeStringField("expression", finding.expression());
    json.writeBooleanField("fixable", finding.isFixable());
    json.writeArrayFieldStart("edits");
    for (Edit edit : finding.edits()) {
      json.writeStartObject();
      json.writeNumberField("start", edit.start());
      json.writeNumberField("end", edit.end());
      json.writeStringField("text", edit.text());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
