package org.inferometer.lint;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.inferometer.lint.Meaning.Form;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Families.Part;
import org.inferometer.signals.Family;
import org.inferometer.signals.FamilyType;
import org.jspecify.annotations.Nullable;

/** Works out what the value of each part of a query is, as far as the dialects tell. */
final class Meanings {
  /** Functions that leave values what they are. */
  private static final Set<String> KEEPING =
      Set.of(
          "abs",
          "ceil",
          "floor",
          "round",
          "clamp",
          "clamp_min",
          "clamp_max",
          "sort",
          "sort_desc",
          "sort_by_label",
          "sort_by_label_desc",
          "label_replace",
          "label_join",
          "scalar",
          "vector",
          "avg_over_time",
          "max_over_time",
          "min_over_time",
          "last_over_time");

  private final Scene scene;
  private final IdentityHashMap<Expr, Meaning> known = new IdentityHashMap<>();

  Meanings(Scene scene) {
    this.scene = scene;
  }

  Meaning of(Expr expr) {
    Meaning found = known.get(expr);
    if (found == null) {
      found = find(expr);
      known.put(expr, found);
    }
    return found;
  }

  private Meaning find(Expr expr) {
    return switch (expr) {
      case Expr.NumberLiteral _ -> new Meaning(Form.NUMBER, null, Quantity.UNKNOWN, false, false);
      case Expr.StringLiteral _ -> Meaning.UNKNOWN;
      case Expr.Paren paren -> of(paren.inner());
      case Expr.Unary unary -> of(unary.operand());
      case Expr.VectorSelector selector -> selector(selector);
      case Expr.MatrixSelector matrix -> of(matrix.selector());
      case Expr.Subquery subquery -> of(subquery.inner());
      case Expr.Aggregate aggregate -> aggregate(aggregate);
      case Expr.Call call -> call(call);
      case Expr.Binary binary -> binary(binary);
    };
  }

  private Meaning selector(Expr.VectorSelector selector) {
    Match match = single(scene.matches(selector));
    if (match == null) {
      return Meaning.UNKNOWN;
    }
    Form form = form(match);
    return new Meaning(form, match, quantity(match), false, false);
  }

  /** The one match, or the first of several that agree in type and unit. */
  private static @Nullable Match single(List<Match> matches) {
    if (matches.isEmpty()) {
      return null;
    }
    Match first = matches.getFirst();
    boolean agree =
        matches.stream()
            .allMatch(
                match ->
                    match.part() == first.part()
                        && match.family().type() == first.family().type()
                        && match.family().unit().equals(first.family().unit()));
    return agree ? first : null;
  }

  private static Form form(Match match) {
    return switch (match.part()) {
      case BUCKET, SUM, COUNT -> Form.COUNTER;
      case CREATED -> Form.OTHER;
      case VALUE ->
          switch (match.family().type()) {
            case COUNTER -> Form.COUNTER;
            case GAUGE -> Form.GAUGE;
            case SUMMARY -> Form.QUANTILE;
            case HISTOGRAM, INFO -> Form.OTHER;
          };
    };
  }

  private static Quantity quantity(Match match) {
    Family family = match.family();
    return switch (match.part()) {
      case VALUE, SUM -> Quantity.ofFamily(family.unit());
      case BUCKET, COUNT -> new Quantity("events", 1, false);
      case CREATED -> Quantity.UNKNOWN;
    };
  }

  private Meaning aggregate(Expr.Aggregate aggregate) {
    Meaning operand = of(aggregate.operand());
    return switch (aggregate.op()) {
      case SUM -> operand.sum();
      case AVG, MIN, MAX, TOPK, BOTTOMK, QUANTILE, LIMITK, LIMIT_RATIO -> operand;
      case COUNT, GROUP, STDDEV, STDVAR, COUNT_VALUES -> Meaning.UNKNOWN;
    };
  }

  private Meaning call(Expr.Call call) {
    String name = call.function().name();
    if (call.arguments().isEmpty()) {
      return Meaning.UNKNOWN;
    }
    Meaning first = of(call.arguments().getFirst());
    if (KEEPING.contains(name)) {
      return first;
    }
    return switch (name) {
      case "rate", "irate", "deriv" ->
          first.form() == Form.COUNTER || first.form() == Form.GAUGE
              ? first.with(Form.RATE, first.quantity().rate())
              : Meaning.UNKNOWN;
      case "increase", "delta", "idelta" ->
          first.form() == Form.COUNTER
              ? first.with(Form.INCREASE, first.quantity())
              : first.form() == Form.GAUGE ? first : Meaning.UNKNOWN;
      case "histogram_quantile" -> quantile(call);
      case "quantile_over_time" -> of(call.arguments().getLast());
      default -> Meaning.UNKNOWN;
    };
  }

  private Meaning quantile(Expr.Call call) {
    Family family = null;
    for (Expr.VectorSelector selector : call.arguments().getLast().selectors()) {
      Match match = single(scene.matches(selector));
      if (match == null || (family != null && !family.equals(match.family()))) {
        return new Meaning(Form.QUANTILE, null, Quantity.UNKNOWN, false, false);
      }
      family = match.family();
    }
    return family == null
        ? Meaning.UNKNOWN
        : new Meaning(
            Form.QUANTILE,
            new Match(family, Part.BUCKET),
            Quantity.ofFamily(family.unit()),
            false,
            false);
  }

  private Meaning binary(Expr.Binary binary) {
    Meaning left = of(binary.left());
    Meaning right = of(binary.right());
    return switch (binary.op().kind()) {
      case COMPARISON ->
          binary.returnBool() ? Meaning.UNKNOWN : left.form() == Form.NUMBER ? right : left;
      case TRIM -> left;
      case SET -> left;
      case ARITHMETIC -> arithmetic(binary, left, right);
    };
  }

  private Meaning arithmetic(Expr.Binary binary, Meaning left, Meaning right) {
    Double leftNumber = Scene.number(binary.left());
    Double rightNumber = Scene.number(binary.right());
    if (leftNumber != null && rightNumber != null) {
      return new Meaning(Form.NUMBER, null, Quantity.UNKNOWN, false, false);
    }
    return switch (binary.op()) {
      case MULTIPLY ->
          rightNumber != null
              ? left.times(rightNumber)
              : leftNumber != null ? right.times(leftNumber) : joined(binary, left, right);
      case DIVIDE ->
          rightNumber != null
              ? left.times(1 / rightNumber)
              : leftNumber != null ? Meaning.UNKNOWN : quotient(left, right);
      case ADD, SUBTRACT -> sum(left, right, leftNumber, rightNumber);
      default -> Meaning.UNKNOWN;
    };
  }

  /** A product with a vector of ones, which only brings labels. */
  private Meaning joined(Expr.Binary binary, Meaning left, Meaning right) {
    return isOne(binary.right()) ? left : isOne(binary.left()) ? right : Meaning.UNKNOWN;
  }

  private boolean isOne(Expr expr) {
    return switch (Scene.inner(expr)) {
      case Expr.Aggregate aggregate ->
          switch (aggregate.op()) {
            case MAX, MIN, AVG -> isOne(aggregate.operand());
            case GROUP -> true;
            case SUM,
                COUNT,
                STDDEV,
                STDVAR,
                TOPK,
                BOTTOMK,
                COUNT_VALUES,
                QUANTILE,
                LIMITK,
                LIMIT_RATIO ->
                false;
          };
      case Expr.Binary sum when sum.op() == BinaryOp.ADD ->
          Double.valueOf(1).equals(Scene.number(sum.right()))
              && Scene.inner(sum.left()) instanceof Expr.Binary product
              && product.op() == BinaryOp.MULTIPLY
              && Double.valueOf(0).equals(Scene.number(product.right()));
      case Expr.VectorSelector selector ->
          !scene.matches(selector).isEmpty()
              && scene.matches(selector).stream()
                  .allMatch(match -> match.family().type() == FamilyType.INFO);
      default -> false;
    };
  }

  private static Meaning quotient(Meaning left, Meaning right) {
    Match over = left.match();
    Match under = right.match();
    if (over != null
        && under != null
        && over.part() == Part.SUM
        && under.part() == Part.COUNT
        && over.family().equals(under.family())) {
      return new Meaning(
          Form.MEAN, over, left.quantity().total(), left.scaled() || right.scaled(), false);
    }
    if (over != null
        && over.part() == Part.VALUE
        && left.form() == Form.RATE
        && left.quantity().is(Quantity.TIME)
        && right.form() == Form.RATE
        && !right.quantity().dimension().isEmpty()
        && !right.quantity().is(Quantity.TIME)) {
      return new Meaning(
          Form.MEAN, over, left.quantity().total(), left.scaled() || right.scaled(), false);
    }
    boolean alike =
        !left.quantity().dimension().isEmpty()
            && left.quantity().is(right.quantity().dimension())
            && left.quantity().perSecond() == right.quantity().perSecond();
    return alike
        ? new Meaning(
            Form.SHARE,
            null,
            new Quantity(
                Quantity.RATIO, left.quantity().factor() / right.quantity().factor(), false),
            left.scaled() || right.scaled(),
            false)
        : Meaning.UNKNOWN;
  }

  private static Meaning sum(
      Meaning left, Meaning right, @Nullable Double leftNumber, @Nullable Double rightNumber) {
    if (rightNumber != null) {
      return left;
    }
    if (leftNumber != null) {
      return right;
    }
    boolean same =
        left.quantity().equals(right.quantity()) && !left.quantity().dimension().isEmpty();
    return same && left.form() == right.form()
        ? (Objects.equals(left.match(), right.match()) ? left : left.withoutMatch())
        : Meaning.UNKNOWN;
  }
}
