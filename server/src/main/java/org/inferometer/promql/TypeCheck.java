package org.inferometer.promql;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr.Cardinality;
import org.inferometer.promql.Expr.VectorMatching;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the parts of a tree fit each other, and settles how vectors are matched, which
 * depends on the types of both sides. The first problem is reported, in Prometheus's order.
 */
final class TypeCheck {
  private final String query;

  TypeCheck(String query) {
    this.query = query;
  }

  /** The tree with all matchings settled. */
  Expr check(Expr expr) throws ParseException {
    return switch (expr) {
      case Expr.NumberLiteral number -> number;
      case Expr.StringLiteral string -> string;
      case Expr.Paren paren -> new Expr.Paren(check(paren.inner()), paren.span());
      case Expr.Unary unary -> unary(unary);
      case Expr.Binary binary -> binary(binary);
      case Expr.Aggregate aggregate -> aggregate(aggregate);
      case Expr.Call call -> call(call);
      case Expr.VectorSelector vector -> vector(vector, false);
      case Expr.MatrixSelector matrix -> {
        vector(matrix.selector(), false);
        yield matrix;
      }
      case Expr.Subquery subquery -> subquery(subquery);
    };
  }

  private ParseException error(Span span, String problem) {
    return new ParseException(query, span, problem);
  }

  private static boolean isNumeric(ValueType type) {
    return type == ValueType.SCALAR || type == ValueType.INSTANT_VECTOR;
  }

  private Expr unary(Expr.Unary unary) throws ParseException {
    Expr operand = check(unary.operand());
    ValueType type = operand.type();
    if (!isNumeric(type)) {
      throw error(
          unary.span(),
          "unary expression only allowed on expressions of type scalar or instant vector, got "
              + GoText.quote(type.documented()));
    }
    return new Expr.Unary(unary.minus(), operand, unary.span());
  }

  private Expr subquery(Expr.Subquery subquery) throws ParseException {
    Expr inner = check(subquery.inner());
    ValueType type = inner.type();
    if (type != ValueType.INSTANT_VECTOR) {
      throw error(
          subquery.span(),
          "subquery is only allowed on instant vector, got " + type.shortName() + " instead");
    }
    return new Expr.Subquery(
        inner, subquery.range(), subquery.step(), subquery.shift(), subquery.span());
  }

  private Expr vector(Expr.VectorSelector vector, boolean mayMatchAll) throws ParseException {
    if (!vector.metricName().isEmpty()) {
      checkNamedOnce(vector);
      return vector;
    }
    checkNamedOnceInBraces(vector);
    if (!mayMatchAll && vector.matchers().stream().allMatch(Matcher::matchesEmpty)) {
      throw error(vector.span(), "vector selector must contain at least one non-empty matcher");
    }
    return vector;
  }

  private void checkNamedOnce(Expr.VectorSelector vector) throws ParseException {
    List<Matcher> beforeLast = vector.matchers().subList(0, vector.matchers().size() - 1);
    long names = vector.matchers().stream().filter(m -> m.name().equals(Labels.NAME)).count();
    for (Matcher matcher : beforeLast) {
      if (names > 1 && matcher.name().equals(Labels.NAME)) {
        throw namedTwice(vector, vector.metricName(), matcher.value());
      }
    }
  }

  /** Other matchers of the name than equality may be combined as one likes. */
  private void checkNamedOnceInBraces(Expr.VectorSelector vector) throws ParseException {
    List<Matcher> names =
        vector.matchers().stream()
            .filter(m -> m.name().equals(Labels.NAME) && m.type() == Matcher.Type.EQUAL)
            .toList();
    if (names.size() > 1) {
      throw namedTwice(vector, names.get(0).value(), names.get(1).value());
    }
  }

  private ParseException namedTwice(Expr.VectorSelector vector, String name, String other) {
    return error(
        vector.span(),
        "metric name must not be set twice: " + GoText.quote(name) + " or " + GoText.quote(other));
  }

  private Expr aggregate(Expr.Aggregate aggregate) throws ParseException {
    Expr operand = expect(aggregate.operand(), ValueType.INSTANT_VECTOR, "aggregation expression");
    Expr parameter = aggregate.parameter();
    ValueType wanted = aggregate.op().parameter();
    if (parameter != null && wanted != null) {
      parameter = expect(parameter, wanted, "aggregation parameter");
    }
    return new Expr.Aggregate(
        aggregate.op(),
        operand,
        parameter,
        aggregate.grouping(),
        aggregate.without(),
        aggregate.span());
  }

  private Expr expect(Expr expr, ValueType wanted, String context) throws ParseException {
    Expr checked = check(expr);
    return expectType(checked, wanted, context);
  }

  private Expr expectType(Expr checked, ValueType wanted, String context) throws ParseException {
    ValueType type = checked.type();
    if (type != wanted) {
      throw error(
          checked.span(),
          "expected type " + wanted.documented() + " in " + context + ", got " + type.documented());
    }
    return checked;
  }

  private Expr call(Expr.Call call) throws ParseException {
    FunctionSignature function = call.function();
    checkCount(call);
    boolean info = function.name().equals("info");
    if (info && call.arguments().size() > 1) {
      checkInfoSelector(call, call.arguments().get(1));
    }
    List<Expr> arguments = new ArrayList<>(call.arguments().size());
    for (int i = 0; i < call.arguments().size(); i++) {
      Expr argument = call.arguments().get(i);
      Expr checked =
          info && i == 1 && argument instanceof Expr.VectorSelector vector
              ? vector(vector, true)
              : check(argument);
      arguments.add(
          expectType(
              checked, function.argument(i), "call to function " + GoText.quote(function.name())));
    }
    return new Expr.Call(function, arguments, call.span());
  }

  private void checkCount(Expr.Call call) throws ParseException {
    FunctionSignature function = call.function();
    int min = function.minArguments();
    int max = function.maxArguments();
    int given = call.arguments().size();
    if (given < min || given > max) {
      String bound = min == max ? "" : given < min ? "at least " : "at most ";
      throw error(
          call.span(),
          "expected "
              + bound
              + (given < min ? min : max)
              + " argument(s) in call to "
              + GoText.quote(function.name())
              + ", got "
              + given);
    }
  }

  private void checkInfoSelector(Expr.Call call, Expr selector) throws ParseException {
    ValueType type = selector.type();
    if (type != ValueType.INSTANT_VECTOR) {
      throw error(
          call.span(),
          "expected type instant vector in call to function \"info\", got " + type.documented());
    }
    if (!(selector instanceof Expr.VectorSelector vector)) {
      throw error(selector.span(), "expected label selectors only");
    }
    if (!vector.metricName().isEmpty()) {
      throw error(selector.span(), "expected label selectors only, got vector selector instead");
    }
  }

  private Expr binary(Expr.Binary binary) throws ParseException {
    Expr left = check(binary.left());
    Expr right = check(binary.right());
    checkBool(binary, left.type(), right.type());
    VectorMatching matching = binary.matching();
    if (matching != null) {
      checkLabels(binary, matching);
    }
    checkOperand(left);
    checkOperand(right);
    boolean vectors =
        left.type() == ValueType.INSTANT_VECTOR && right.type() == ValueType.INSTANT_VECTOR;
    return new Expr.Binary(
        binary.op(),
        left,
        right,
        binary.returnBool(),
        matching == null
            ? null
            : vectors ? ofVectors(binary, matching) : ofScalar(binary, matching),
        binary.span());
  }

  private void checkBool(Expr.Binary binary, ValueType left, ValueType right)
      throws ParseException {
    boolean comparison = binary.op().isComparison();
    if (binary.returnBool() && !comparison) {
      throw error(opSpan(binary), "bool modifier can only be used on comparison operators");
    }
    boolean scalars = left == ValueType.SCALAR && right == ValueType.SCALAR;
    if (comparison && !binary.returnBool() && scalars) {
      throw error(opSpan(binary), "comparisons between scalars must use BOOL modifier");
    }
  }

  private void checkLabels(Expr.Binary binary, VectorMatching matching) throws ParseException {
    for (String label : matching.labels()) {
      if (matching.on() && matching.include().contains(label)) {
        throw error(
            opSpan(binary),
            "label " + GoText.quote(label) + " must not occur in ON and GROUP clause at once");
      }
    }
  }

  private void checkOperand(Expr operand) throws ParseException {
    if (!isNumeric(operand.type())) {
      throw error(
          operand.span(), "binary expression must contain only scalar and instant vector types");
    }
  }

  /** A scalar has nothing to match. */
  private @Nullable VectorMatching ofScalar(Expr.Binary binary, VectorMatching matching)
      throws ParseException {
    if (!matching.labels().isEmpty()) {
      throw error(binary.span(), "vector matching only allowed between instant vectors");
    }
    if (hasFill(matching)) {
      throw error(binary.span(), "filling in missing series only allowed between instant vectors");
    }
    if (binary.op().isSet()) {
      throw error(
          binary.span(),
          "set operator "
              + GoText.quote(binary.op().symbol())
              + " not allowed in binary scalar expression");
    }
    return null;
  }

  private VectorMatching ofVectors(Expr.Binary binary, VectorMatching matching)
      throws ParseException {
    if (!binary.op().isSet()) {
      return matching;
    }
    if (matching.cardinality() == Cardinality.ONE_TO_MANY
        || matching.cardinality() == Cardinality.MANY_TO_ONE) {
      throw error(
          binary.span(),
          "no grouping allowed for " + GoText.quote(binary.op().symbol()) + " operation");
    }
    if (hasFill(matching)) {
      throw error(binary.span(), "filling in missing series not allowed for set operators");
    }
    return new VectorMatching(
        Cardinality.MANY_TO_MANY, matching.on(), matching.labels(), List.of(), null, null);
  }

  private static boolean hasFill(VectorMatching matching) {
    return matching.fillLeft() != null || matching.fillRight() != null;
  }

  /** The operator: what stands between the operands, without blanks. */
  private Span opSpan(Expr.Binary binary) {
    byte[] bytes = query.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    int start = binary.left().span().end();
    while (start < bytes.length && bytes[start] <= ' ' && bytes[start] >= 0) {
      start++;
    }
    return new Span(start, Math.max(start, binary.right().span().start()));
  }
}
