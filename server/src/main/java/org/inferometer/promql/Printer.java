package org.inferometer.promql;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Names;
import org.inferometer.model.Utf8Order;
import org.inferometer.promql.Expr.At;
import org.inferometer.promql.Expr.Cardinality;
import org.inferometer.promql.Expr.RangeExtension;
import org.inferometer.promql.Expr.TimeShift;
import org.inferometer.promql.Expr.VectorMatching;

/**
 * Turns a tree back to text that parses to the same tree, spans and the order of matchers aside, in
 * the form that Prometheus prints. Offsets of zero aren't part of a tree.
 */
public final class Printer {
  private Printer() {}

  /** On one line. */
  public static String print(Expr expr) {
    return switch (expr) {
      case Expr.NumberLiteral number -> number(number.value(), number.writtenAsDuration());
      case Expr.StringLiteral string -> GoText.quote(string.value());
      case Expr.Paren paren -> "(" + print(paren.inner()) + ")";
      case Expr.Unary unary -> sign(unary) + print(unary.operand());
      case Expr.Binary binary ->
          leftOperand(binary) + " " + operator(binary) + " " + print(binary.right());
      case Expr.Aggregate aggregate -> aggregation(aggregate) + "(" + operands(aggregate) + ")";
      case Expr.Call call -> call.function().name() + "(" + join(call.arguments()) + ")";
      case Expr.VectorSelector vector ->
          selector(vector)
              + at(vector.shift())
              + extension(vector.extension())
              + offset(vector.shift());
      case Expr.MatrixSelector matrix -> matrix(matrix);
      case Expr.Subquery subquery -> print(subquery.inner()) + window(subquery);
    };
  }

  /** Over several lines where it is long, two blanks of indentation a level. */
  public static String pretty(Expr expr) {
    return PrettyPrinter.print(expr, 0);
  }

  /** A sign in front of a power would be that of the result, so infinity goes without. */
  static String leftOperand(Expr.Binary binary) {
    boolean infinity =
        binary.op() == BinaryOp.POWER
            && binary.left() instanceof Expr.NumberLiteral number
            && number.value() == Double.POSITIVE_INFINITY;
    return infinity ? "Inf" : print(binary.left());
  }

  static String sign(Expr.Unary unary) {
    return unary.minus() ? "-" : "+";
  }

  private static String join(List<Expr> exprs) {
    return exprs.stream().map(Printer::print).collect(Collectors.joining(", "));
  }

  private static String number(double value, boolean duration) {
    return duration ? Durations.format(Math.round(value * 1000)) : FloatFormat.plain(value);
  }

  private static String operands(Expr.Aggregate aggregate) {
    return (aggregate.parameter() == null ? "" : print(aggregate.parameter()) + ", ")
        + print(aggregate.operand());
  }

  /** The name and the grouping of an aggregation. */
  static String aggregation(Expr.Aggregate aggregate) {
    String name = aggregate.op().keyword();
    if (aggregate.without()) {
      return name + " without (" + labels(aggregate.grouping()) + ") ";
    }
    return aggregate.grouping().isEmpty()
        ? name
        : name + " by (" + labels(aggregate.grouping()) + ") ";
  }

  private static String labels(List<String> names) {
    return names.stream().map(Printer::label).collect(Collectors.joining(", "));
  }

  private static String label(String name) {
    return Names.isLegacyLabelName(name) ? name : GoText.quote(name);
  }

  /** The operator of a binary expression with its modifiers. */
  static String operator(Expr.Binary binary) {
    return binary.op().symbol()
        + (binary.returnBool() ? " bool" : "")
        + (binary.matching() == null ? "" : matching(binary.matching()));
  }

  private static String matching(VectorMatching matching) {
    Cardinality cardinality = matching.cardinality();
    boolean grouped =
        cardinality == Cardinality.MANY_TO_ONE || cardinality == Cardinality.ONE_TO_MANY;
    StringBuilder text = new StringBuilder();
    if (grouped || matching.on() || !matching.labels().isEmpty()) {
      text.append(matching.on() ? " on (" : " ignoring (");
      text.append(labels(matching.labels())).append(')');
    }
    if (grouped) {
      text.append(cardinality == Cardinality.MANY_TO_ONE ? " group_left (" : " group_right (");
      text.append(labels(matching.include())).append(')');
    }
    return text + fill(matching);
  }

  private static String fill(VectorMatching matching) {
    Double left = matching.fillLeft();
    Double right = matching.fillRight();
    if (left != null && left.equals(right)) {
      return " fill (" + FloatFormat.general(left) + ")";
    }
    return (left == null ? "" : " fill_left (" + FloatFormat.general(left) + ")")
        + (right == null ? "" : " fill_right (" + FloatFormat.general(right) + ")");
  }

  private static String selector(Expr.VectorSelector vector) {
    String name = vector.metricName();
    boolean plain = Names.isLegacyMetricName(name);
    String matchers =
        vector.matchers().stream()
            .filter(m -> name.isEmpty() || !isName(m, name))
            .map(Printer::matcher)
            .sorted(Utf8Order.INSTANCE)
            .collect(Collectors.joining(","));
    if (name.isEmpty()) {
      return "{" + matchers + "}";
    }
    if (plain) {
      return matchers.isEmpty() ? name : name + "{" + matchers + "}";
    }
    return "{" + GoText.quote(name) + (matchers.isEmpty() ? "" : "," + matchers) + "}";
  }

  private static boolean isName(Matcher matcher, String name) {
    return matcher.name().equals(Labels.NAME)
        && matcher.type() == Matcher.Type.EQUAL
        && matcher.value().equals(name);
  }

  private static String matcher(Matcher matcher) {
    return label(matcher.name()) + matcher.type().symbol() + GoText.quote(matcher.value());
  }

  private static String matrix(Expr.MatrixSelector matrix) {
    Expr.VectorSelector vector = matrix.selector();
    return selector(vector)
        + "["
        + duration(matrix.range())
        + "]"
        + extension(vector.extension())
        + at(vector.shift())
        + offset(vector.shift());
  }

  /** Brackets and modifiers of a subquery. */
  static String window(Expr.Subquery subquery) {
    return "["
        + duration(subquery.range())
        + ":"
        + (subquery.step() == null ? "" : duration(subquery.step()))
        + "]"
        + at(subquery.shift())
        + offset(subquery.shift());
  }

  private static String extension(RangeExtension extension) {
    return switch (extension) {
      case NONE -> "";
      case ANCHORED -> " anchored";
      case SMOOTHED -> " smoothed";
    };
  }

  private static String at(TimeShift shift) {
    return switch (shift.at()) {
      case null -> "";
      case At.Instant instant ->
          " @ "
              + BigDecimal.valueOf(instant.timestampMs(), 3)
                  .setScale(3, RoundingMode.UNNECESSARY)
                  .toPlainString();
      case At.Start start -> " @ start()";
      case At.End end -> " @ end()";
    };
  }

  private static String offset(TimeShift shift) {
    return shift.offset() == null ? "" : " offset " + duration(shift.offset());
  }

  private static String duration(DurationExpr duration) {
    return switch (duration) {
      case DurationExpr.Fixed fixed -> Durations.format(fixed.durationMs());
      case DurationExpr.Computed computed -> term(computed.term());
    };
  }

  private static String term(DurationExpr.Term term) {
    return switch (term) {
      case DurationExpr.Literal literal -> number(literal.value(), literal.writtenAsDuration());
      case DurationExpr.Step step -> "step()";
      case DurationExpr.QueryRange range -> "range()";
      case DurationExpr.Negation negation -> "-" + term(negation.operand());
      case DurationExpr.Group group -> "(" + term(group.inner()) + ")";
      case DurationExpr.Extreme extreme ->
          (extreme.larger() ? "max_of(" : "min_of(")
              + term(extreme.left())
              + ", "
              + term(extreme.right())
              + ")";
      case DurationExpr.Arithmetic arithmetic ->
          term(arithmetic.left()) + " " + arithmetic.op().symbol() + " " + term(arithmetic.right());
    };
  }
}
