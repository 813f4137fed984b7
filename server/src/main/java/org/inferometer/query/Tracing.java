package org.inferometer.query;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.inferometer.model.Labels;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Span;
import org.inferometer.query.Value.Numbers;
import org.inferometer.query.Value.Rows;
import org.inferometer.query.Value.Words;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/** A trace that remembers, and explains the query by it. */
final class Tracing implements Trace {
  /** Characters of a node's text that are shown. */
  private static final int TEXT_MAX = 500;

  /** Nodes below each other that are shown; what is deeper is part of the lowest. */
  private static final int DEPTH_MAX = 100;

  private final Ticker ticker;
  private final byte[] query;
  private final IdentityHashMap<Expr, Measure> measures = new IdentityHashMap<>();
  private final Deque<Measure> open = new ArrayDeque<>();

  Tracing(String query, Ticker ticker) {
    this.query = query.getBytes(StandardCharsets.UTF_8);
    this.ticker = ticker;
  }

  /** What is known of one node. */
  private static final class Measure {
    /** Decoded for the node itself; by any thread. */
    private final LongAdder samples = new LongAdder();

    private long enteredNanos;
    private long nanos;
    private long selected = -1;
    private long resulting;
    private long points;
    private boolean reused;

    long series() {
      return selected >= 0 ? selected : resulting;
    }

    void addRows(List<Row> rows) {
      resulting = rows.size();
      points = 0;
      for (Row row : rows) {
        points += row.points();
      }
    }
  }

  @Override
  public void enter(Expr node) {
    Measure measure = measures.computeIfAbsent(node, _ -> new Measure());
    measure.enteredNanos = ticker.nanos();
    open.push(measure);
  }

  @Override
  public void leave(Value value) {
    Measure measure = left();
    switch (value) {
      case Numbers numbers -> {
        measure.resulting = 1;
        measure.points = numbers.values().length;
      }
      case Words _ -> measure.resulting = 0;
      case Rows rows -> measure.addRows(rows.rows());
    }
  }

  @Override
  public void leave(List<Row> range) {
    Measure measure = left();
    if (measure.selected >= 0) {
      measure.points = measure.samples.sum();
    } else {
      measure.addRows(range);
    }
  }

  private Measure left() {
    Measure measure = open.pop();
    measure.nanos += ticker.nanos() - measure.enteredNanos;
    return measure;
  }

  @Override
  public List<Series> selected(List<Series> series) {
    Measure measure = open.peek();
    if (measure == null) {
      return series;
    }
    measure.selected = Math.max(0, measure.selected) + series.size();
    List<Series> counted = new ArrayList<>(series.size());
    for (Series one : series) {
      counted.add(new CountedSeries(one, measure.samples));
    }
    return counted;
  }

  /** A series that counts what is read from it. */
  private record CountedSeries(Series series, LongAdder samples) implements Series {
    @Override
    public Labels labels() {
      return series.labels();
    }

    @Override
    public void read(long fromMs, long toMs, SampleColumns into) {
      int before = into.size();
      series.read(fromMs, toMs, into);
      samples.add(into.size() - before);
    }
  }

  @Override
  public void reused() {
    Measure measure = open.peek();
    if (measure != null) {
      measure.reused = true;
    }
  }

  /** The tree below an expression that was evaluated, with what was seen of each node. */
  Explanation explain(Expr expr) {
    return explain(expr, DEPTH_MAX);
  }

  private Explanation explain(Expr expr, int depth) {
    Expr node = ExprTree.unwrap(expr);
    @Nullable Measure seen = measures.get(node);
    Measure measure = seen == null ? new Measure() : seen;
    List<Explanation> children = new ArrayList<>();
    if (!measure.reused && depth > 1) {
      for (Expr child : children(node)) {
        children.add(explain(child, depth - 1));
      }
    }
    long samples = measure.samples.sum();
    for (Explanation child : children) {
      samples += child.samples();
    }
    return new Explanation(
        text(node.span()),
        node.span().start(),
        node.span().end(),
        kind(node),
        measure.series(),
        samples,
        measure.points,
        measure.nanos / 1e9,
        measure.reused,
        children);
  }

  private String text(Span span) {
    int from = Math.clamp(span.start(), 0, query.length);
    int to = Math.clamp(span.end(), from, query.length);
    String text = new String(query, from, to - from, StandardCharsets.UTF_8);
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
  }

  /** The selector of a range selector is part of it. */
  private static List<Expr> children(Expr node) {
    return node instanceof Expr.MatrixSelector ? List.of() : node.children();
  }

  private static Explanation.Kind kind(Expr node) {
    return switch (node) {
      case Expr.NumberLiteral _ -> Explanation.Kind.NUMBER;
      case Expr.StringLiteral _ -> Explanation.Kind.STRING;
      case Expr.Unary _ -> Explanation.Kind.UNARY;
      case Expr.Binary _ -> Explanation.Kind.BINARY;
      case Expr.Aggregate _ -> Explanation.Kind.AGGREGATION;
      case Expr.Call _ -> Explanation.Kind.CALL;
      case Expr.VectorSelector _ -> Explanation.Kind.SELECTOR;
      case Expr.MatrixSelector _ -> Explanation.Kind.RANGE_SELECTOR;
      case Expr.Subquery _ -> Explanation.Kind.SUBQUERY;
      case Expr.Paren paren -> kind(paren.inner());
    };
  }
}
