package org.inferometer.lint;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.config.ParserWords;
import org.jspecify.annotations.Nullable;

/**
 * Reads the YAML documents of a text into nodes that know where their characters stand. What
 * aliases stand for is counted and limited, so that a few lines can't stand for a billion.
 */
final class YamlReader {
  /** Nesting of a document: Kubernetes objects stay below 20. */
  static final int DEPTH_MAX = 100;

  /** Nodes with aliases written out. */
  static final long NODES_MAX = 500_000;

  /** The key whose value is merged into the mapping around it. */
  private static final String MERGE = "<<";

  private static final YAMLFactory FACTORY = new YAMLFactory();

  private final MappedText source;
  private final YamlLines lines;
  private final YAMLParser parser;
  private final Map<String, Node> anchors = new HashMap<>();
  private int depth;
  private long nodes;

  private YamlReader(MappedText source, YAMLParser parser) {
    this.source = source;
    this.lines = new YamlLines(source.text());
    this.parser = parser;
  }

  /**
   * Reads all documents of a text; empty ones are left out.
   *
   * @throws Unreadable if one can't be read
   */
  static List<Node> read(MappedText source) throws Unreadable {
    try (YAMLParser parser = FACTORY.createParser(source.text())) {
      return new YamlReader(source, parser).documents();
    } catch (JacksonException e) {
      throw new Unreadable(
          place(source, e.getLocation()), "not YAML: " + ParserWords.of(e.getOriginalMessage()));
    } catch (IOException | RuntimeException e) {
      throw new Unreadable(
          source.origin()[0], "not YAML: " + ParserWords.of(String.valueOf(e.getMessage())));
    }
  }

  private static int place(MappedText source, @Nullable JsonLocation at) {
    return at == null
        ? source.origin()[0]
        : source.origin()[new YamlLines(source.text()).offset(at.getLineNr(), at.getColumnNr())];
  }

  private List<Node> documents() throws IOException, Unreadable {
    List<Node> documents = new ArrayList<>();
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      documents.add(node(token));
      anchors.clear();
    }
    return documents;
  }

  private Node node(@Nullable JsonToken token) throws IOException, Unreadable {
    if (token == null) {
      throw new IOException("the document ends in the middle");
    }
    if (++nodes > NODES_MAX) {
      throw refuse("found more than " + NODES_MAX + " values, expected fewer");
    }
    if (parser.isCurrentAlias()) {
      return alias();
    }
    String anchor = parser.getObjectId();
    Node node =
        switch (token) {
          case START_OBJECT -> mapping();
          case START_ARRAY -> listing();
          default -> scalar(token);
        };
    if (anchor != null) {
      anchors.put(anchor, node);
    }
    return node;
  }

  private Node scalar(JsonToken token) throws IOException {
    int start = offset(parser.currentTokenLocation());
    int end = Math.max(start, offset(parser.currentLocation()));
    String decoded = token == JsonToken.VALUE_NULL ? "" : parser.getText();
    return new Node.Scalar(
        source.origin()[start], YamlScalar.decode(source, start, end, decoded), true);
  }

  private Node alias() throws IOException, Unreadable {
    String name = parser.getText();
    Node target = anchors.get(name);
    if (target == null) {
      throw refuse("found the alias *" + name + ", expected an anchor &" + name + " before it");
    }
    nodes += target.weight();
    if (nodes > NODES_MAX) {
      throw refuse("found aliases that stand for more than " + NODES_MAX + " values");
    }
    return target;
  }

  private Node listing() throws IOException, Unreadable {
    int place = place();
    enter();
    List<Node> items = new ArrayList<>();
    long weight = 1;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      Node item = node(token);
      items.add(item);
      weight += item.weight();
    }
    depth--;
    return new Node.Listing(place, List.copyOf(items), weight);
  }

  private Node mapping() throws IOException, Unreadable {
    int place = place();
    enter();
    List<Node.Entry> entries = new ArrayList<>();
    List<Node.Entry> merged = new ArrayList<>();
    long weight = 1;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_OBJECT;
        token = parser.nextToken()) {
      String key = parser.currentName();
      Node value = node(parser.nextToken());
      weight += 1 + value.weight();
      if (MERGE.equals(key)) {
        merge(value, merged);
      } else {
        entries.add(new Node.Entry(key == null ? "" : key, value));
      }
    }
    depth--;
    // Own keys come first and therefore win.
    entries.addAll(merged);
    return new Node.Mapping(place, List.copyOf(entries), weight);
  }

  private static void merge(Node value, List<Node.Entry> merged) {
    switch (value) {
      case Node.Mapping mapping -> merged.addAll(mapping.entries());
      case Node.Listing list -> {
        for (Node item : list.items()) {
          if (item instanceof Node.Mapping mapping) {
            merged.addAll(mapping.entries());
          }
        }
      }
      case Node.Scalar _ -> {}
    }
  }

  private void enter() throws Unreadable {
    if (++depth > DEPTH_MAX) {
      throw refuse("found more than " + DEPTH_MAX + " levels of nesting, expected fewer");
    }
  }

  private Unreadable refuse(String problem) {
    return new Unreadable(place(), problem);
  }

  private int place() {
    return source.origin()[offset(parser.currentTokenLocation())];
  }

  private int offset(JsonLocation at) {
    return lines.offset(at.getLineNr(), at.getColumnNr());
  }
}
