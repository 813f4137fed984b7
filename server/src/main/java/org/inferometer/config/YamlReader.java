package org.inferometer.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one YAML document into nodes that know their places. Aliases share the node of their
 * anchor, and the size that a document would have with all aliases written out is limited, so that
 * a few lines can't stand for a billion.
 */
final class YamlReader {
  /** Nesting of a config file: Prometheus's deepest key is at 8. */
  static final int DEPTH_MAX = 32;

  /** Nodes with aliases written out; a file with 10,000 targets has 20,000. */
  static final long NODES_MAX = 500_000;

  /** The key whose value is merged into the mapping around it. */
  private static final String MERGE = "<<";

  private static final YAMLFactory FACTORY = new YAMLFactory();

  private final YAMLParser parser;
  private final Problems problems;
  private final Map<String, YamlNode> anchors = new HashMap<>();
  private int depth;
  private long nodes;

  private YamlReader(YAMLParser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /** Stops reading: the problem is reported already. */
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable() {
      super(null, null, false, false);
    }
  }

  /** The document, or null after reporting why there is none. An empty text is a null scalar. */
  static @Nullable YamlNode read(String text, Problems problems) {
    try (YAMLParser parser = FACTORY.createParser(text)) {
      return new YamlReader(parser, problems).document();
    } catch (Unreadable e) {
      return null;
    } catch (JacksonException e) {
      JsonLocation at = e.getLocation();
      problems.add(
          at == null ? 1 : Math.max(1, at.getLineNr()),
          at == null ? 1 : Math.max(1, at.getColumnNr()),
          "not YAML: " + ParserWords.of(e.getOriginalMessage()));
      return null;
    } catch (IOException | RuntimeException e) {
      problems.add(1, 1, "not YAML: " + ParserWords.of(String.valueOf(e.getMessage())));
      return null;
    }
  }

  private YamlNode document() throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      return new YamlNode.Scalar(1, 1, "", true);
    }
    YamlNode root = node(token);
    if (parser.nextToken() != null) {
      throw refuse("found a second document, expected one");
    }
    return root;
  }

  private YamlNode node(JsonToken token) throws IOException {
    if (++nodes > NODES_MAX) {
      throw refuse("found more than " + NODES_MAX + " values, expected fewer");
    }
    if (parser.isCurrentAlias()) {
      return alias();
    }
    String anchor = parser.getObjectId();
    YamlNode node =
        switch (token) {
          case START_OBJECT -> mapping();
          case START_ARRAY -> sequence();
          default ->
              new YamlNode.Scalar(
                  line(), column(), parser.getText(), token == JsonToken.VALUE_NULL);
        };
    if (anchor != null) {
      anchors.put(anchor, node);
    }
    return node;
  }

  private YamlNode alias() throws IOException {
    String name = parser.getText();
    YamlNode target = anchors.get(name);
    if (target == null) {
      throw refuse("found the alias *" + name + ", expected an anchor &" + name + " before it");
    }
    nodes += target.weight();
    if (nodes > NODES_MAX) {
      throw refuse("found aliases that stand for more than " + NODES_MAX + " values");
    }
    return target;
  }

  private YamlNode sequence() throws IOException {
    int line = line();
    int column = column();
    enter();
    List<YamlNode> items = new ArrayList<>();
    long weight = 1;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      YamlNode item = node(expected(token));
      items.add(item);
      weight += item.weight();
    }
    depth--;
    return new YamlNode.Sequence(line, column, List.copyOf(items), weight);
  }

  private YamlNode mapping() throws IOException {
    int line = line();
    int column = column();
    enter();
    Map<String, YamlNode.Entry> own = new LinkedHashMap<>();
    Map<String, YamlNode.Entry> merged = new LinkedHashMap<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_OBJECT;
        token = parser.nextToken()) {
      expected(token);
      YamlNode.Scalar key = new YamlNode.Scalar(line(), column(), parser.currentName(), false);
      YamlNode value = node(expected(parser.nextToken()));
      if (key.text().equals(MERGE)) {
        merge(key, value, merged);
      } else {
        put(own, key, value);
      }
    }
    depth--;
    merged.forEach(own::putIfAbsent);
    long weight = 1;
    for (YamlNode.Entry entry : own.values()) {
      weight += 1 + entry.value().weight();
    }
    return new YamlNode.Mapping(line, column, List.copyOf(own.values()), weight);
  }

  private void put(Map<String, YamlNode.Entry> own, YamlNode.Scalar key, YamlNode value) {
    YamlNode.Entry first = own.putIfAbsent(key.text(), new YamlNode.Entry(key, value));
    if (first != null) {
      problems.add(
          key,
          "found the key "
              + key.describe()
              + " a second time, expected it once; the first is in line "
              + first.key().line());
    }
  }

  private void merge(YamlNode.Scalar key, YamlNode value, Map<String, YamlNode.Entry> merged) {
    switch (value) {
      case YamlNode.Mapping mapping ->
          mapping.entries().forEach(entry -> merged.putIfAbsent(entry.key().text(), entry));
      case YamlNode.Sequence list -> list.items().forEach(item -> mergeOne(key, item, merged));
      case YamlNode.Scalar scalar -> problems.expected(scalar, "a mapping to merge");
    }
  }

  private void mergeOne(YamlNode.Scalar key, YamlNode value, Map<String, YamlNode.Entry> merged) {
    if (value instanceof YamlNode.Sequence) {
      problems.expected(value, "a mapping to merge");
    } else {
      merge(key, value, merged);
    }
  }

  private void enter() {
    if (++depth > DEPTH_MAX) {
      throw refuse("found more than " + DEPTH_MAX + " levels of nesting, expected fewer");
    }
  }

  private static JsonToken expected(@Nullable JsonToken token) throws IOException {
    if (token == null) {
      throw new IOException("the document ends in the middle");
    }
    return token;
  }

  private Unreadable refuse(String message) {
    problems.add(line(), column(), message);
    return new Unreadable();
  }

  private int line() {
    return Math.max(1, parser.currentTokenLocation().getLineNr());
  }

  private int column() {
    return Math.max(1, parser.currentTokenLocation().getColumnNr());
  }
}
