package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.inferometer.signals.HealthyRange;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceSnapshot;
import org.inferometer.signals.Signal;
import org.inferometer.signals.SignalAnswer;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.SignalSeries;
import org.inferometer.signals.VersionRange;
import org.jspecify.annotations.Nullable;

/** Signals and services as JSON, as docs/reference/ui-api.md has it. */
final class SignalJson {
  private SignalJson() {}

  static void vocabulary(JsonGenerator json, List<Signal> signals) throws IOException {
    json.writeStartArray();
    for (Signal signal : signals) {
      json.writeStartObject();
      json.writeStringField("name", signal.name());
      json.writeStringField("title", signal.title());
      json.writeStringField("layer", word(signal.layer()));
      json.writeStringField("unit", signal.unit());
      json.writeStringField("kind", word(signal.kind()));
      json.writeStringField("meaning", signal.meaning());
      text(json, "caveat", signal.caveat());
      json.writeFieldName("healthy");
      healthy(json, signal.healthy());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void healthy(JsonGenerator json, @Nullable HealthyRange range) throws IOException {
    if (range == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeFieldName("low");
    number(json, range.low());
    json.writeFieldName("high");
    number(json, range.high());
    json.writeStringField("source", range.source());
    json.writeEndObject();
  }

  static void services(JsonGenerator json, ServiceSnapshot snapshot) throws IOException {
    json.writeStartObject();
    json.writeFieldName("time");
    QueryJson.time(json, snapshot.timeMs());
    json.writeArrayFieldStart("services");
    for (Service service : snapshot.services()) {
      service(json, service);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void service(JsonGenerator json, Service service) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", service.id());
    json.writeStringField("kind", word(service.kind()));
    json.writeStringField("name", service.name());
    json.writeObjectFieldStart("engine");
    json.writeStringField("id", service.engine().id());
    json.writeStringField("title", service.engine().title());
    json.writeEndObject();
    json.writeFieldName("version");
    version(json, service.version());
    text(json, "model", service.model());
    json.writeStringField("state", word(service.state()));
    json.writeStringField("sentence", service.sentence());
    replicas(json, service.replicas());
    QueryJson.texts(json, "signals", service.signals());
    absent(json, service.absent());
    related(json, service.related());
    json.writeEndObject();
  }

  private static void version(JsonGenerator json, @Nullable VersionRange version)
      throws IOException {
    if (version == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeStringField("text", version.text());
    text(json, "low", version.low());
    text(json, "high", version.high());
    json.writeBooleanField("exact", version.exact());
    json.writeStringField("because", version.because());
    json.writeEndObject();
  }

  private static void replicas(JsonGenerator json, List<Service.Replica> replicas)
      throws IOException {
    json.writeArrayFieldStart("replicas");
    for (Service.Replica replica : replicas) {
      json.writeStartObject();
      json.writeStringField("instance", replica.instance());
      json.writeStringField("job", replica.job());
      json.writeStringField("state", word(replica.state()));
      json.writeStringField("sentence", replica.sentence());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void absent(JsonGenerator json, List<Service.AbsentSignal> absent)
      throws IOException {
    json.writeArrayFieldStart("absent");
    for (Service.AbsentSignal signal : absent) {
      json.writeStartObject();
      json.writeStringField("signal", signal.signal());
      json.writeStringField("why", word(signal.why()));
      json.writeStringField("reason", signal.reason());
      text(json, "fix", signal.fix());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void related(JsonGenerator json, List<Service.Related> related)
      throws IOException {
    json.writeArrayFieldStart("related");
    for (Service.Related other : related) {
      json.writeStartObject();
      json.writeStringField("id", other.id());
      json.writeStringField("because", other.because());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void answer(JsonGenerator json, SignalAnswer answer) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("times");
    for (long timeMs : answer.timesMs()) {
      QueryJson.time(json, timeMs);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("results");
    for (SignalResult result : answer.results()) {
      result(json, result);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void result(JsonGenerator json, SignalResult result) throws IOException {
    json.writeStartObject();
    json.writeStringField("service", result.service());
    json.writeStringField("signal", result.signal());
    json.writeStringField("unit", result.unit());
    json.writeStringField("quality", word(result.quality()));
    text(json, "reason", result.reason());
    text(json, "query", result.query());
    json.writeArrayFieldStart("series");
    for (SignalSeries series : result.series()) {
      series(json, series);
    }
    json.writeEndArray();
    json.writeFieldName("goal");
    number(json, result.goal());
    text(json, "counts", result.counts() == null ? null : result.counts().words());
    json.writeFieldName("window");
    number(json, result.windowMs() == 0 ? null : result.windowMs() / 1000.0);
    json.writeEndObject();
  }

  private static void series(JsonGenerator json, SignalSeries series) throws IOException {
    json.writeStartObject();
    json.writeFieldName("labels");
    QueryJson.labels(json, series.labels());
    numbers(json, "values", series.values());
    if (series.low() != null) {
      numbers(json, "low", series.low());
    }
    if (series.high() != null) {
      numbers(json, "high", series.high());
      sides(json, series);
    }
    if (series.counts() != null) {
      numbers(json, "counts", series.counts());
    }
    json.writeEndObject();
  }

  /** On which side of its one known edge a value lies; JSON has no infinity that could tell. */
  private static void sides(JsonGenerator json, SignalSeries series) throws IOException {
    json.writeArrayFieldStart("side");
    for (int i = 0; i < series.values().length; i++) {
      json.writeNumber(
          switch (series.side(i)) {
            case WITHIN -> 0;
            case ABOVE -> 1;
            case BELOW -> -1;
          });
    }
    json.writeEndArray();
  }

  private static void numbers(JsonGenerator json, String name, double[] values) throws IOException {
    json.writeArrayFieldStart(name);
    for (double value : values) {
      number(json, value);
    }
    json.writeEndArray();
  }

  /** A number, or null for one that JSON doesn't have. */
  static void number(JsonGenerator json, @Nullable Double value) throws IOException {
    if (value == null || !Double.isFinite(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      json.writeNumber(Math.round(value));
    } else {
      json.writeNumber(value);
    }
  }

  private static void text(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value == null) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, value);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
