package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.signals.ClockEventReason;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.GpuEvent;
import org.inferometer.signals.GpuSnapshot;
import org.inferometer.signals.GpuState;
import org.jspecify.annotations.Nullable;

/** GPUs as JSON, as docs/reference/ui-api.md has it. */
final class GpuJson {
  private static final String PREFIX = "gpu_";

  private GpuJson() {}

  static void write(JsonGenerator json, GpuSnapshot snapshot) throws IOException {
    json.writeStartObject();
    json.writeFieldName("time");
    QueryJson.time(json, snapshot.timeMs());
    json.writeNumberField("left_out", snapshot.leftOut());
    json.writeArrayFieldStart("gpus");
    for (Gpu gpu : snapshot.gpus()) {
      gpu(json, gpu);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("events");
    for (GpuEvent event : snapshot.events()) {
      event(json, event);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void gpu(JsonGenerator json, Gpu gpu) throws IOException {
    json.writeStartObject();
    json.writeStringField("service", gpu.service());
    text(json, "host", gpu.host());
    json.writeStringField("gpu", gpu.index());
    text(json, "uuid", gpu.uuid());
    text(json, "model", gpu.model());
    text(json, "instance", gpu.instance());
    text(json, "profile", gpu.profile());
    text(json, "pod", gpu.pod());
    text(json, "engine", gpu.engine());
    json.writeObjectFieldStart("utilisation");
    numbers(json, Gpu.UTILISATIONS, gpu.utilisation(), "");
    json.writeEndObject();
    json.writeFieldName("state");
    state(json, gpu.state());
    numbers(json, Gpu.VALUES, gpu.values(), PREFIX);
    json.writeArrayFieldStart("reasons");
    for (ClockEventReason reason : gpu.reasons()) {
      reason(json, reason);
    }
    json.writeEndArray();
    json.writeFieldName("xid");
    xid(json, gpu.xid());
    json.writeEndObject();
  }

  /**
   * @param prefix what is left out of the names
   */
  private static void numbers(
      JsonGenerator json, List<String> names, Map<String, Double> values, String prefix)
      throws IOException {
    for (String name : names) {
      json.writeFieldName(name.substring(name.startsWith(prefix) ? prefix.length() : 0));
      SignalJson.number(json, values.get(name));
    }
  }

  private static void state(JsonGenerator json, GpuState state) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", state.id());
    json.writeStringField("name", state.name());
    json.writeStringField("says", state.says());
    text(json, "next", state.next());
    json.writeArrayFieldStart("inputs");
    for (String input : state.inputs()) {
      json.writeString(input);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void reason(JsonGenerator json, ClockEventReason reason) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", reason.name());
    json.writeStringField("says", reason.says());
    json.writeBooleanField("matters", reason.matters());
    json.writeEndObject();
  }

  private static void xid(JsonGenerator json, Gpu.@Nullable LastXid xid) throws IOException {
    if (xid == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeNumberField("code", xid.code());
    json.writeStringField("says", xid.says());
    json.writeStringField("action", xid.action());
    json.writeStringField("severity", xid.severity());
    json.writeFieldName("since");
    if (xid.sinceMs() == null) {
      json.writeNull();
    } else {
      QueryJson.time(json, xid.sinceMs());
    }
    json.writeEndObject();
  }

  private static void event(JsonGenerator json, GpuEvent event) throws IOException {
    json.writeStartObject();
    json.writeFieldName("time");
    QueryJson.time(json, event.timeMs());
    json.writeStringField("service", event.service());
    json.writeStringField("gpu", event.gpu());
    text(json, "uuid", event.uuid());
    json.writeStringField("kind", event.kind().name().toLowerCase(Locale.ROOT));
    json.writeStringField("says", event.says());
    text(json, "action", event.action());
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value == null) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, value);
    }
  }
}
