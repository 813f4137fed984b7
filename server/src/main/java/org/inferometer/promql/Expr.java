package org.inferometer.promql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.inferometer.model.Matcher;
import org.jspecify.annotations.Nullable;

/** A node of a parsed query. {@code Printer} turns it back to text that parses to the same tree. */
public sealed interface Expr {
  Span span();

  /** What it evaluates to; of a binary operation whose sides don't fit, a guess. */
  default ValueType type() {
    return switch (this) {
      case NumberLiteral number -> ValueType.SCALAR;
      case StringLiteral string -> ValueType.STRING;
      case Paren paren -> paren.inner().type();
      case Unary unary -> unary.operand().type();
      case Binary binary ->
          binary.left().type() == ValueType.SCALAR && binary.right().type() == ValueType.SCALAR
              ? ValueType.SCALAR
              : ValueType.INSTANT_VECTOR;
      case Aggregate aggregate -> ValueType.INSTANT_VECTOR;
      case Call call -> call.function().result();
      case VectorSelector vector -> ValueType.INSTANT_VECTOR;
      case MatrixSelector matrix -> ValueType.RANGE_VECTOR;
      case Subquery subquery -> ValueType.RANGE_VECTOR;
    };
  }

  /** The nodes right below, an aggregation's parameter behind its operand. */
  default List<Expr> children() {
    return switch (this) {
      case NumberLiteral _, StringLiteral _, VectorSelector _ -> List.of();
      case Paren paren -> List.of(paren.inner());
      case Unary unary -> List.of(unary.operand());
      case Binary binary -> List.of(binary.left(), binary.right());
      case Aggregate(_, Expr operand, Expr parameter, _, _, _) ->
          parameter == null ? List.of(operand) : List.of(operand, parameter);
      case Call call -> call.arguments();
      case MatrixSelector matrix -> List.of(matrix.selector());
      case Subquery subquery -> List.of(subquery.inner());
    };
  }

  /** Every instant selector in the tree, those of range selectors included. */
  default List<VectorSelector> selectors() {
    List<VectorSelector> found = new ArrayList<>();
    Deque<Expr> open = new ArrayDeque<>(List.of(this));
    while (!open.isEmpty()) {
      Expr next = open.pop();
      if (next instanceof VectorSelector selector) {
        found.add(selector);
      }
      next.children().reversed().forEach(open::push);
    }
    return found;
  }

  /** A number; durations in numeric places count in seconds. */
  record NumberLiteral(double value, boolean writtenAsDuration, Span span) implements Expr {}

  record StringLiteral(String value, Span span) implements Expr {}

  record Paren(Expr inner, Span span) implements Expr {}

  /** {@code +e} or {@code -e}. */
  record Unary(boolean minus, Expr operand, Span span) implements Expr {}

  /**
   * @param matching how vectors are matched; present exactly if both sides are instant vectors
   */
  record Binary(
      BinaryOp op,
      Expr left,
      Expr right,
      boolean returnBool,
      @Nullable VectorMatching matching,
      Span span)
      implements Expr {}

  /**
   * @param parameter of topk, bottomk, limitk, limit_ratio, quantile, count_values; else null
   * @param grouping label names, as written
   * @param without whether {@code grouping} is what to leave out instead of what to keep
   */
  record Aggregate(
      AggregateOp op,
      Expr operand,
      @Nullable Expr parameter,
      List<String> grouping,
      boolean without,
      Span span)
      implements Expr {
    public Aggregate {
      grouping = List.copyOf(grouping);
    }
  }

  record Call(FunctionSignature function, List<Expr> arguments, Span span) implements Expr {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * An instant selector.
   *
   * @param metricName as written before the braces or quoted inside; empty if only matchers name it
   * @param matchers all of them, the one on {@code __name__} included
   */
  record VectorSelector(
      String metricName,
      List<Matcher> matchers,
      TimeShift shift,
      RangeExtension extension,
      Span span)
      implements Expr {
    public VectorSelector {
      matchers = List.copyOf(matchers);
    }
  }

  /**
   * A range selector {@code selector[range]}; offset, @ and extension are those of its selector.
   */
  record MatrixSelector(VectorSelector selector, DurationExpr range, Span span) implements Expr {}

  /**
   * {@code inner[range:step]}.
   *
   * @param step null for the default
   */
  record Subquery(
      Expr inner, DurationExpr range, @Nullable DurationExpr step, TimeShift shift, Span span)
      implements Expr {}

  /** {@code anchored} and {@code smoothed} change how a window takes in samples outside it. */
  enum RangeExtension {
    NONE,
    ANCHORED,
    SMOOTHED
  }

  /**
   * What moves a selector or subquery in time.
   *
   * @param offset back in time if positive; null if not written
   */
  record TimeShift(@Nullable DurationExpr offset, @Nullable At at) {
    public static final TimeShift NONE = new TimeShift(null, null);
  }

  /** The {@code @} modifier. */
  sealed interface At {
    record Instant(long timestampMs) implements At {}

    record Start() implements At {}

    record End() implements At {}
  }

  /**
   * How the elements of two vectors are paired.
   *
   * @param cardinality many-to-many exactly for set operators
   * @param on whether {@code labels} are those to match on instead of those to ignore
   * @param labels as written
   * @param include labels taken over from the "one" side
   * @param fillLeft value for a missing left element, null for none
   * @param fillRight value for a missing right element, null for none
   */
  record VectorMatching(
      Cardinality cardinality,
      boolean on,
      List<String> labels,
      List<String> include,
      @Nullable Double fillLeft,
      @Nullable Double fillRight) {
    public VectorMatching {
      labels = List.copyOf(labels);
      include = List.copyOf(include);
    }

    public static final VectorMatching DEFAULT =
        new VectorMatching(Cardinality.ONE_TO_ONE, false, List.of(), List.of(), null, null);
  }

  enum Cardinality {
    ONE_TO_ONE,
    /** {@code group_left}. */
    MANY_TO_ONE,
    /** {@code group_right}. */
    ONE_TO_MANY,
    MANY_TO_MANY
  }
}
