package org.inferometer.promql;

/** Binary operators with their symbol and their strength; a larger precedence binds tighter. */
public enum BinaryOp {
  OR("or", 1, Kind.SET),
  AND("and", 2, Kind.SET),
  UNLESS("unless", 2, Kind.SET),
  EQUAL("==", 3, Kind.COMPARISON),
  NOT_EQUAL("!=", 3, Kind.COMPARISON),
  LESS("<", 3, Kind.COMPARISON),
  LESS_OR_EQUAL("<=", 3, Kind.COMPARISON),
  GREATER(">", 3, Kind.COMPARISON),
  GREATER_OR_EQUAL(">=", 3, Kind.COMPARISON),
  /** Native histograms only: drops the buckets above. */
  TRIM_UPPER("</", 3, Kind.TRIM),
  /** Native histograms only: drops the buckets below. */
  TRIM_LOWER(">/", 3, Kind.TRIM),
  ADD("+", 4, Kind.ARITHMETIC),
  SUBTRACT("-", 4, Kind.ARITHMETIC),
  MULTIPLY("*", 5, Kind.ARITHMETIC),
  DIVIDE("/", 5, Kind.ARITHMETIC),
  MODULO("%", 5, Kind.ARITHMETIC),
  ATAN2("atan2", 5, Kind.ARITHMETIC),
  /** Right-associative. */
  POWER("^", 6, Kind.ARITHMETIC);

  /** What rules an operator follows. */
  public enum Kind {
    SET,
    COMPARISON,
    TRIM,
    ARITHMETIC
  }

  private final String symbol;
  private final int precedence;
  private final Kind kind;

  BinaryOp(String symbol, int precedence, Kind kind) {
    this.symbol = symbol;
    this.precedence = precedence;
    this.kind = kind;
  }

  public String symbol() {
    return symbol;
  }

  public int precedence() {
    return precedence;
  }

  public Kind kind() {
    return kind;
  }

  public boolean isSet() {
    return kind == Kind.SET;
  }

  public boolean isComparison() {
    return kind == Kind.COMPARISON;
  }

  public boolean isRightAssociative() {
    return this == POWER;
  }
}
