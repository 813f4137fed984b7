package org.inferometer.tsdb.block;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Writes {@code meta.json} as Prometheus has it: what is none or false is left out. */
final class BlockMetaWriter {
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonGenerator out;

  private BlockMetaWriter(JsonGenerator out) {
    this.out = out;
  }

  static byte[] toJson(BlockMeta meta) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JSON.createGenerator(bytes).useDefaultPrettyPrinter()) {
      new BlockMetaWriter(out).write(meta);
    } catch (IOException e) {
      throw new UncheckedIOException("to memory", e);
    }
    return bytes.toByteArray();
  }

  private void write(BlockMeta meta) throws IOException {
    out.writeStartObject();
    out.writeStringField("ulid", meta.ulid().toString());
    out.writeNumberField("minTime", meta.minMs());
    out.writeNumberField("maxTime", meta.maxMs());
    writeStats(meta.stats());
    writeCompaction(meta);
    out.writeNumberField("version", 1);
    for (Map.Entry<String, String> other : meta.others().entrySet()) {
      out.writeFieldName(other.getKey());
      out.writeRawValue(other.getValue());
    }
    out.writeEndObject();
  }

  private void writeStats(BlockMeta.Stats stats) throws IOException {
    out.writeObjectFieldStart("stats");
    writeUnlessZero("numSamples", stats.samples());
    writeUnlessZero("numSeries", stats.series());
    writeUnlessZero("numChunks", stats.chunks());
    writeUnlessZero("numTombstones", stats.tombstones());
    out.writeEndObject();
  }

  private void writeUnlessZero(String key, long number) throws IOException {
    if (number != 0) {
      out.writeNumberField(key, number);
    }
  }

  private void writeCompaction(BlockMeta meta) throws IOException {
    out.writeObjectFieldStart("compaction");
    out.writeNumberField("level", meta.level());
    writeTexts("sources", meta.sources());
    if (meta.isDeletable()) {
      out.writeBooleanField("deletable", true);
    }
    writeParents(meta.parents());
    if (meta.hasFailed()) {
      out.writeBooleanField("failed", true);
    }
    writeTexts("hints", meta.hints());
    out.writeEndObject();
  }

  private void writeTexts(String key, List<?> texts) throws IOException {
    if (texts.isEmpty()) {
      return;
    }
    out.writeArrayFieldStart(key);
    for (Object text : texts) {
      out.writeString(text.toString());
    }
    out.writeEndArray();
  }

  private void writeParents(List<BlockMeta.Parent> parents) throws IOException {
    if (parents.isEmpty()) {
      return;
    }
    out.writeArrayFieldStart("parents");
    for (BlockMeta.Parent parent : parents) {
      out.writeStartObject();
      out.writeStringField("ulid", parent.ulid().toString());
      out.writeNumberField("minTime", parent.minMs());
      out.writeNumberField("maxTime", parent.maxMs());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
