package org.inferometer.query.stepwise;

import org.inferometer.promql.BinaryOp;

/** Arithmetic and comparison of two numbers. */
final class Operators {
  private Operators() {}

  static double arithmetic(BinaryOp op, double x, double y, Noise noise) {
    return switch (op) {
      case ADD -> x + y;
      case SUBTRACT -> x - y;
      case MULTIPLY -> x * y;
      case DIVIDE -> x / y;
      case MODULO -> x % y;
      case POWER -> power(x, y, noise);
      case ATAN2 -> x == 0 || y == 0 ? Math.atan2(x, y) : noise.near(Math.atan2(x, y));
      default -> throw new IllegalArgumentException("expected arithmetic, got " + op.symbol());
    };
  }

  private static double power(double x, double y, Noise noise) {
    if (x == 1 || (x == -1 && Double.isInfinite(y))) {
      return 1;
    }
    double power = Math.pow(x, y);
    return power == Math.rint(power) && Math.abs(power) < 1e15 ? power : noise.near(power);
  }

  static boolean holds(BinaryOp op, double x, double y) {
    return switch (op) {
      case EQUAL -> x == y;
      case NOT_EQUAL -> x != y;
      case LESS -> x < y;
      case LESS_OR_EQUAL -> x <= y;
      case GREATER -> x > y;
      case GREATER_OR_EQUAL -> x >= y;
      default -> throw new IllegalArgumentException("expected a comparison, got " + op.symbol());
    };
  }
}
