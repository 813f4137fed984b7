package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Collection;
import org.inferometer.diagnosis.Cause;

/** What is known of causes, as JSON. */
final class CauseJson {
  private CauseJson() {}

  static void write(JsonGenerator json, Collection<Cause> causes) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("causes");
    for (Cause cause : causes) {
      cause(json, cause);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** In a few words each. */
  static void list(JsonGenerator json, Collection<Cause> causes) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("causes");
    for (Cause cause : causes) {
      json.writeStartObject();
      json.writeStringField("id", cause.id());
      json.writeStringField("title", cause.title());
      json.writeStringField("layer", cause.layer());
      json.writeStringField("is", cause.is());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void cause(JsonGenerator json, Cause cause) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", cause.id());
    json.writeStringField("title", cause.title());
    json.writeStringField("layer", cause.layer());
    json.writeBooleanField("generic", cause.isGeneric());
    json.writeStringField("is", cause.is());
    json.writeArrayFieldStart("looks");
    for (Cause.Look look : cause.looks()) {
      json.writeStartObject();
      json.writeStringField("layer", look.layer());
      json.writeStringField("by", look.by());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("unlike");
    for (Cause.Unlike other : cause.unlike()) {
      json.writeStartObject();
      json.writeStringField("cause", other.cause());
      json.writeStringField("by", other.by());
      json.writeEndObject();
    }
    json.writeEndArray();
    QueryJson.texts(json, "leadsTo", cause.leadsTo());
    QueryJson.texts(json, "sources", cause.sources());
    json.writeEndObject();
  }
}
