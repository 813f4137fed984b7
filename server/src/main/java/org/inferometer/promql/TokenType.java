package org.inferometer.promql;

import org.jspecify.annotations.Nullable;

/** Kinds of tokens, with how a message speaks of them. */
enum TokenType {
  END(Family.NAMED, "end of input"),
  IDENTIFIER(Family.NAMED, "identifier"),
  /** An identifier with a colon. */
  METRIC_IDENTIFIER(Family.NAMED, "metric identifier"),
  STRING(Family.NAMED, "string"),
  NUMBER(Family.NAMED, "number"),
  DURATION(Family.NAMED, "duration"),

  LEFT_PAREN(Family.MARK, "("),
  RIGHT_PAREN(Family.MARK, ")"),
  LEFT_BRACE(Family.MARK, "{"),
  RIGHT_BRACE(Family.MARK, "}"),
  LEFT_BRACKET(Family.MARK, "["),
  RIGHT_BRACKET(Family.MARK, "]"),
  COMMA(Family.MARK, ","),
  COLON(Family.MARK, ":"),
  ASSIGN(Family.MARK, "="),

  MATCH_REGEX(Family.OPERATOR, "=~"),
  MATCH_NOT_REGEX(Family.OPERATOR, "!~"),
  AT(Family.OPERATOR, "@"),
  ADD(BinaryOp.ADD),
  SUBTRACT(BinaryOp.SUBTRACT),
  MULTIPLY(BinaryOp.MULTIPLY),
  DIVIDE(BinaryOp.DIVIDE),
  MODULO(BinaryOp.MODULO),
  POWER(BinaryOp.POWER),
  EQUAL(BinaryOp.EQUAL),
  NOT_EQUAL(BinaryOp.NOT_EQUAL),
  LESS(BinaryOp.LESS),
  LESS_OR_EQUAL(BinaryOp.LESS_OR_EQUAL),
  GREATER(BinaryOp.GREATER),
  GREATER_OR_EQUAL(BinaryOp.GREATER_OR_EQUAL),
  TRIM_UPPER(BinaryOp.TRIM_UPPER),
  TRIM_LOWER(BinaryOp.TRIM_LOWER),
  AND(BinaryOp.AND),
  OR(BinaryOp.OR),
  UNLESS(BinaryOp.UNLESS),
  ATAN2(BinaryOp.ATAN2),

  SUM(AggregateOp.SUM),
  AVG(AggregateOp.AVG),
  COUNT(AggregateOp.COUNT),
  MIN(AggregateOp.MIN),
  MAX(AggregateOp.MAX),
  GROUP(AggregateOp.GROUP),
  STDDEV(AggregateOp.STDDEV),
  STDVAR(AggregateOp.STDVAR),
  TOPK(AggregateOp.TOPK),
  BOTTOMK(AggregateOp.BOTTOMK),
  COUNT_VALUES(AggregateOp.COUNT_VALUES),
  QUANTILE(AggregateOp.QUANTILE),
  LIMITK(AggregateOp.LIMITK),
  LIMIT_RATIO(AggregateOp.LIMIT_RATIO),

  BOOL(Family.KEYWORD, "bool"),
  BY(Family.KEYWORD, "by"),
  WITHOUT(Family.KEYWORD, "without"),
  ON(Family.KEYWORD, "on"),
  IGNORING(Family.KEYWORD, "ignoring"),
  GROUP_LEFT(Family.KEYWORD, "group_left"),
  GROUP_RIGHT(Family.KEYWORD, "group_right"),
  FILL(Family.KEYWORD, "fill"),
  FILL_LEFT(Family.KEYWORD, "fill_left"),
  FILL_RIGHT(Family.KEYWORD, "fill_right"),
  OFFSET(Family.KEYWORD, "offset"),
  ANCHORED(Family.KEYWORD, "anchored"),
  SMOOTHED(Family.KEYWORD, "smoothed"),

  START(Family.QUERY_TIME, "start"),
  FINISH(Family.QUERY_TIME, "end"),
  STEP(Family.QUERY_TIME, "step"),
  RANGE(Family.QUERY_TIME, "range"),
  /** {@code min_of} and {@code max_of} are words of durations only; elsewhere identifiers. */
  MIN_OF(Family.QUERY_TIME, "min_of"),
  MAX_OF(Family.QUERY_TIME, "max_of");

  /** What a token is for. */
  enum Family {
    NAMED,
    MARK,
    OPERATOR,
    AGGREGATE,
    KEYWORD,
    /** Words that stand for times of the query. */
    QUERY_TIME
  }

  private final Family family;
  private final String text;
  private final @Nullable BinaryOp binaryOp;
  private final @Nullable AggregateOp aggregateOp;

  TokenType(Family family, String text) {
    this.family = family;
    this.text = text;
    this.binaryOp = null;
    this.aggregateOp = null;
  }

  TokenType(BinaryOp op) {
    this.family = Family.OPERATOR;
    this.text = op.symbol();
    this.binaryOp = op;
    this.aggregateOp = null;
  }

  TokenType(AggregateOp op) {
    this.family = Family.AGGREGATE;
    this.text = op.keyword();
    this.binaryOp = null;
    this.aggregateOp = op;
  }

  Family family() {
    return family;
  }

  /** The word or symbol, or the name of the kind if it has many spellings. */
  String text() {
    return text;
  }

  @Nullable BinaryOp binaryOp() {
    return binaryOp;
  }

  @Nullable AggregateOp aggregateOp() {
    return aggregateOp;
  }

  /** Whether the token is spelled as a word and isn't free to choose. */
  boolean isWord() {
    return Character.isLetter(text.charAt(0)) && family != Family.NAMED;
  }

  /** Whether the word may also be a label name in {@code by (...)} and the like. */
  boolean mayBeLabel() {
    return this == IDENTIFIER || this == METRIC_IDENTIFIER || isWord();
  }

  /** Whether the word may also be a metric name. */
  boolean mayBeMetric() {
    return switch (this) {
      case BOOL, ON, IGNORING, GROUP_LEFT, GROUP_RIGHT, ATAN2 -> false;
      default -> mayBeLabel();
    };
  }
}
