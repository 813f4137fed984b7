package org.inferometer.lint;

import java.util.List;

/**
 * Something wrong in a query.
 *
 * @param kind what the query is for: {@code panel}, {@code alert}, {@code record} ...
 * @param name of the panel, rule or object that it belongs to
 * @param line in the file, from 1
 * @param column in the file in characters, from 1
 * @param offset in the expression in characters, from 0
 * @param expression the whole expression as it stands there
 * @param message what is wrong and what would be right
 * @param edits changes that correct it with certainty; none if nothing is certain
 */
public record Finding(
    String kind,
    String name,
    int line,
    int column,
    int offset,
    String expression,
    LintRule rule,
    Severity severity,
    String message,
    List<Edit> edits) {
  public Finding {
    edits = List.copyOf(edits);
  }

  /** Whether it can be corrected with certainty. */
  public boolean isFixable() {
    return !edits.isEmpty();
  }
}
