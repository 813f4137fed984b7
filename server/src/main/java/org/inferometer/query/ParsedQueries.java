package org.inferometer.query;

import java.util.LinkedHashMap;
import java.util.Map;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ParserOptions;
import org.jspecify.annotations.Nullable;

/**
 * Trees of the queries that were asked last: dashboards, rules and looks for causes ask the same
 * texts time and again. Thread-safe.
 */
final class ParsedQueries {
  /** Of all texts together; a tree takes some times the memory of its text. */
  private static final int CHARS_MAX = 1_000_000;

  /** A longer text is rather asked once. */
  private static final int LENGTH_MAX = 20_000;

  private final ParserOptions options;

  /** By text, the one asked longest ago first. Guarded by its monitor, as is their length. */
  private final LinkedHashMap<String, Expr> trees = new LinkedHashMap<>(16, 0.75f, true);

  private int chars;

  ParsedQueries(ParserOptions options) {
    this.options = options;
  }

  /** A query's tree. */
  Expr parse(String query) throws ParseException {
    Expr known = find(query);
    if (known != null) {
      return known;
    }
    Expr tree = Parser.parse(query, options);
    if (query.length() <= LENGTH_MAX) {
      keep(query, tree);
    }
    return tree;
  }

  private @Nullable Expr find(String query) {
    synchronized (trees) {
      return trees.get(query);
    }
  }

  private void keep(String query, Expr tree) {
    synchronized (trees) {
      if (trees.put(query, tree) == null) {
        chars += query.length();
      }
      var eldest = trees.entrySet().iterator();
      while (chars > CHARS_MAX) {
        Map.Entry<String, Expr> oldest = eldest.next();
        chars -= oldest.getKey().length();
        eldest.remove();
      }
    }
  }

  /** How many are kept. */
  int count() {
    synchronized (trees) {
      return trees.size();
    }
  }
}
