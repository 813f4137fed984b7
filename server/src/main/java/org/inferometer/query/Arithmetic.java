package org.inferometer.query;

import org.inferometer.promql.BinaryOp;

/** The binary operators on two numbers. Where Go and Java differ, Go's result is given. */
final class Arithmetic {
  private Arithmetic() {}

  /** An operator that isn't a comparison. */
  @FunctionalInterface
  interface Operation {
    double of(double left, double right);
  }

  /** A comparison. NaN is unequal to everything. */
  @FunctionalInterface
  interface Comparison {
    boolean of(double left, double right);
  }

  static Operation operation(BinaryOp op) {
    return switch (op) {
      case ADD -> (a, b) -> a + b;
      case SUBTRACT -> (a, b) -> a - b;
      case MULTIPLY -> (a, b) -> a * b;
      case DIVIDE -> (a, b) -> a / b;
      case MODULO -> (a, b) -> a % b;
      case ATAN2 -> Math::atan2;
      case POWER -> Arithmetic::power;
      case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
        Comparison comparison = comparison(op);
        yield (a, b) -> comparison.of(a, b) ? 1 : 0;
      }
      case OR, AND, UNLESS, TRIM_UPPER, TRIM_LOWER ->
          throw new IllegalArgumentException("expected an operator on numbers, got " + op);
    };
  }

  static Comparison comparison(BinaryOp op) {
    return switch (op) {
      case EQUAL -> (a, b) -> a == b;
      case NOT_EQUAL -> (a, b) -> a != b;
      case LESS -> (a, b) -> a < b;
      case LESS_OR_EQUAL -> (a, b) -> a <= b;
      case GREATER -> (a, b) -> a > b;
      case GREATER_OR_EQUAL -> (a, b) -> a >= b;
      case ADD,
          SUBTRACT,
          MULTIPLY,
          DIVIDE,
          MODULO,
          ATAN2,
          POWER,
          OR,
          AND,
          UNLESS,
          TRIM_UPPER,
          TRIM_LOWER ->
          throw new IllegalArgumentException("expected a comparison, got " + op);
    };
  }

  static double power(double base, double exponent) {
    if (base == 1 || (base == -1 && Double.isInfinite(exponent))) {
      return 1;
    }
    return Math.pow(base, exponent);
  }
}
