package org.inferometer.app;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.inferometer.tsdb.block.BlockMeta;

/** Reports as JSON of one line. */
final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonText() {}

  /** Writes a value. */
  @FunctionalInterface
  interface Value {
    void write(JsonGenerator json) throws IOException;
  }

  static String of(Value value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      value.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** What is known of a block; times in milliseconds, samples are before {@code maxTime}. */
  static void block(JsonGenerator json, BlockMeta block) throws IOException {
    json.writeStartObject();
    blockFields(json, block);
    json.writeEndObject();
  }

  static void texts(JsonGenerator json, String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  static void blockFields(JsonGenerator json, BlockMeta block) throws IOException {
    json.writeStringField("ulid", block.ulid().toString());
    json.writeNumberField("minTime", block.minMs());
    json.writeNumberField("maxTime", block.maxMs());
    json.writeNumberField("samples", block.stats().samples());
    json.writeNumberField("chunks", block.stats().chunks());
    json.writeNumberField("series", block.stats().series());
    json.writeNumberField("tombstones", block.stats().tombstones());
    json.writeNumberField("level", block.level());
  }
}
