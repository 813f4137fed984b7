package org.inferometer.lint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A piece of a JSON or YAML document that knows where it stands in its file. */
sealed interface Node {
  /** Offset in the file of its first character. */
  int place();

  /** How many nodes it would be with every alias written out. */
  long weight();

  /**
   * A value without parts.
   *
   * @param isText whether it is a string rather than a number or a boolean; of YAML's plain scalars
   *     that isn't decided, all count as strings
   */
  record Scalar(int place, MappedText value, boolean isText) implements Node {
    String text() {
      return value.text();
    }

    @Override
    public long weight() {
      return 1;
    }
  }

  /** Nodes in a row. */
  record Listing(int place, List<Node> items, long weight) implements Node {}

  /** Keys with their values, in the order of the document; a key may stand twice. */
  record Mapping(int place, List<Entry> entries, long weight) implements Node {
    @Nullable Node get(String key) {
      for (Entry entry : entries) {
        if (entry.key().equals(key)) {
          return entry.value();
        }
      }
      return null;
    }
  }

  /** A key and its value. */
  record Entry(String key, Node value) {}

  /** What stands at a path of keys, null if there is no such thing. */
  default @Nullable Node at(String... path) {
    Node node = this;
    for (String key : path) {
      if (!(node instanceof Mapping mapping)) {
        return null;
      }
      node = mapping.get(key);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  /** The value without parts at a path of keys. */
  default @Nullable Scalar scalar(String... path) {
    return at(path) instanceof Scalar scalar ? scalar : null;
  }

  /** The text at a path of keys, "" if there is none. */
  default String text(String... path) {
    return at(path) instanceof Scalar scalar ? scalar.text() : "";
  }

  /** The items at a path of keys; none if there is no list. */
  default List<Node> items(String... path) {
    return at(path) instanceof Listing list ? list.items() : List.of();
  }
}
