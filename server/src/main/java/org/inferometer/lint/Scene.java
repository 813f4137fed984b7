package org.inferometer.lint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Matcher;
import org.inferometer.promql.AggregateOp;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Span;
import org.inferometer.signals.Families.Match;
import org.jspecify.annotations.Nullable;

/** A query that is judged, with all that rules want to know of it. Not thread-safe. */
final class Scene {
  private static final Set<AggregateOp> COMBINING =
      Set.of(AggregateOp.SUM, AggregateOp.AVG, AggregateOp.MIN, AggregateOp.MAX);

  private final SourceFile file;
  private final LintQuery query;
  private final Variables.Filled filled;
  private final Expr root;
  private final World world;
  private final IdentityHashMap<Expr, Expr> parents = new IdentityHashMap<>();
  private final IdentityHashMap<Expr, MetricNames.Judged> judged = new IdentityHashMap<>();
  private final List<Expr> nodes = new ArrayList<>();
  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private final int @Nullable [] charsByByte;
  private final Meanings meanings;

  Scene(SourceFile file, LintQuery query, Variables.Filled filled, Expr root, World world) {
    this.file = file;
    this.query = query;
    this.filled = filled;
    this.root = root;
    this.world = world;
    this.charsByByte = charsByByte(filled.text().text());
    index(root);
    this.meanings = new Meanings(this);
  }

  /** What is the same for all queries of a run. */
  record World(
      MetricNames names,
      Facts facts,
      Map<String, Dialects.Profile> profiles,
      LintOptions options) {}

  /** Spans count bytes of UTF-8; null where these are the characters. */
  private static int @Nullable [] charsByByte(String text) {
    if (text.chars().allMatch(c -> c < 0x80)) {
      return null;
    }
    int[] chars = new int[text.getBytes(StandardCharsets.UTF_8).length + 1];
    int at = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      int bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      Arrays.fill(chars, at, Math.min(at + bytes, chars.length), i);
      at += bytes;
      i += Character.charCount(point);
    }
    chars[chars.length - 1] = text.length();
    return chars;
  }

  private void index(Expr expr) {
    nodes.add(expr);
    if (expr instanceof Expr.VectorSelector selector) {
      String name = nameOf(selector);
      judged.put(
          selector,
          name.isEmpty() || name.contains(Variables.UNKNOWN)
              ? new MetricNames.Foreign()
              : world.names().judge(name, LabelRule.required(selector)));
    }
    for (Expr child : expr.children()) {
      parents.put(child, expr);
      index(child);
    }
  }

  /** The metric that a selector names, "" if it doesn't name one. */
  static String nameOf(Expr.VectorSelector selector) {
    if (!selector.metricName().isEmpty()) {
      return selector.metricName();
    }
    for (Matcher matcher : selector.matchers()) {
      if (matcher.name().equals("__name__") && matcher.type() == Matcher.Type.EQUAL) {
        return matcher.value();
      }
    }
    return "";
  }

  LintQuery query() {
    return query;
  }

  Variables.Filled filled() {
    return filled;
  }

  Expr root() {
    return root;
  }

  World world() {
    return world;
  }

  /** All nodes of the tree, parents first. */
  List<Expr> nodes() {
    return nodes;
  }

  <E extends Expr> List<E> nodes(Class<E> type) {
    return nodes.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Nullable Expr parent(Expr expr) {
    return parents.get(expr);
  }

  /** What is around a node, the nearest first. */
  List<Expr> around(Expr expr) {
    List<Expr> around = new ArrayList<>();
    for (Expr up = parents.get(expr); up != null; up = parents.get(up)) {
      around.add(up);
    }
    return around;
  }

  /** What is around a node and inside of another one that is around it, the nearest first. */
  List<Expr> between(Expr inner, Expr outer) {
    return around(inner).stream().takeWhile(up -> !up.span().equals(outer.span())).toList();
  }

  MetricNames.Judged judged(Expr.VectorSelector selector) {
    return judged.getOrDefault(selector, new MetricNames.Foreign());
  }

  List<Match> matches(Expr.VectorSelector selector) {
    return judged(selector).matches();
  }

  Meaning meaning(Expr expr) {
    return meanings.of(expr);
  }

  /** The first aggregation above a node that puts series together. */
  Expr.@Nullable Aggregate aggregateAbove(Expr expr) {
    for (Expr up : around(expr)) {
      if (up instanceof Expr.Aggregate aggregate && COMBINING.contains(aggregate.op())) {
        return aggregate;
      }
      if (up instanceof Expr.Aggregate) {
        return null;
      }
    }
    return null;
  }

  static Expr inner(Expr expr) {
    return expr instanceof Expr.Paren paren ? inner(paren.inner()) : expr;
  }

  /** The number that an expression is, null if it isn't one. */
  static @Nullable Double number(Expr expr) {
    return inner(expr) instanceof Expr.NumberLiteral literal ? literal.value() : null;
  }

  int start(Span span) {
    return chars(span.start());
  }

  int end(Span span) {
    return chars(span.end());
  }

  private int chars(int bytes) {
    int bound =
        Math.clamp(bytes, 0, charsByByte == null ? text().length() : charsByByte.length - 1);
    return charsByByte == null ? bound : charsByByte[bound];
  }

  /** The query as it reads with its variables filled in. */
  String text() {
    return filled.text().text();
  }

  String text(Expr expr) {
    return text().substring(start(expr.span()), end(expr.span()));
  }

  void report(LintRule rule, Severity severity, Span span, String message, Edit... edits) {
    int place = filled.text().origin()[start(span)];
    Finding finding =
        new Finding(
            query.kind().word(),
            query.name(),
            file.line(place),
            file.column(place),
            offset(place),
            query.expr().text(),
            rule,
            severity,
            message,
            List.of(edits));
    findings.putIfAbsent(rule.id() + " " + start(span) + " " + message, finding);
  }

  /** The place in the expression of one in the file. */
  private int offset(int place) {
    int[] origin = query.expr().origin();
    int found = Arrays.binarySearch(origin, place);
    if (found < 0) {
      return 0;
    }
    while (found > 0 && origin[found - 1] == place) {
      found--;
    }
    return found;
  }

  /** A change of a stretch of the query, null if it doesn't stand in the file as it reads. */
  @Nullable Edit edit(int start, int end, String text) {
    if (!filled.text().exact() || filled.touches(start, end)) {
      return null;
    }
    int[] origin = filled.text().origin();
    return new Edit(origin[start], end == start ? origin[start] : origin[end - 1] + 1, text);
  }

  List<Finding> findings() {
    return List.copyOf(findings.values());
  }
}
