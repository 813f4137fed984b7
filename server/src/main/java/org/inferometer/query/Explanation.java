package org.inferometer.query;

import java.util.List;

/**
 * What one node of a query's tree did while the query was evaluated. Parentheses are no nodes, and
 * what is nested very deep isn't shown.
 *
 * @param expr its text as written, its end cut off if it is long
 * @param start where it stands in the query: byte offset of its first byte
 * @param end byte offset after its last byte
 * @param series series that it selects; of what is no selector, those that it results in
 * @param samples stored samples that were decoded for it and everything below it
 * @param points points of its result over all steps; of a range selector the samples that it read,
 *     each counted once however many windows it lies in
 * @param seconds time from its start to its end, with everything below it. A function over a range
 *     is computed as the windows slide, so its time is for the most part that of its selector
 * @param reused whether its value was taken over from an equal subexpression; it has no children
 *     then
 */
public record Explanation(
    String expr,
    int start,
    int end,
    Kind kind,
    long series,
    long samples,
    long points,
    double seconds,
    boolean reused,
    List<Explanation> children) {
  public Explanation {
    children = List.copyOf(children);
  }

  /** What a node is. */
  public enum Kind {
    SELECTOR("selector"),
    RANGE_SELECTOR("range-selector"),
    SUBQUERY("subquery"),
    CALL("call"),
    AGGREGATION("aggregation"),
    BINARY("binary"),
    UNARY("unary"),
    NUMBER("number"),
    STRING("string");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As the API calls it. */
    public String word() {
      return word;
    }
  }

  /** A result with the node at the top of the tree that gave it. */
  public record Explained(QueryResult result, Explanation root) {}
}
