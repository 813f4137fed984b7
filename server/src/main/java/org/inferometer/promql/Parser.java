package org.inferometer.promql;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Names;
import org.inferometer.promql.Expr.RangeExtension;
import org.inferometer.promql.Expr.TimeShift;
import org.jspecify.annotations.Nullable;

/**
 * Reads a query into a checked tree, by recursive descent with one token of lookahead and
 * precedence climbing for operators. What it accepts and what it says of the rest is as in
 * Prometheus 3; the length of a query and the depth of its tree are bounded, so that no text can
 * exhaust the stack of whoever walks the tree.
 *
 * <p>One object reads one query. Not thread-safe; the static methods are.
 */
public final class Parser {
  /** In chars. The longest queries seen in dashboards have a few thousand. */
  public static final int MAX_LENGTH = 1 << 20;

  /** How deep parentheses, calls and operands may be nested in each other. */
  public static final int MAX_NESTING = 500;

  /** How deep the tree may be: a chain {@code a + b + c ...} is as deep as it is long. */
  public static final int MAX_DEPTH = 1000;

  /**
   * The most arguments of a call, matchers of a selector, or labels of a grouping: as many as a
   * series may have labels. Some of them are looked at for each series or each pair of series.
   */
  public static final int MAX_LISTED = 1024;

  private static final int UNARY_OPERAND = BinaryOp.POWER.precedence();

  private final ParserOptions options;
  private final TokenReader tokens;
  private final SelectorParser selectors;
  private final DurationParser durations;

  private int nesting;

  /** How many aggregations are open around the place; errors are then said to be in one. */
  private int openAggregations;

  /** Depth of the tree that was read last. */
  private int depth;

  private Parser(String query, ParserOptions options) throws ParseException {
    if (query.length() > MAX_LENGTH) {
      throw new ParseException(
          "", Span.NONE, "query is longer than " + MAX_LENGTH + " characters: " + query.length());
    }
    this.options = options;
    this.tokens = new TokenReader(query);
    this.selectors = new SelectorParser(tokens);
    this.durations = new DurationParser(tokens, options);
  }

  /**
   * A query in the whole language, what Prometheus keeps behind feature flags included.
   *
   * @throws ParseException if it isn't well formed or its types don't fit
   */
  public static Expr parse(String query) throws ParseException {
    return parse(query, ParserOptions.ALL);
  }

  /**
   * @throws ParseException if it isn't well formed or its types don't fit
   */
  public static Expr parse(String query, ParserOptions options) throws ParseException {
    Parser parser = new Parser(query, options);
    Expr expr = parser.parseAll();
    return new TypeCheck(query).check(expr);
  }

  /**
   * The matchers of an instant selector alone, as in {@code match[]}.
   *
   * @throws ParseException if it isn't one
   */
  public static List<Matcher> parseSelector(String selector) throws ParseException {
    Parser parser = new Parser(selector, ParserOptions.STABLE);
    if (parser.tokens.is(TokenType.END)) {
      throw parser.tokens.error(Span.NONE, "no expression found in input");
    }
    if (!parser.tokens.is(TokenType.LEFT_BRACE) && !parser.tokens.type().mayBeMetric()) {
      throw parser.tokens.unexpected("", "");
    }
    Expr.VectorSelector vector = parser.selectors.selector();
    parser.expectEnd();
    return vector.matchers();
  }

  /**
   * A label set written as a series: {@code name{label="value"}}, {@code {"name", "label"="v"}}.
   *
   * @throws ParseException if it isn't one
   */
  public static Labels parseMetric(String metric) throws ParseException {
    Parser parser = new Parser(metric, ParserOptions.STABLE);
    Labels labels = parser.selectors.metric();
    parser.expectEnd();
    return labels;
  }

  private Expr parseAll() throws ParseException {
    if (tokens.is(TokenType.END)) {
      throw tokens.error(Span.NONE, "no expression found in input");
    }
    Expr expr = expr(0);
    expectEnd();
    return expr;
  }

  private void expectEnd() throws ParseException {
    if (!tokens.is(TokenType.END)) {
      throw tokens.unexpected("", "");
    }
  }

  /** An operand and what follows it by operators of at least a strength. */
  private Expr expr(int minPrecedence) throws ParseException {
    enter();
    Expr left = unary();
    int leftDepth = depth;
    BinaryOp op = tokens.type().binaryOp();
    while (op != null && op.precedence() >= minPrecedence) {
      left = binary(op, left);
      leftDepth = deeper(Math.max(leftDepth, depth));
      op = tokens.type().binaryOp();
    }
    depth = leftDepth;
    nesting--;
    return left;
  }

  private void enter() throws ParseException {
    nesting++;
    if (nesting > MAX_NESTING) {
      throw tokens.error(
          tokens.span(), "expression is nested deeper than " + MAX_NESTING + " levels");
    }
  }

  private int deeper(int below) throws ParseException {
    if (below >= MAX_DEPTH) {
      throw tokens.error(tokens.span(), "expression tree is deeper than " + MAX_DEPTH + " levels");
    }
    return below + 1;
  }

  private Expr binary(BinaryOp op, Expr left) throws ParseException {
    tokens.advance();
    BinaryModifiers modifiers = BinaryModifiers.read(tokens, selectors);
    Expr right = expr(op.isRightAssociative() ? op.precedence() : op.precedence() + 1);
    Span span = left.span().to(right.span());
    if (modifiers.hasFill() && !options.fillModifiers()) {
      throw tokens.error(
          span,
          "binop fill modifiers are experimental and not enabled"
              + ParserOptions.allowedBy(ParserOptions.FILL_MODIFIERS));
    }
    return new Expr.Binary(op, left, right, modifiers.returnBool(), modifiers.matching(), span);
  }

  private Expr unary() throws ParseException {
    if (!tokens.is(TokenType.ADD) && !tokens.is(TokenType.SUBTRACT)) {
      return postfix(primary());
    }
    Span start = tokens.span();
    boolean minus = tokens.is(TokenType.SUBTRACT);
    tokens.advance();
    Expr operand = expr(UNARY_OPERAND);
    depth = deeper(depth);
    Span span = start.to(operand.span());
    return operand instanceof Expr.NumberLiteral number
        ? new Expr.NumberLiteral(
            minus ? -number.value() : number.value(), number.writtenAsDuration(), span)
        : new Expr.Unary(minus, operand, span);
  }

  private Expr primary() throws ParseException {
    depth = 1;
    TokenType type = tokens.type();
    return switch (type) {
      case NUMBER, DURATION -> numberLiteral();
      case STRING -> stringLiteral();
      case LEFT_PAREN -> paren();
      case LEFT_BRACE -> selectors.selector();
      case IDENTIFIER, START, FINISH, STEP, RANGE -> callOrSelector();
      default -> {
        if (type.aggregateOp() != null) {
          yield aggregateOrSelector(type.aggregateOp());
        }
        if (!type.mayBeMetric()) {
          throw unexpected();
        }
        yield selectors.selector();
      }
    };
  }

  private ParseException unexpected() {
    return tokens.unexpected(openAggregations > 0 ? "aggregation" : "", "");
  }

  private void expect(TokenType type) throws ParseException {
    if (!tokens.is(type)) {
      throw unexpected();
    }
    tokens.advance();
  }

  private Expr numberLiteral() throws ParseException {
    Span span = tokens.span();
    boolean duration = tokens.is(TokenType.DURATION);
    return new Expr.NumberLiteral(tokens.takeNumber(), duration, span);
  }

  private Expr stringLiteral() throws ParseException {
    Span span = tokens.span();
    String value = GoText.unquote(tokens.text());
    tokens.advance();
    return new Expr.StringLiteral(value, span);
  }

  private Expr paren() throws ParseException {
    Span start = tokens.span();
    tokens.advance();
    Expr inner = expr(0);
    Span end = tokens.span();
    expect(TokenType.RIGHT_PAREN);
    depth = deeper(depth);
    return new Expr.Paren(inner, start.to(end));
  }

  private Expr callOrSelector() throws ParseException {
    return tokens.peekIs(TokenType.LEFT_PAREN) ? call() : selectors.selector();
  }

  private Expr call() throws ParseException {
    Span nameSpan = tokens.span();
    String name = tokens.text();
    tokens.advance();
    List<Expr> arguments = arguments();
    FunctionSignature function = Functions.find(name);
    if (function == null) {
      throw tokens.error(nameSpan, "unknown function with name " + GoText.quote(name));
    }
    if (function.experimental() && !options.experimentalFunctions()) {
      throw tokens.error(
          nameSpan,
          "function "
              + GoText.quote(name)
              + " is not enabled"
              + ParserOptions.allowedBy(ParserOptions.EXPERIMENTAL_FUNCTIONS));
    }
    return new Expr.Call(function, arguments, nameSpan.to(tokens.previousSpan()));
  }

  private List<Expr> arguments() throws ParseException {
    expect(TokenType.LEFT_PAREN);
    List<Expr> arguments = new ArrayList<>();
    int deepest = 0;
    while (!tokens.is(TokenType.RIGHT_PAREN)) {
      tokens.requireRoom(arguments, "arguments");
      arguments.add(expr(0));
      deepest = Math.max(deepest, depth);
      if (tokens.is(TokenType.COMMA)) {
        argumentSeparator();
      } else if (!tokens.is(TokenType.RIGHT_PAREN)) {
        throw unexpected();
      }
    }
    tokens.advance();
    depth = deeper(deepest);
    return arguments;
  }

  private void argumentSeparator() throws ParseException {
    Span comma = tokens.span();
    tokens.advance();
    if (tokens.is(TokenType.RIGHT_PAREN)) {
      throw tokens.error(comma, "trailing commas not allowed in function call args");
    }
  }

  /** The names of aggregations may name metrics too, where nothing else makes sense. */
  private Expr aggregateOrSelector(AggregateOp op) throws ParseException {
    TokenType next = tokens.peek().type();
    return switch (next) {
      case LEFT_PAREN, BY, WITHOUT -> aggregate(op);
      case END, LEFT_BRACE, LEFT_BRACKET, OFFSET, AT, ANCHORED, SMOOTHED, RIGHT_PAREN, COMMA ->
          selectors.selector();
      default -> {
        if (next.binaryOp() != null) {
          yield selectors.selector();
        }
        tokens.advance();
        throw tokens.unexpected("aggregation", "");
      }
    };
  }

  private Expr aggregate(AggregateOp op) throws ParseException {
    Span start = tokens.span();
    tokens.advance();
    openAggregations++;
    boolean without = tokens.is(TokenType.WITHOUT);
    List<String> grouping = grouping();
    List<Expr> arguments = arguments();
    openAggregations--;
    if (grouping == null) {
      without = tokens.is(TokenType.WITHOUT);
      grouping = grouping();
    }
    Span span = start.to(tokens.previousSpan());
    checkAggregate(op, arguments.size(), span);
    Expr parameter = op.parameter() == null ? null : arguments.getFirst();
    return new Expr.Aggregate(
        op, arguments.getLast(), parameter, grouping == null ? List.of() : grouping, without, span);
  }

  private @Nullable List<String> grouping() throws ParseException {
    if (!tokens.is(TokenType.BY) && !tokens.is(TokenType.WITHOUT)) {
      return null;
    }
    tokens.advance();
    return selectors.labelNames();
  }

  private void checkAggregate(AggregateOp op, int arguments, Span span) throws ParseException {
    if (arguments == 0) {
      throw tokens.error(span, "no arguments for aggregate expression provided");
    }
    if (op.isExperimental() && !options.experimentalFunctions()) {
      throw tokens.error(
          span,
          op.keyword()
              + "() is experimental and must be enabled with --enable-feature="
              + ParserOptions.EXPERIMENTAL_FUNCTIONS);
    }
    int expected = op.parameter() == null ? 1 : 2;
    if (arguments != expected) {
      throw tokens.error(
          span,
          "wrong number of arguments for aggregate expression provided, expected "
              + expected
              + ", got "
              + arguments);
    }
  }

  /** Ranges, subqueries and modifiers of time behind an operand. */
  private Expr postfix(Expr operand) throws ParseException {
    Expr expr = operand;
    while (true) {
      switch (tokens.type()) {
        case LEFT_BRACKET -> {
          expr = bracketed(expr);
          depth = deeper(depth);
        }
        case OFFSET -> expr = offset(expr);
        case AT -> expr = at(expr);
        case ANCHORED -> expr = extend(expr, RangeExtension.ANCHORED);
        case SMOOTHED -> expr = extend(expr, RangeExtension.SMOOTHED);
        default -> {
          return expr;
        }
      }
    }
  }

  private Expr bracketed(Expr operand) throws ParseException {
    Span open = tokens.span();
    tokens.advance();
    DurationExpr range = durations.positive("subquery or range selector", "");
    if (tokens.is(TokenType.COLON)) {
      return subquery(operand, range);
    }
    if (!tokens.is(TokenType.RIGHT_BRACKET)) {
      throw tokens.unexpected("subquery or range", "\":\" or \"]\"");
    }
    Span close = tokens.span();
    tokens.advance();
    if (!(operand instanceof Expr.VectorSelector selector)) {
      throw tokens.error(open.to(close), "ranges only allowed for vector selectors");
    }
    if (selector.shift().offset() != null) {
      throw tokens.error(open.to(close), "no offset modifiers allowed before range");
    }
    if (selector.shift().at() != null) {
      throw tokens.error(open.to(close), "no @ modifiers allowed before range");
    }
    return new Expr.MatrixSelector(selector, range, selector.span().to(close));
  }

  private Expr subquery(Expr operand, DurationExpr range) throws ParseException {
    tokens.advance();
    DurationExpr step = null;
    if (!tokens.is(TokenType.RIGHT_BRACKET)) {
      step = durations.positive("subquery selector", " or \"]\"");
      if (!tokens.is(TokenType.RIGHT_BRACKET)) {
        throw tokens.unexpected("subquery selector", "\"]\"");
      }
    }
    Span close = tokens.span();
    tokens.advance();
    return new Expr.Subquery(operand, range, step, TimeShift.NONE, operand.span().to(close));
  }

  private Expr offset(Expr operand) throws ParseException {
    tokens.advance();
    DurationExpr offset = durations.offset();
    TimeShift shift = Shifts.of(operand);
    if (shift == null) {
      throw tokens.error(
          operand.span(),
          "offset modifier must be preceded by an instant vector selector or range vector selector"
              + " or a subquery");
    }
    if (shift.offset() != null) {
      throw tokens.error(operand.span(), "offset may not be set multiple times");
    }
    DurationExpr written = offset.equals(new DurationExpr.Fixed(0)) ? null : offset;
    return Shifts.with(operand, new TimeShift(written, shift.at()), tokens.previousSpan());
  }

  private Expr at(Expr operand) throws ParseException {
    tokens.advance();
    Expr.At at = atTime(operand);
    TimeShift shift = Shifts.of(operand);
    if (shift == null) {
      throw tokens.error(
          operand.span(),
          "@ modifier must be preceded by an instant vector selector or range vector selector or a"
              + " subquery");
    }
    if (shift.at() != null) {
      throw tokens.error(operand.span(), "@ <timestamp> may not be set multiple times");
    }
    return Shifts.with(operand, new TimeShift(shift.offset(), at), tokens.previousSpan());
  }

  private Expr.At atTime(Expr operand) throws ParseException {
    if (tokens.is(TokenType.START) || tokens.is(TokenType.FINISH)) {
      boolean start = tokens.is(TokenType.START);
      tokens.advance();
      expectInAt(TokenType.LEFT_PAREN);
      expectInAt(TokenType.RIGHT_PAREN);
      return start ? new Expr.At.Start() : new Expr.At.End();
    }
    int sign = tokens.takeSign();
    if (!tokens.is(TokenType.NUMBER) && !tokens.is(TokenType.DURATION)) {
      throw tokens.unexpected("@", "timestamp");
    }
    double seconds = sign * tokens.takeNumber();
    if (!(Math.abs(seconds) < 0x1p63)) {
      throw tokens.error(
          operand.span(), "timestamp out of bounds for @ modifier: " + GoText.sixDecimals(seconds));
    }
    return new Expr.At.Instant(roundedMs(seconds));
  }

  private void expectInAt(TokenType type) throws ParseException {
    if (!tokens.is(type)) {
      throw tokens.unexpected("@", "timestamp");
    }
    tokens.advance();
  }

  /** Rounds half away from zero. */
  private static long roundedMs(double seconds) {
    double ms = Math.abs(seconds) * 1000;
    double whole = Math.floor(ms);
    return (long) Math.copySign(ms - whole >= 0.5 ? whole + 1 : whole, seconds);
  }

  private Expr extend(Expr operand, RangeExtension extension) throws ParseException {
    String word = tokens.type().text();
    if (!options.extendedRangeSelectors()) {
      throw tokens.error(
          operand.span(),
          word
              + " modifier is experimental and not enabled"
              + ParserOptions.allowedBy(ParserOptions.EXTENDED_RANGE_SELECTORS));
    }
    tokens.advance();
    return switch (operand) {
      case Expr.VectorSelector vector -> extended(vector, extension, operand.span());
      case Expr.MatrixSelector matrix ->
          new Expr.MatrixSelector(
              extended(matrix.selector(), extension, operand.span()),
              matrix.range(),
              matrix.span());
      case Expr.Subquery subquery ->
          throw tokens.error(subquery.span(), word + " modifier is not supported for subqueries");
      case Expr other -> throw tokens.error(other.span(), word + " modifier not implemented");
    };
  }

  private Expr.VectorSelector extended(
      Expr.VectorSelector vector, RangeExtension extension, Span span) throws ParseException {
    if (vector.extension() != RangeExtension.NONE && vector.extension() != extension) {
      throw tokens.error(span, "anchored and smoothed modifiers cannot be used together");
    }
    return new Expr.VectorSelector(
        vector.metricName(), vector.matchers(), vector.shift(), extension, vector.span());
  }

  /** A matcher, or the error that its regular expression has, placed at {@code span}. */
  static Matcher matcher(
      TokenReader tokens, Matcher.Type type, String name, String value, Span span)
      throws ParseException {
    try {
      return new Matcher(type, name, value);
    } catch (PatternSyntaxException e) {
      throw tokens.error(span, String.valueOf(e.getMessage()));
    }
  }

  /** Whether a text is a label name that a query may use: any that is valid Unicode. */
  static boolean isLabelName(String name) {
    return !name.isEmpty()
        && (Names.isLegacyLabelName(name) || name.codePoints().noneMatch(Parser::isSurrogate));
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
