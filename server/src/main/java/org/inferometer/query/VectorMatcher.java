package org.inferometer.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Labels;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Expr.Cardinality;
import org.inferometer.promql.Expr.VectorMatching;
import org.inferometer.query.Value.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the elements of two vectors by their labels and applies an operator to each pair.
 *
 * <p>The rows of both sides are put into match groups once. Where a group has one row on each side,
 * which is the rule, the two columns are combined in one go. Only where it has several, each step
 * is looked at for elements that may not be there together.
 *
 * <p>"Many" and "one" are the two sides by cardinality; for one-to-one the left side counts as
 * many.
 */
final class VectorMatcher {
  private final Expr.Binary expr;
  private final VectorMatching matching;
  private final EngineNames names;
  private final Steps steps;
  private final boolean swapped;
  private final Grouping.Key key;
  private final boolean filters;
  private final Arithmetic.@Nullable Comparison comparison;

  /** Null if there is none on floats. */
  private final Arithmetic.@Nullable Operation operation;

  private final HistogramOperator onHistograms;
  private final Evaluation evaluation;

  /** Rows that have a value to fill with at each step. */
  private final Map<Double, Row> fillings = new HashMap<>();

  VectorMatcher(
      Expr.Binary expr,
      VectorMatching matching,
      EngineNames names,
      Steps steps,
      HistogramOperator onHistograms,
      Evaluation evaluation) {
    this.evaluation = evaluation;
    this.onHistograms = onHistograms;
    this.expr = expr;
    this.matching = matching;
    this.names = names;
    this.steps = steps;
    this.swapped = matching.cardinality() == Cardinality.ONE_TO_MANY;
    this.key = Grouping.key(matching.labels(), !matching.on());
    this.filters = expr.op().isComparison() && !expr.returnBool();
    this.comparison = filters ? Arithmetic.comparison(expr.op()) : null;
    this.operation =
        expr.op().kind() == BinaryOp.Kind.TRIM ? null : Arithmetic.operation(expr.op());
  }

  /** The rows of one match group. */
  private static final class Group {
    private final List<Row> many = new ArrayList<>(1);
    private final List<Row> one = new ArrayList<>(1);
    private final Labels labels;

    Group(Labels labels) {
      this.labels = labels;
    }
  }

  /** What a pair of rows gives; the match group tells apart two kinds of conflict. */
  private record Target(Labels labels, boolean nameDropped, Group group) {}

  Rows apply(Rows left, Rows right) {
    List<Row> many = swapped ? right.rows() : left.rows();
    List<Row> one = swapped ? left.rows() : right.rows();
    Map<Labels, Group> groups = new LinkedHashMap<>();
    for (Row row : many) {
      groups.computeIfAbsent(key.of(row.labels()), Group::new).many.add(row);
    }
    for (Row row : one) {
      groups.computeIfAbsent(key.of(row.labels()), Group::new).one.add(row);
    }
    boolean[] evaluated = evaluated(many, one);
    Map<Target, Row> results = new LinkedHashMap<>();
    for (Group group : groups.values()) {
      evaluation.check();
      if (group.many.size() == 1 && group.one.size() == 1 && !fills()) {
        pair(group, group.many.getFirst(), group.one.getFirst(), results);
      } else {
        new Conflicts(group, evaluated, results).combine();
      }
    }
    return Rows.of(List.copyOf(results.values())).withoutEmpty();
  }

  private boolean fills() {
    return matching.fillLeft() != null || matching.fillRight() != null;
  }

  /** The steps at which anything is evaluated at all: an empty side, nothing filled, ends it. */
  private boolean[] evaluated(List<Row> many, List<Row> one) {
    boolean[] steps = anyPresent(many);
    boolean[] other = anyPresent(one);
    for (int i = 0; i < steps.length; i++) {
      steps[i] = fills() ? steps[i] || other[i] : steps[i] && other[i];
    }
    return steps;
  }

  private boolean[] anyPresent(List<Row> rows) {
    boolean[] any = new boolean[steps.count()];
    for (Row row : rows) {
      for (int i = 0; i < any.length; i++) {
        any[i] |= row.isPresent(i);
      }
    }
    return any;
  }

  private void pair(Group group, Row many, Row one, Map<Target, Row> results) {
    Row out = result(group, many, one, results);
    for (int i = 0; i < steps.count(); i++) {
      if (many.isPresent(i) && one.isPresent(i)) {
        combine(i, many, one, out);
      }
    }
  }

  private void combine(int step, Row many, Row one, Row out) {
    Row left = swapped ? one : many;
    Row right = swapped ? many : one;
    if (operation != null && left.isFloat(step) && right.isFloat(step)) {
      combine(step, left.value(step), right.value(step), out);
    } else {
      onHistograms.apply(
          step,
          left.value(step),
          left.histogram(step),
          right.value(step),
          right.histogram(step),
          out);
    }
  }

  private void combine(int step, double left, double right, Row out) {
    if (comparison == null) {
      if (operation != null) {
        out.set(step, operation.of(left, right));
      }
    } else if (comparison.of(left, right)) {
      out.set(step, left);
    }
  }

  private Row result(Group group, Row many, @Nullable Row one, Map<Target, Row> results) {
    return results.computeIfAbsent(target(group, many, one), this::newRow);
  }

  /** There may be one for each pair of rows, so far more than there are rows. */
  private Row newRow(Target target) {
    evaluation.check();
    evaluation.budget().acquire(steps.count());
    evaluation.budget().acquireRows(1);
    return new Row(target.labels(), target.nameDropped(), steps.count());
  }

  private Target target(Group group, Row many, @Nullable Row one) {
    Labels labels = many.labels();
    if (expr.op().kind() == BinaryOp.Kind.ARITHMETIC) {
      labels = EngineNames.withoutName(labels);
    }
    if (matching.cardinality() == Cardinality.ONE_TO_ONE) {
      labels = matching.on() ? labels.only(matching.labels()) : labels.without(matching.labels());
    }
    if (!matching.include().isEmpty()) {
      // A filled element has the labels of its match group only.
      Labels included = one == null ? group.labels : one.labels();
      Labels.Builder builder = labels.toBuilder();
      for (String name : matching.include()) {
        builder.set(name, included.get(name));
      }
      labels = builder.build();
    }
    Row named = new Row(labels, many.nameDropped(), 0);
    Row result = expr.returnBool() ? names.dropped(named) : named;
    return new Target(result.labels(), result.nameDropped(), group);
  }

  /** A match group with several rows on a side, or with gaps to fill, step by step. */
  private final class Conflicts {
    private final Group group;
    private final boolean[] evaluated;
    private final Map<Target, Row> results;
    private final Map<Long, Row> outByPair = new HashMap<>();
    private final IdentityHashMap<Row, boolean[]> matched = new IdentityHashMap<>();

    Conflicts(Group group, boolean[] evaluated, Map<Target, Row> results) {
      this.group = group;
      this.evaluated = evaluated;
      this.results = results;
    }

    void combine() {
      for (int i = 0; i < steps.count(); i++) {
        evaluation.check();
        if (evaluated[i]) {
          step(i);
        }
      }
    }

    private void step(int i) {
      int one = onlyOne(i);
      boolean any = false;
      for (int m = 0; m < group.many.size(); m++) {
        Row many = group.many.get(m);
        if (many.isPresent(i)) {
          matchMany(i, m, many, one, any);
          any = true;
        }
      }
      @Nullable Double fill = swapped ? matching.fillRight() : matching.fillLeft();
      if (!any && one >= 0 && fill != null) {
        Row oneRow = group.one.get(one);
        // A filled element has the labels of its match group only.
        Row filled = new Row(group.labels, oneRow.nameDropped(), 0);
        emit(i, filling(fill), oneRow, result(group, filled, oneRow, results));
      }
    }

    private void matchMany(int i, int m, Row many, int one, boolean another) {
      @Nullable Double fill = swapped ? matching.fillLeft() : matching.fillRight();
      if (one < 0 && fill == null) {
        return;
      }
      if (another && matching.cardinality() == Cardinality.ONE_TO_ONE) {
        throw Abort.execution(
            "multiple matches for labels: many-to-one matching must be explicit"
                + " (group_left/group_right)");
      }
      Row oneRow = one < 0 ? null : group.one.get(one);
      Row out =
          outByPair.computeIfAbsent(
              ((long) m << 32) | (one + 1), pair -> result(group, many, oneRow, results));
      emit(i, many, oneRow == null ? filling(fill) : oneRow, out);
    }

    private Row filling(@Nullable Double fill) {
      return fillings.computeIfAbsent(fill == null ? Double.NaN : fill, this::newFilling);
    }

    private Row newFilling(double fill) {
      Row one = new Row(Labels.EMPTY, false, 1);
      one.set(0, fill);
      return one.repeat(steps.count());
    }

    /** A pair counts as a match before a comparison may filter it out. */
    private void emit(int i, Row many, Row one, Row out) {
      boolean[] seen = matched.computeIfAbsent(out, row -> new boolean[steps.count()]);
      if (seen[i]) {
        throw Abort.execution(
            "multiple matches for labels: grouping labels must ensure unique matches");
      }
      seen[i] = true;
      VectorMatcher.this.combine(i, many, one, out);
    }

    /** The index of the one row that is there at a step, or -1. */
    private int onlyOne(int i) {
      int found = -1;
      for (int k = 0; k < group.one.size(); k++) {
        if (group.one.get(k).isPresent(i)) {
          if (found >= 0) {
            throw duplicate(group.one.get(k), group.one.get(found));
          }
          found = k;
        }
      }
      return found;
    }

    private Abort duplicate(Row later, Row earlier) {
      Labels matchLabels =
          matching.on()
              ? later.labels().only(matching.labels())
              : later.labels().without(Labels.NAME).without(matching.labels());
      return Abort.execution(
          "found duplicate series for the match group "
              + matchLabels.inBraces()
              + " on the "
              + (swapped ? "left" : "right")
              + " hand-side of the operation: ["
              + later.labels().inBraces()
              + ", "
              + earlier.labels().inBraces()
              + "];many-to-many matching not allowed: matching labels must be unique on one side");
    }
  }
}
