package org.inferometer.tsdb.block;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code meta.json}: what it doesn't know is passed over, at the top level kept. */
final class BlockMetaReader {
  /** A meta of some thousand sources stays below. */
  static final int BYTES_MAX = 16 << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonParser in;
  private final Map<String, String> others = new TreeMap<>();
  private @Nullable Ulid ulid;
  private @Nullable Long minMs;
  private @Nullable Long maxMs;
  private BlockMeta.Stats stats = new BlockMeta.Stats(0, 0, 0, 0);
  private int level = 1;
  private List<Ulid> sources = List.of();
  private List<BlockMeta.Parent> parents = List.of();
  private boolean isDeletable;
  private boolean hasFailed;
  private List<String> hints = List.of();

  private BlockMetaReader(JsonParser in) {
    this.in = in;
  }

  /** Reads one value, the parser standing on its first token. */
  private interface Field {
    void read(String key) throws IOException;
  }

  /** Reads an element of an array. */
  private interface Element<T> {
    T read() throws IOException;
  }

  /**
   * @param name of the file, for messages
   */
  static BlockMeta read(byte[] json, String name) throws CorruptBlockException {
    try (JsonParser in = JSON.createParser(json)) {
      BlockMetaReader reader = new BlockMetaReader(in);
      in.nextToken();
      reader.object(reader::field);
      if (in.nextToken() != null) {
        throw reader.unexpected("the end");
      }
      return reader.meta();
    } catch (JsonProcessingException e) { // its whole message says where, in three lines
      long at = e.getLocation() == null ? 0 : e.getLocation().getByteOffset();
      throw new CorruptBlockException(
          "%s: offset %d: %s".formatted(name, at, e.getOriginalMessage()), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new CorruptBlockException(name + ": " + e.getMessage(), e);
    }
  }

  private BlockMeta meta() throws IOException {
    Ulid name = required(ulid, "ulid");
    long min = required(minMs, "minTime");
    long max = required(maxMs, "maxTime");
    if (min > max) {
      throw new IOException("expected minTime up to maxTime, got %d and %d".formatted(min, max));
    }
    return new BlockMeta(
        name, min, max, stats, level, sources, parents, isDeletable, hasFailed, hints, others);
  }

  private static <T> T required(@Nullable T value, String key) throws IOException {
    if (value == null) {
      throw new IOException("expected a value for \"" + key + "\", there is none");
    }
    return value;
  }

  private void field(String key) throws IOException {
    switch (key) {
      case "ulid" -> ulid = Ulid.parse(text());
      case "minTime" -> minMs = number();
      case "maxTime" -> maxMs = number();
      case "stats" -> stats();
      case "compaction" -> object(this::compactionField);
      case "version" -> version();
      default -> others.put(key, copy());
    }
  }

  private void version() throws IOException {
    long version = number();
    if (version != 1) {
      throw new IOException("expected version 1, got " + version);
    }
  }

  private void stats() throws IOException {
    Map<String, Long> numbers = new TreeMap<>();
    object(
        key -> {
          if (in.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            numbers.put(key, number());
          } else {
            in.skipChildren();
          }
        });
    stats =
        new BlockMeta.Stats(
            numbers.getOrDefault("numSamples", 0L),
            numbers.getOrDefault("numSeries", 0L),
            numbers.getOrDefault("numChunks", 0L),
            numbers.getOrDefault("numTombstones", 0L));
  }

  private void compactionField(String key) throws IOException {
    switch (key) {
      case "level" -> level = Math.toIntExact(Math.clamp(number(), 1, Integer.MAX_VALUE));
      case "sources" -> sources = array(() -> Ulid.parse(text()));
      case "parents" -> parents = array(this::parent);
      case "deletable" -> isDeletable = flag();
      case "failed" -> hasFailed = flag();
      case "hints" -> hints = array(this::text);
      default -> in.skipChildren();
    }
  }

  private BlockMeta.Parent parent() throws IOException {
    String[] name = {""};
    long[] times = {0, 0};
    object(
        key -> {
          switch (key) {
            case "ulid" -> name[0] = text();
            case "minTime" -> times[0] = number();
            case "maxTime" -> times[1] = number();
            default -> in.skipChildren();
          }
        });
    return new BlockMeta.Parent(Ulid.parse(name[0]), times[0], times[1]);
  }

  private void object(Field field) throws IOException {
    expect(JsonToken.START_OBJECT, "an object");
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String key = in.currentName();
      in.nextToken();
      field.read(key);
    }
  }

  private <T> List<T> array(Element<T> element) throws IOException {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return List.of();
    }
    expect(JsonToken.START_ARRAY, "an array");
    List<T> elements = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      elements.add(element.read());
    }
    return elements;
  }

  private String text() throws IOException {
    expect(JsonToken.VALUE_STRING, "a text");
    return in.getText();
  }

  private long number() throws IOException {
    expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
    return in.getLongValue();
  }

  private boolean flag() throws IOException {
    return switch (in.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case null, default -> throw unexpected("true or false");
    };
  }

  private void expect(JsonToken token, String what) throws IOException {
    if (in.currentToken() != token) {
      throw unexpected(what);
    }
  }

  private IOException unexpected(String what) {
    JsonToken token = in.currentToken();
    return new IOException(
        "expected %s at offset %d, got %s"
            .formatted(
                what,
                in.currentTokenLocation().getByteOffset(),
                token == null ? "the end" : token.name()));
  }

  private String copy() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.copyCurrentStructure(in);
    }
    return text.toString();
  }
}
