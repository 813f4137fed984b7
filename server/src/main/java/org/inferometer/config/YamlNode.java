package org.inferometer.config;

import java.util.List;

/** A piece of a YAML document that knows where it stands; lines and columns count from 1. */
sealed interface YamlNode {
  int line();

  int column();

  /** What it is, for people. */
  String describe();

  /** How many nodes it would be if every alias in it were written out. */
  long weight();

  /**
   * Text as it stands in the document, quotes and escapes undone.
   *
   * @param absent whether it is nothing, {@code ~} or {@code null} without quotes
   */
  record Scalar(int line, int column, String text, boolean absent) implements YamlNode {
    private static final int SHOWN = 60;

    @Override
    public String describe() {
      if (absent) {
        return "nothing";
      }
      return '"' + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text) + '"';
    }

    @Override
    public long weight() {
      return 1;
    }
  }

  /** Nodes in a row. */
  record Sequence(int line, int column, List<YamlNode> items, long weight) implements YamlNode {
    @Override
    public String describe() {
      return "a list";
    }
  }

  /** Keys and their values, in the order of the document. */
  record Mapping(int line, int column, List<Entry> entries, long weight) implements YamlNode {
    @Override
    public String describe() {
      return "a mapping";
    }
  }

  /** A key and its value. */
  record Entry(Scalar key, YamlNode value) {}
}
