package org.inferometer.lint;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/** Gauges that keep the last event, and gauges of bits. */
final class FactRule implements ExprRules.ExprRule {
  private static final Set<String> CHANGES = Set.of("changes", "delta", "idelta", "deriv");

  @Override
  public void check(Scene scene) {
    for (Expr.Binary binary : scene.nodes(Expr.Binary.class)) {
      Double number = Scene.number(binary.right());
      if (number != null && binary.op().kind() == BinaryOp.Kind.COMPARISON) {
        compared(scene, binary, number);
      }
    }
  }

  private static void compared(Scene scene, Expr.Binary binary, double number) {
    List<Expr.VectorSelector> selectors = binary.left().selectors();
    if (selectors.size() != 1) {
      return;
    }
    String name = Scene.nameOf(selectors.getFirst());
    Facts.Sticky sticky = scene.world().facts().sticky(name);
    if (sticky != null
        && isAnything(binary.op(), number)
        && isValue(binary.left())
        && !isWatched(scene, name)) {
      scene.report(
          LintRule.STICKY_VALUE,
          Severity.WARNING,
          binary.span(),
          "%s %s; %s".formatted(name, sticky.says(), sticky.fix()));
    }
    Facts.Mask mask = scene.world().facts().mask(name);
    if (mask != null) {
      mask(scene, binary, number, name, mask);
    }
  }

  /** Whether the query also asks when the value changed, so that an old one doesn't count. */
  private static boolean isWatched(Scene scene, String name) {
    return scene.nodes(Expr.Call.class).stream()
        .filter(call -> CHANGES.contains(call.function().name()))
        .flatMap(call -> call.selectors().stream())
        .anyMatch(selector -> Scene.nameOf(selector).equals(name));
  }

  /** Whether a comparison holds for whatever isn't zero. */
  private static boolean isAnything(BinaryOp op, double number) {
    return switch (op) {
      case GREATER, NOT_EQUAL -> number == 0;
      case GREATER_OR_EQUAL -> number == 1;
      default -> false;
    };
  }

  /** Whether the value itself is compared, not how it changed. */
  private static boolean isValue(Expr left) {
    return switch (Scene.inner(left)) {
      case Expr.VectorSelector _ -> true;
      case Expr.Aggregate aggregate -> isValue(aggregate.operand());
      case Expr.Call call ->
          call.function().name().endsWith("_over_time")
              && !call.function().name().startsWith("count");
      default -> false;
    };
  }

  private static void mask(
      Scene scene, Expr.Binary binary, double number, String name, Facts.Mask mask) {
    if (isAnything(binary.op(), number) && isValue(binary.left())) {
      scene.report(
          LintRule.BIT_MASK,
          Severity.WARNING,
          binary.span(),
          "any bit of %s counts here, but %s".formatted(name, mask.harmless()));
      return;
    }
    Integer bit = bit(binary, number);
    if (bit != null) {
      bit(scene, binary, bit, name, mask);
    }
  }

  /** The bit that is asked for: {@code x == 64}, or {@code floor(x / 64) % 2 == 1}. */
  private static @Nullable Integer bit(Expr.Binary binary, double number) {
    if (binary.op() == BinaryOp.EQUAL && isValue(binary.left())) {
      return exponent(number);
    }
    Expr left = Scene.inner(binary.left());
    if (left instanceof Expr.Binary modulo
        && modulo.op() == BinaryOp.MODULO
        && Double.valueOf(2).equals(Scene.number(modulo.right()))) {
      return divisorBit(modulo.left());
    }
    return null;
  }

  private static @Nullable Integer divisorBit(Expr expr) {
    return switch (Scene.inner(expr)) {
      case Expr.Call call when call.function().name().equals("floor") ->
          divisorBit(call.arguments().getFirst());
      case Expr.Binary division when division.op() == BinaryOp.DIVIDE -> {
        Double number = power(division.right());
        yield number == null ? null : exponent(number);
      }
      case Expr.VectorSelector _ -> 0;
      default -> null;
    };
  }

  private static @Nullable Double power(Expr expr) {
    Double number = Scene.number(expr);
    if (number == null
        && Scene.inner(expr) instanceof Expr.Binary power
        && power.op() == BinaryOp.POWER) {
      Double base = Scene.number(power.left());
      Double exponent = Scene.number(power.right());
      return base == null || exponent == null ? null : Double.valueOf(Math.pow(base, exponent));
    }
    return number;
  }

  private static @Nullable Integer exponent(double number) {
    long whole = (long) number;
    return whole == number && Long.bitCount(whole) == 1 && whole > 0
        ? Long.numberOfTrailingZeros(whole)
        : null;
  }

  private static void bit(Scene scene, Expr.Binary binary, int bit, String name, Facts.Mask mask) {
    String texts =
        String.join("\n", scene.query().texts())
            .replaceAll("(?<=[a-z])(?=[A-Z])|_", " ")
            .toLowerCase(Locale.ROOT);
    for (Facts.Bit other : mask.bits()) {
      if (other.bit() != bit && other.words().stream().anyMatch(texts::contains)) {
        scene.report(
            LintRule.BIT_MASK,
            Severity.WARNING,
            binary.span(),
            "bit %d of %s is %s; %s is bit %d"
                .formatted(bit, name, nameOf(mask, bit), other.name(), other.bit()));
        return;
      }
    }
  }

  private static String nameOf(Facts.Mask mask, int bit) {
    return mask.bits().stream()
        .filter(one -> one.bit() == bit)
        .map(Facts.Bit::name)
        .findFirst()
        .orElse("another reason");
  }
}
