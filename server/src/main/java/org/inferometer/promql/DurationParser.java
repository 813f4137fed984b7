package org.inferometer.promql;

import org.inferometer.promql.DurationExpr.Arithmetic;
import org.inferometer.promql.DurationExpr.Extreme;
import org.inferometer.promql.DurationExpr.Group;
import org.inferometer.promql.DurationExpr.Literal;
import org.inferometer.promql.DurationExpr.Negation;
import org.inferometer.promql.DurationExpr.QueryRange;
import org.inferometer.promql.DurationExpr.Step;
import org.inferometer.promql.DurationExpr.Term;

/** Reads durations in brackets and after {@code offset}. Not thread-safe. */
final class DurationParser {
  private static final String OPERAND = "number, duration, step(), or range()";
  private static final double MAX_SECONDS = Long.MAX_VALUE / 1e9;

  private final TokenReader tokens;
  private final ParserOptions options;
  private int nesting;

  private String context = "";
  private String expected = "";

  DurationParser(TokenReader tokens, ParserOptions options) {
    this.tokens = tokens;
    this.options = options;
  }

  /**
   * A range or a step, with arithmetic.
   *
   * @param place what an error says it is in
   * @param alternative what else could stand there, for an error
   */
  DurationExpr positive(String place, String alternative) throws ParseException {
    context = place;
    expected = alternative.isEmpty() ? OPERAND : "number, duration, step(), range()," + alternative;
    Span start = tokens.span();
    Term term = sum();
    Span span = start.to(tokens.previousSpan());
    if (!(term instanceof Literal literal)) {
      return computed(term, span);
    }
    if (!(literal.value() > 0)) {
      throw tokens.error(span, "duration must be greater than 0");
    }
    return fixed(literal.value(), span);
  }

  /** A signed literal or word, or arithmetic in parentheses. */
  DurationExpr offset() throws ParseException {
    context = "offset";
    expected = OPERAND;
    Span start = tokens.span();
    Term term = signed();
    Span span = start.to(tokens.previousSpan());
    return term instanceof Literal literal ? fixed(literal.value(), span) : computed(term, span);
  }

  private DurationExpr fixed(double seconds, Span span) throws ParseException {
    if (!(Math.abs(seconds) <= MAX_SECONDS)) {
      throw tokens.error(span, "duration out of range");
    }
    return new DurationExpr.Fixed(Math.round(seconds * 1000));
  }

  private DurationExpr computed(Term term, Span span) throws ParseException {
    if (!options.durationExpressions()) {
      throw tokens.error(
          span,
          "experimental duration expression is not enabled"
              + ParserOptions.allowedBy(ParserOptions.DURATION_EXPRESSIONS));
    }
    return new DurationExpr.Computed(term, span);
  }

  private Term sum() throws ParseException {
    enter();
    Term left = product();
    while (tokens.is(TokenType.ADD) || tokens.is(TokenType.SUBTRACT)) {
      left = chain(left, tokens.is(TokenType.ADD) ? BinaryOp.ADD : BinaryOp.SUBTRACT);
    }
    nesting--;
    return left;
  }

  private Term product() throws ParseException {
    Term left = signedPower();
    while (isProduct(tokens.type().binaryOp())) {
      left = chain(left, java.util.Objects.requireNonNull(tokens.type().binaryOp()));
    }
    return left;
  }

  private static boolean isProduct(@org.jspecify.annotations.Nullable BinaryOp op) {
    return op == BinaryOp.MULTIPLY || op == BinaryOp.DIVIDE || op == BinaryOp.MODULO;
  }

  /** Chains are bounded too: their trees are as deep as they are long. */
  private Term chain(Term left, BinaryOp op) throws ParseException {
    links++;
    if (links > Parser.MAX_DEPTH) {
      throw tokens.error(
          tokens.span(), "duration has more than " + Parser.MAX_DEPTH + " operations");
    }
    Span start = tokens.span();
    tokens.advance();
    boolean sum = op == BinaryOp.ADD || op == BinaryOp.SUBTRACT;
    Term right = sum ? product() : signedPower();
    return arithmetic(op, left, right, start);
  }

  private int links;

  private Term arithmetic(BinaryOp op, Term left, Term right, Span opSpan) throws ParseException {
    boolean byZero = right instanceof Literal literal && literal.value() == 0;
    if (byZero && op == BinaryOp.DIVIDE) {
      throw tokens.error(opSpan, "division by zero");
    }
    if (byZero && op == BinaryOp.MODULO) {
      throw tokens.error(opSpan, "modulo by zero");
    }
    return new Arithmetic(op, left, right, opSpan.to(tokens.previousSpan()));
  }

  /** A sign binds weaker than a power, as outside of durations. */
  private Term signedPower() throws ParseException {
    if (!tokens.is(TokenType.ADD) && !tokens.is(TokenType.SUBTRACT)) {
      return power();
    }
    enter();
    boolean minus = tokens.takeSign() < 0;
    Term operand = signedPower();
    nesting--;
    return minus ? negated(operand) : operand;
  }

  private static Term negated(Term operand) {
    return operand instanceof Literal literal
        ? new Literal(-literal.value(), literal.writtenAsDuration())
        : new Negation(operand);
  }

  private Term power() throws ParseException {
    Term base = operand();
    if (!tokens.is(TokenType.POWER)) {
      return base;
    }
    Span start = tokens.span();
    enter();
    tokens.advance();
    Term exponent = signedPower();
    nesting--;
    return arithmetic(BinaryOp.POWER, base, exponent, start);
  }

  /** What may follow {@code offset} without parentheses. */
  private Term signed() throws ParseException {
    boolean minus = tokens.takeSign() < 0;
    Term operand = operand();
    return minus ? negated(operand) : operand;
  }

  private Term operand() throws ParseException {
    return switch (tokens.type()) {
      case NUMBER, DURATION -> {
        boolean duration = tokens.is(TokenType.DURATION);
        yield new Literal(tokens.takeNumber(), duration);
      }
      case LEFT_PAREN -> group();
      case STEP -> word(new Step());
      case RANGE -> word(new QueryRange());
      case MIN_OF, MAX_OF -> extreme();
      default -> throw unexpected();
    };
  }

  private Term group() throws ParseException {
    tokens.advance();
    Term inner = sum();
    expect(TokenType.RIGHT_PAREN);
    return new Group(inner);
  }

  private Term word(Term term) throws ParseException {
    tokens.advance();
    expect(TokenType.LEFT_PAREN);
    expect(TokenType.RIGHT_PAREN);
    return term;
  }

  private Term extreme() throws ParseException {
    boolean larger = tokens.is(TokenType.MAX_OF);
    tokens.advance();
    expect(TokenType.LEFT_PAREN);
    Term left = sum();
    expect(TokenType.COMMA);
    Term right = sum();
    expect(TokenType.RIGHT_PAREN);
    return new Extreme(larger, left, right);
  }

  private void expect(TokenType type) throws ParseException {
    if (!tokens.is(type)) {
      throw unexpected();
    }
    tokens.advance();
  }

  private ParseException unexpected() {
    return tokens.unexpected(context, expected);
  }

  private void enter() throws ParseException {
    nesting++;
    if (nesting > Parser.MAX_NESTING) {
      throw tokens.error(
          tokens.span(), "duration is nested deeper than " + Parser.MAX_NESTING + " levels");
    }
  }
}
