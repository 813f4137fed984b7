package org.inferometer.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a YAML file that remembers where it stands. */
public sealed interface YamlNode {
  /** Files nest three deep; this keeps a wrong one from exhausting the stack. */
  int DEPTH_MAX = 20;

  /** One for all files, since making it costs more than reading a small one. Thread-safe. */
  YAMLFactory YAML = new YAMLFactory();

  Place place();

  record Scalar(String text, Place place) implements YamlNode {}

  record Sequence(List<YamlNode> items, Place place) implements YamlNode {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  record Mapping(List<Entry> entries, Place place) implements YamlNode {
    public Mapping {
      entries = List.copyOf(entries);
    }
  }

  record Entry(String key, Place place, YamlNode value) {}

  /** The value of a key of a mapping; null if there is none, or it is no mapping. */
  static @Nullable YamlNode find(@Nullable YamlNode node, String key) {
    if (node instanceof Mapping mapping) {
      for (Entry entry : mapping.entries()) {
        if (entry.key().equals(key)) {
          return entry.value();
        }
      }
    }
    return null;
  }

  /** What a node is, in words for messages. */
  static String describe(YamlNode node) {
    return switch (node) {
      case Scalar scalar -> "\"" + scalar.text() + "\"";
      case Sequence ignored -> "a list";
      case Mapping ignored -> "a mapping";
    };
  }

  /**
   * The one document of a file; text that isn't YAML becomes a problem.
   *
   * @throws YamlException if nothing can be read from the text
   */
  static YamlNode parse(String file, String text) {
    try (JsonParser parser = YAML.createParser(text)) {
      if (parser.nextToken() == null) {
        throw YamlException.of(new Place(file, 1, 1), "the file is empty");
      }
      return read(file, parser, 0);
    } catch (JsonProcessingException e) {
      throw YamlException.of(place(file, e.getLocation()), e.getOriginalMessage());
    } catch (IOException e) {
      throw YamlException.of(new Place(file, 1, 1), String.valueOf(e.getMessage()));
    }
  }

  private static YamlNode read(String file, JsonParser parser, int depth) throws IOException {
    Place place = place(file, parser.currentTokenLocation());
    if (depth > DEPTH_MAX) {
      throw YamlException.of(place, "nested deeper than " + DEPTH_MAX);
    }
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return readMapping(file, parser, place, depth);
    }
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      List<YamlNode> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(read(file, parser, depth + 1));
      }
      return new Sequence(items, place);
    }
    return new Scalar(parser.getText(), place);
  }

  private static Mapping readMapping(String file, JsonParser parser, Place place, int depth)
      throws IOException {
    List<Entry> entries = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      Place keyPlace = place(file, parser.currentTokenLocation());
      parser.nextToken();
      entries.add(new Entry(key, keyPlace, read(file, parser, depth + 1)));
    }
    return new Mapping(entries, place);
  }

  private static Place place(String file, JsonLocation location) {
    return location == null
        ? new Place(file, 1, 1)
        : new Place(file, location.getLineNr(), location.getColumnNr());
  }
}
