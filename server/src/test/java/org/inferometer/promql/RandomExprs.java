package org.inferometer.promql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.DurationExpr.Term;
import org.inferometer.promql.Expr.At;
import org.inferometer.promql.Expr.Cardinality;
import org.inferometer.promql.Expr.RangeExtension;
import org.inferometer.promql.Expr.TimeShift;
import org.inferometer.promql.Expr.VectorMatching;
import org.jspecify.annotations.Nullable;

/**
 * Makes trees that the parser could have made: every form of the language, types that fit, and
 * parentheses where operators would bind otherwise.
 */
final class RandomExprs {
  private static final List<String> NAMES =
      List.of("up", "job:foo:sum5m", "sum", "by", "offset", "start", "fill", "na.me", "é", "a b");
  private static final List<String> LABELS =
      List.of("job", "le", "on", "bool", "without", "atan2", "la.bel", "é");
  private static final List<String> VALUES =
      List.of("x", "", "a\"b\\", "é\uD83D\uDE00", "line\nbreak", "a|b", ".*x", "\u0001");
  private static final List<String> ONE_WORD = List.of("up", "job:foo:sum5m", "foo_bucket");

  private final Random random;

  RandomExprs(long seed) {
    this.random = new Random(seed);
  }

  /** Of any type, as deep as {@code size} allows. */
  Expr any(int size) {
    return switch (random.nextInt(8)) {
      case 0 -> new Expr.StringLiteral(pick(VALUES), Span.NONE);
      case 1 -> scalar(size);
      case 2 -> range(size);
      default -> vector(size);
    };
  }

  private Expr of(ValueType type, int size) {
    return switch (type) {
      case SCALAR -> scalar(size);
      case INSTANT_VECTOR -> vector(size);
      case RANGE_VECTOR -> range(size);
      case STRING -> new Expr.StringLiteral(pick(VALUES), Span.NONE);
    };
  }

  private Expr scalar(int size) {
    if (size <= 0) {
      return number();
    }
    return switch (random.nextInt(6)) {
      case 0 -> new Expr.Paren(scalar(size - 1), Span.NONE);
      case 1 -> unary(scalar(size - 1));
      case 2 -> scalarBinary(size);
      case 3 -> call(ValueType.SCALAR, size);
      default -> number();
    };
  }

  private Expr number() {
    double value =
        switch (random.nextInt(6)) {
          case 0 -> random.nextInt(1000);
          case 1 -> random.nextDouble() * 1e6;
          case 2 -> Double.POSITIVE_INFINITY;
          case 3 -> Double.NaN;
          case 4 -> 1e-300;
          default -> random.nextGaussian();
        };
    if (random.nextInt(4) == 0) {
      return new Expr.NumberLiteral(random.nextInt(10_000_000) / 1000.0, true, Span.NONE);
    }
    return new Expr.NumberLiteral(value, false, Span.NONE);
  }

  /** A sign of a number would become part of it. */
  private Expr unary(Expr operand) {
    boolean bare =
        operand instanceof Expr.NumberLiteral
            || (operand instanceof Expr.Binary binary && binary.op() != BinaryOp.POWER);
    Expr inner = bare ? new Expr.Paren(operand, Span.NONE) : operand;
    return new Expr.Unary(random.nextBoolean(), inner, Span.NONE);
  }

  private Expr scalarBinary(int size) {
    BinaryOp op = pickOp(EnumSet.of(BinaryOp.Kind.ARITHMETIC, BinaryOp.Kind.COMPARISON));
    return binary(op, scalar(size - 1), scalar(size - 1), op.isComparison(), null);
  }

  private BinaryOp pickOp(Set<BinaryOp.Kind> kinds) {
    return pick(List.of(BinaryOp.values()).stream().filter(o -> kinds.contains(o.kind())).toList());
  }

  private Expr vectorBinary(int size) {
    if (random.nextInt(3) == 0) {
      BinaryOp op =
          pickOp(
              EnumSet.of(BinaryOp.Kind.ARITHMETIC, BinaryOp.Kind.COMPARISON, BinaryOp.Kind.TRIM));
      boolean bool = op.isComparison() && random.nextBoolean();
      return random.nextBoolean()
          ? binary(op, vector(size - 1), scalar(size - 1), bool, null)
          : binary(op, scalar(size - 1), vector(size - 1), bool, null);
    }
    BinaryOp op = pickOp(EnumSet.allOf(BinaryOp.Kind.class));
    boolean bool = op.isComparison() && random.nextBoolean();
    return binary(op, vector(size - 1), vector(size - 1), bool, matching(op));
  }

  private Expr binary(
      BinaryOp op, Expr left, Expr right, boolean bool, @Nullable VectorMatching matching) {
    return new Expr.Binary(
        op, operand(op, left, false), operand(op, right, true), bool, matching, Span.NONE);
  }

  /** An operand, in parentheses if it would bind otherwise. */
  private static Expr operand(BinaryOp op, Expr operand, boolean right) {
    boolean loose =
        switch (operand) {
          case Expr.Binary inner -> bindsLooser(op, inner.op(), right);
          case Expr.Unary unary -> op == BinaryOp.POWER;
          case Expr.NumberLiteral number ->
              op == BinaryOp.POWER && Math.copySign(1, number.value()) < 0;
          case Expr other -> false;
        };
    return loose || endsOpen(operand) ? new Expr.Paren(operand, Span.NONE) : operand;
  }

  private static boolean bindsLooser(BinaryOp outer, BinaryOp inner, boolean right) {
    if (inner.precedence() != outer.precedence()) {
      return inner.precedence() < outer.precedence();
    }
    return right != outer.isRightAssociative();
  }

  /** A sign at the front swallows only powers, but its operand may end in one. */
  private static boolean endsOpen(Expr operand) {
    return operand instanceof Expr.Binary binary
        && (binary.left() instanceof Expr.Unary || binary.right() instanceof Expr.Unary);
  }

  private VectorMatching matching(BinaryOp op) {
    boolean on = random.nextBoolean();
    List<String> labels = labels();
    if (op.isSet()) {
      return new VectorMatching(Cardinality.MANY_TO_MANY, on, labels, List.of(), null, null);
    }
    Cardinality cardinality =
        pick(List.of(Cardinality.ONE_TO_ONE, Cardinality.MANY_TO_ONE, Cardinality.ONE_TO_MANY));
    List<String> include =
        cardinality == Cardinality.ONE_TO_ONE
            ? List.of()
            : labels().stream().filter(l -> !labels.contains(l)).toList();
    return new VectorMatching(cardinality, on, labels, include, fill(), fill());
  }

  private @Nullable Double fill() {
    return random.nextInt(4) == 0 ? Double.valueOf(random.nextInt(5) - 2) : null;
  }

  private List<String> labels() {
    List<String> labels = new ArrayList<>(LABELS);
    Collections.shuffle(labels, random);
    return labels.subList(0, random.nextInt(4));
  }

  private Expr vector(int size) {
    if (size <= 0) {
      return selector();
    }
    return switch (random.nextInt(8)) {
      case 0 -> new Expr.Paren(vector(size - 1), Span.NONE);
      case 1 -> unary(vector(size - 1));
      case 2, 3 -> vectorBinary(size);
      case 4 -> aggregate(size);
      case 5, 6 -> call(ValueType.INSTANT_VECTOR, size);
      default -> selector();
    };
  }

  private Expr aggregate(int size) {
    AggregateOp op = pick(List.of(AggregateOp.values()));
    List<String> grouping = labels();
    return new Expr.Aggregate(
        op,
        vector(size - 1),
        op.parameter() == null ? null : of(op.parameter(), size - 1),
        grouping,
        random.nextBoolean(),
        Span.NONE);
  }

  private Expr call(ValueType result, int size) {
    List<FunctionSignature> functions =
        Functions.all().stream().filter(f -> f.result() == result).toList();
    FunctionSignature function = pick(functions);
    int most = Math.min(function.maxArguments(), function.arguments().size() + 2);
    int count = function.minArguments() + random.nextInt(most - function.minArguments() + 1);
    List<Expr> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean labelsOnly = function.name().equals("info") && i == 1;
      arguments.add(labelsOnly ? labelSelector() : of(function.argument(i), size - 1));
    }
    return new Expr.Call(function, arguments, Span.NONE);
  }

  private Expr labelSelector() {
    return new Expr.VectorSelector(
        "", List.of(matcher()), TimeShift.NONE, RangeExtension.NONE, Span.NONE);
  }

  private Expr.VectorSelector selector() {
    String name = random.nextInt(5) == 0 ? pick(NAMES) : pick(ONE_WORD);
    List<Matcher> matchers = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      matchers.add(matcher());
    }
    matchers.add(Matcher.equal(Labels.NAME, name));
    RangeExtension extension =
        random.nextInt(8) == 0 ? pick(List.of(RangeExtension.values())) : RangeExtension.NONE;
    return new Expr.VectorSelector(name, matchers, shift(), extension, Span.NONE);
  }

  private Matcher matcher() {
    Matcher.Type type = pick(List.of(Matcher.Type.values()));
    boolean regex = type == Matcher.Type.REGEX || type == Matcher.Type.NOT_REGEX;
    return new Matcher(
        type, pick(LABELS), regex ? pick(List.of("a|b", ".+", "x.*")) : pick(VALUES));
  }

  private Expr range(int size) {
    if (size > 0 && random.nextInt(3) == 0) {
      Expr inner = vector(size - 1);
      boolean loose = inner instanceof Expr.Binary || inner instanceof Expr.Unary;
      return new Expr.Subquery(
          loose ? new Expr.Paren(inner, Span.NONE) : inner,
          window(),
          random.nextBoolean() ? window() : null,
          shift(),
          Span.NONE);
    }
    return new Expr.MatrixSelector(selector(), window(), Span.NONE);
  }

  private TimeShift shift() {
    At at =
        switch (random.nextInt(10)) {
          case 0 -> new At.Start();
          case 1 -> new At.End();
          case 2 -> new At.Instant(random.nextLong(-100_000, 2_000_000_000_000L));
          default -> null;
        };
    return new TimeShift(random.nextInt(4) == 0 ? offset() : null, at);
  }

  private DurationExpr offset() {
    if (random.nextInt(3) > 0) {
      long ms = random.nextLong(-10_000_000, 10_000_000);
      return new DurationExpr.Fixed(ms == 0 ? 1 : ms);
    }
    Term term = random.nextBoolean() ? new DurationExpr.Step() : new DurationExpr.Group(term(2));
    return new DurationExpr.Computed(
        random.nextBoolean() ? new DurationExpr.Negation(term) : term, Span.NONE);
  }

  private DurationExpr window() {
    return random.nextInt(3) > 0
        ? new DurationExpr.Fixed(1 + random.nextLong(10_000_000))
        : new DurationExpr.Computed(
            new DurationExpr.Arithmetic(BinaryOp.ADD, term(2), factor(2), Span.NONE), Span.NONE);
  }

  private Term term(int size) {
    if (size > 0 && random.nextInt(3) == 0) {
      BinaryOp op = random.nextBoolean() ? BinaryOp.ADD : BinaryOp.SUBTRACT;
      return new DurationExpr.Arithmetic(op, term(size - 1), factor(size - 1), Span.NONE);
    }
    return factor(size);
  }

  private Term factor(int size) {
    if (size > 0 && random.nextInt(3) == 0) {
      BinaryOp op = pick(List.of(BinaryOp.MULTIPLY, BinaryOp.DIVIDE, BinaryOp.MODULO));
      return new DurationExpr.Arithmetic(op, factor(size - 1), atom(size - 1), Span.NONE);
    }
    return atom(size);
  }

  private Term atom(int size) {
    return switch (random.nextInt(size > 0 ? 7 : 4)) {
      case 0 -> new DurationExpr.Step();
      case 1 -> new DurationExpr.QueryRange();
      case 2 -> new DurationExpr.Literal(1 + random.nextInt(100), false);
      case 4 -> new DurationExpr.Group(term(size - 1));
      case 5 -> new DurationExpr.Extreme(random.nextBoolean(), term(size - 1), term(size - 1));
      case 6 ->
          new DurationExpr.Arithmetic(
              BinaryOp.POWER, new DurationExpr.Step(), atom(size - 1), Span.NONE);
      default -> new DurationExpr.Literal(1 + random.nextInt(100_000), true);
    };
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
