package org.inferometer.check;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.inferometer.exposition.BadLine;
import org.inferometer.model.Labels;
import org.inferometer.signals.VersionRange;
import org.jspecify.annotations.Nullable;

/** Reports as JSON, as docs/reference/check.md has it. */
public final class CheckJson {
  private CheckJson() {}

  /** Several endpoints, at a time. */
  public static void write(JsonGenerator json, long timeMs, List<EndpointReport> reports)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("time", timeMs / 1000.0);
    json.writeArrayFieldStart("endpoints");
    for (EndpointReport report : reports) {
      write(json, report);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** One endpoint. */
  public static void write(JsonGenerator json, EndpointReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("target", report.target());
    text(json, "url", report.url());
    json.writeStringField("instance", report.instance());
    json.writeStringField("job", report.job());
    json.writeStringField("state", report.state().word());
    json.writeStringField("verdict", report.verdict());
    json.writeArrayFieldStart("parts");
    for (Part part : report.parts()) {
      part(json, part);
    }
    json.writeEndArray();
    findings(json, "todo", report.todo());
    findings(json, "notes", report.notes());
    series(json, report.series());
    scrape(json, report.scrape());
    json.writeEndObject();
  }

  private static void part(JsonGenerator json, Part part) throws IOException {
    json.writeStartObject();
    json.writeStringField("service", part.service());
    json.writeStringField("kind", word(part.kind()));
    json.writeStringField("name", part.name());
    json.writeObjectFieldStart("engine");
    json.writeStringField("id", part.engine().id());
    json.writeStringField("title", part.engine().title());
    json.writeEndObject();
    text(json, "model", part.model());
    version(json, part.version());
    json.writeArrayFieldStart("facets");
    for (Part.FacetValue facet : part.facets()) {
      json.writeStartObject();
      json.writeStringField("name", facet.name());
      json.writeStringField("value", facet.value());
      json.writeStringField("because", facet.because());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("feeds");
    for (Part.Feed feed : part.feeds()) {
      feed(json, feed);
    }
    json.writeEndArray();
    lacks(json, part.lacks());
    texts(json, "never", part.never());
    json.writeArrayFieldStart("buckets");
    for (BucketView view : part.buckets()) {
      buckets(json, view);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void version(JsonGenerator json, @Nullable VersionRange version)
      throws IOException {
    if (version == null) {
      json.writeNullField("version");
      return;
    }
    json.writeObjectFieldStart("version");
    json.writeStringField("text", version.text());
    text(json, "low", version.low());
    text(json, "high", version.high());
    json.writeBooleanField("exact", version.exact());
    json.writeStringField("because", version.because());
    json.writeEndObject();
  }

  private static void feed(JsonGenerator json, Part.Feed feed) throws IOException {
    json.writeStartObject();
    json.writeStringField("signal", feed.signal().name());
    json.writeStringField("title", feed.signal().title());
    json.writeStringField("layer", word(feed.signal().layer()));
    json.writeStringField("unit", feed.signal().unit());
    json.writeStringField("quality", word(feed.quality()));
    text(json, "reason", feed.reason());
    text(json, "query", feed.query());
    number(json, "goal", feed.goal());
    json.writeArrayFieldStart("values");
    for (Part.Value value : feed.values()) {
      json.writeStartObject();
      labels(json, value.labels());
      number(json, "value", value.value());
      number(json, "low", value.low());
      number(json, "high", value.high());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void lacks(JsonGenerator json, List<Part.Lack> lacks) throws IOException {
    json.writeArrayFieldStart("lacks");
    for (Part.Lack lack : lacks) {
      json.writeStartObject();
      json.writeStringField("why", word(lack.why()));
      text(json, "fix", lack.fix());
      json.writeStringField("reason", lack.reason());
      texts(json, "signals", lack.signals());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void buckets(JsonGenerator json, BucketView view) throws IOException {
    json.writeStartObject();
    json.writeStringField("signal", view.signal());
    json.writeStringField("metric", view.metric());
    json.writeArrayFieldStart("edges");
    for (double edge : view.edges()) {
      json.writeNumber(edge);
    }
    json.writeEndArray();
    number(json, "goal", view.goal());
    number(json, "value", view.value());
    number(json, "low", view.low());
    number(json, "high", view.high());
    number(json, "error", view.error());
    json.writeStringField("verdict", view.verdict().word());
    json.writeStringField("says", view.says());
    text(json, "fix", view.fix());
    text(json, "since", view.since());
    json.writeEndObject();
  }

  private static void findings(JsonGenerator json, String name, List<Finding> findings)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Finding finding : findings) {
      json.writeStartObject();
      json.writeStringField("id", finding.id());
      json.writeStringField("weight", finding.weight().word());
      json.writeStringField("says", finding.says());
      text(json, "fix", finding.fix());
      text(json, "source", finding.source());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void series(JsonGenerator json, @Nullable SeriesView view) throws IOException {
    if (view == null) {
      json.writeNullField("series");
      return;
    }
    json.writeObjectFieldStart("series");
    json.writeNumberField("total", view.total());
    json.writeArrayFieldStart("families");
    for (SeriesView.FamilyCount family : view.families()) {
      json.writeStartObject();
      json.writeStringField("name", family.name());
      json.writeNumberField("series", family.series());
      json.writeBooleanField("known", family.known());
      json.writeBooleanField("needed", family.needed());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("labels");
    for (SeriesView.LabelCount label : view.labels()) {
      json.writeStartObject();
      json.writeStringField("name", label.name());
      json.writeNumberField("values", label.values());
      json.writeNumberField("series", label.series());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("drop");
    for (SeriesView.Drop drop : view.drops()) {
      json.writeStartObject();
      json.writeStringField("what", drop.what());
      json.writeNumberField("series", drop.series());
      json.writeStringField("why", drop.why());
      json.writeEndObject();
    }
    json.writeEndArray();
    text(json, "relabel", view.relabel());
    json.writeNumberField("intervalSeconds", view.intervalSeconds());
    json.writeNumberField("samplesPerDay", view.samplesPerDay());
    json.writeNumberField("bytesPerDay", view.bytesPerDay());
    json.writeEndObject();
  }

  private static void scrape(JsonGenerator json, EndpointReport.@Nullable ScrapeView view)
      throws IOException {
    if (view == null) {
      json.writeNullField("scrape");
      return;
    }
    json.writeObjectFieldStart("scrape");
    json.writeNumberField("scrapes", view.scrapes());
    json.writeNumberField("apartSeconds", view.apartSeconds());
    json.writeNumberField("slowestSeconds", view.slowestSeconds());
    json.writeNumberField("timeoutSeconds", view.timeoutSeconds());
    json.writeNumberField("bytes", view.bytes());
    json.writeStringField("contentType", view.contentType());
    json.writeNumberField("badLines", view.badLines());
    json.writeArrayFieldStart("badLineExamples");
    for (BadLine line : view.badLineExamples()) {
      json.writeStartObject();
      json.writeNumberField("line", line.line());
      json.writeNumberField("column", line.column());
      json.writeStringField("reason", line.reason() + ", expected " + line.expected());
      json.writeStringField("text", line.excerpt());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void labels(JsonGenerator json, Labels labels) throws IOException {
    json.writeObjectFieldStart("labels");
    for (int i = 0; i < labels.size(); i++) {
      json.writeStringField(labels.name(i), labels.value(i));
    }
    json.writeEndObject();
  }

  private static void texts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private static void text(JsonGenerator json, String name, @Nullable String text)
      throws IOException {
    if (text == null) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, text);
    }
  }

  private static void number(JsonGenerator json, String name, @Nullable Double value)
      throws IOException {
    json.writeFieldName(name);
    if (value == null || !Double.isFinite(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      json.writeNumber(Math.round(value));
    } else {
      json.writeNumber(value);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
