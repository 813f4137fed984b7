package org.inferometer.promql;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Names;
import org.inferometer.promql.Lexer.Kind;
import org.inferometer.promql.Lexer.Token;
import org.jspecify.annotations.Nullable;

/** Recursive descent over the tokens of a query; binary operators by precedence climbing. */
public final class Parser {
  /** How deep expressions may nest: far above what people write, far below the stack's depth. */
  static final int DEPTH_MAX = 500;

  /** How long a query may be, in characters. */
  static final int LENGTH_MAX = 1 << 20;

  private final String query;
  private final List<Token> tokens;
  private int at;
  private int depth;

  /** The second argument of info() says which labels to take; it may match everything. */
  private boolean inInfoArgument;

  private Parser(String query) throws ParseException {
    this.query = query;
    this.tokens = Lexer.tokens(query);
  }

  /** The tree of a query, checked for types. */
  public static Expr parse(String query) throws ParseException {
    if (query.length() > LENGTH_MAX) {
      throw new ParseException(
          "", Span.NONE, "query is longer than " + LENGTH_MAX + " characters");
    }
    Parser parser = new Parser(query);
    if (parser.peek().kind() == Kind.END) {
      throw parser.error(parser.peek(), "no expression found in input");
    }
    Expr expr = parser.expression(1);
    if (parser.peek().kind() != Kind.END) {
      throw parser.unexpected("");
    }
    return expr;
  }

  /**
   * The label set of a series as test scripts and error messages write it: {@code name{a="b"}},
   * {@code {"quoted name", a="b"}} or {@code {}}.
   */
  public static Labels parseMetric(String text) throws ParseException {
    Parser parser = new Parser(text);
    Token first = parser.peek();
    String name = "";
    if (first.kind() == Kind.WORD) {
      name = parser.next().text();
    } else if (!first.is("{")) {
      throw parser.unexpected("");
    }
    Expr.VectorSelector selector = parser.anySelector(first.start(), name);
    if (parser.peek().kind() != Kind.END) {
      throw parser.unexpected("");
    }
    Labels.Builder labels = new Labels.Builder();
    for (Matcher matcher : selector.matchers()) {
      labels.set(matcher.name(), matcher.value());
    }
    return labels.build();
  }

  // ---- tokens

  private Token peek() {
    return tokens.get(at);
  }

  private Token peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  private Token next() {
    Token token = tokens.get(at);
    if (token.kind() != Kind.END) {
      at++;
    }
    return token;
  }

  private boolean take(String symbol) {
    if (peek().is(symbol)) {
      at++;
      return true;
    }
    return false;
  }

  private boolean takeWord(String word) {
    if (peek().isWord(word)) {
      at++;
      return true;
    }
    return false;
  }

  private Token expect(String symbol, String context) throws ParseException {
    if (!peek().is(symbol)) {
      throw unexpected(context + ", expected \"" + symbol + "\"");
    }
    return next();
  }

  private ParseException unexpected(String context) {
    return error(peek(), "unexpected " + peek().described() + context);
  }

  private ParseException error(Token token, String problem) {
    return new ParseException(query, new Span(token.start(), token.end()), problem);
  }

  private ParseException error(Span span, String problem) {
    return new ParseException(query, span, problem);
  }

  private Span since(int start) {
    return new Span(start, tokens.get(Math.max(0, at - 1)).end());
  }

  // ---- operators

  private Expr expression(int minPrecedence) throws ParseException {
    if (++depth > DEPTH_MAX) {
      throw error(peek(), "expression nests deeper than " + DEPTH_MAX + " levels");
    }
    Expr left = unary();
    while (true) {
      BinaryOp op = operator(peek());
      if (op == null || op.precedence() < minPrecedence) {
        depth--;
        return left;
      }
      next();
      left = binary(op, left);
    }
  }

  private static @Nullable BinaryOp operator(Token token) {
    if (token.kind() != Kind.SYMBOL && token.kind() != Kind.WORD) {
      return null;
    }
    for (BinaryOp op : BinaryOp.values()) {
      if (token.text().equalsIgnoreCase(op.symbol())) {
        return op;
      }
    }
    return null;
  }

  private Expr binary(BinaryOp op, Expr left) throws ParseException {
    boolean returnBool = takeWord("bool");
    if (returnBool && !op.isComparison()) {
      throw error(tokens.get(at - 1), "bool modifier can only be used on comparison operators");
    }
    MatchingClause clause = matchingClause();
    Expr right =
        expression(op.isRightAssociative() ? op.precedence() : op.precedence() + 1);
    Span span = new Span(left.span().start(), right.span().end());
    ValueType leftType = TypeCheck.typeOf(left);
    ValueType rightType = TypeCheck.typeOf(right);
    boolean vectors =
        leftType == ValueType.INSTANT_VECTOR && rightType == ValueType.INSTANT_VECTOR;
    TypeCheck.binary(query, op, leftType, rightType, returnBool, clause.written, left, right);
    Expr.VectorMatching matching = vectors ? clause.matching(op) : null;
    if (vectors) {
      TypeCheck.matching(query, op, clause.matching(op), span);
    }
    return new Expr.Binary(op, left, right, returnBool, matching, span);
  }

  /** What stands between a binary operator and its right side. */
  private static final class MatchingClause {
    private boolean written;
    private boolean on;
    private List<String> labels = List.of();
    private List<String> include = List.of();
    private Expr.Cardinality cardinality = Expr.Cardinality.ONE_TO_ONE;
    private @Nullable Double fillLeft;
    private @Nullable Double fillRight;

    Expr.VectorMatching matching(BinaryOp op) {
      Expr.Cardinality effective =
          op.isSet() && cardinality == Expr.Cardinality.ONE_TO_ONE
              ? Expr.Cardinality.MANY_TO_MANY
              : cardinality;
      return new Expr.VectorMatching(effective, on, labels, include, fillLeft, fillRight);
    }
  }

  private MatchingClause matchingClause() throws ParseException {
    MatchingClause clause = new MatchingClause();
    if ((peek().isWord("on") || peek().isWord("ignoring")) && peek(1).is("(")) {
      clause.written = true;
      clause.on = next().isWord("on");
      clause.labels = labelList("grouping opts");
      if (peek().isWord("group_left") || peek().isWord("group_right")) {
        clause.cardinality =
            next().isWord("group_left")
                ? Expr.Cardinality.MANY_TO_ONE
                : Expr.Cardinality.ONE_TO_MANY;
        clause.include = peek().is("(") ? labelList("grouping opts") : List.of();
      }
    }
    while (peek(1).is("(")
        && (peek().isWord("fill") || peek().isWord("fill_left") || peek().isWord("fill_right"))) {
      clause.written = true;
      String word = next().text().toLowerCase(Locale.ROOT);
      expect("(", " in fill modifier");
      double value = signedNumber();
      expect(")", " in fill modifier");
      clause.fillLeft = word.equals("fill_right") ? clause.fillLeft : Double.valueOf(value);
      clause.fillRight = word.equals("fill_left") ? clause.fillRight : Double.valueOf(value);
    }
    return clause;
  }

  private double signedNumber() throws ParseException {
    boolean minus = peek().is("-");
    if (minus || peek().is("+")) {
      next();
    }
    Token token = next();
    Double value = number(token);
    if (value == null) {
      at--;
      throw unexpected(" in fill modifier, expected number");
    }
    return minus ? -value : value;
  }

  private Expr unary() throws ParseException {
    Token sign = peek();
    if (!sign.is("-") && !sign.is("+")) {
      return postfix(primary());
    }
    next();
    boolean minus = sign.is("-");
    Expr operand = expression(BinaryOp.POWER.precedence());
    Span span = new Span(sign.start(), operand.span().end());
    if (operand instanceof Expr.NumberLiteral number) {
      return new Expr.NumberLiteral(
          minus ? -number.value() : number.value(), number.writtenAsDuration(), span);
    }
    TypeCheck.unary(query, TypeCheck.typeOf(operand), span);
    return new Expr.Unary(minus, operand, span);
  }

  // ---- leaves

  private Expr primary() throws ParseException {
    Token token = peek();
    return switch (token.kind()) {
      case NUMBER, DURATION -> numberLiteral();
      case STRING -> {
        next();
        yield new Expr.StringLiteral(token.text(), new Span(token.start(), token.end()));
      }
      case SYMBOL -> parenOrSelector(token);
      case WORD -> word(token);
      case END -> throw unexpected("");
    };
  }

  private Expr numberLiteral() throws ParseException {
    Token token = next();
    Double value = number(token);
    if (value == null) {
      throw error(token, "error parsing number: \"" + token.text() + "\"");
    }
    return new Expr.NumberLiteral(
        value, token.kind() == Kind.DURATION, new Span(token.start(), token.end()));
  }

  /** The number that a token is, durations in seconds; null if it is none. */
  private @Nullable Double number(Token token) throws ParseException {
    return switch (token.kind()) {
      case NUMBER -> parseNumber(token);
      case DURATION -> durationMs(token) / 1000.0;
      case WORD ->
          token.isWord("inf")
              ? Double.POSITIVE_INFINITY
              : token.isWord("nan") ? Double.valueOf(Double.NaN) : null;
      case STRING, SYMBOL, END -> null;
    };
  }

  private double parseNumber(Token token) throws ParseException {
    String text = token.text().replace("_", "");
    try {
      if (text.startsWith("0x") || text.startsWith("0X")) {
        return Long.parseLong(text.substring(2), 16);
      }
      if (text.length() > 1 && text.charAt(0) == '0' && text.chars().allMatch(c -> c < '8' && c >= '0')) {
        return Long.parseLong(text, 8);
      }
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw error(token, "error parsing number: \"" + token.text() + "\"");
    }
  }

  private long durationMs(Token token) throws ParseException {
    try {
      return Durations.parseMs(token.text());
    } catch (IllegalArgumentException e) {
      throw error(token, String.valueOf(e.getMessage()));
    }
  }

  private Expr parenOrSelector(Token token) throws ParseException {
    if (token.is("(")) {
      next();
      Expr inner = expression(1);
      expect(")", " in paren expression");
      return new Expr.Paren(inner, since(token.start()));
    }
    if (token.is("{")) {
      return selector(token.start(), "");
    }
    throw unexpected("");
  }

  private Expr word(Token token) throws ParseException {
    AggregateOp aggregate = aggregate(token);
    if (aggregate != null
        && (peek(1).is("(") || peek(1).isWord("by") || peek(1).isWord("without"))) {
      return aggregate(aggregate);
    }
    if (peek(1).is("(") && !isReserved(token)) {
      return call();
    }
    if ((token.isWord("inf") || token.isWord("nan")) && !peek(1).is("{")) {
      next();
      return new Expr.NumberLiteral(
          token.isWord("inf") ? Double.POSITIVE_INFINITY : Double.NaN,
          false,
          new Span(token.start(), token.end()));
    }
    if (isReserved(token)) {
      throw unexpected("");
    }
    next();
    return selector(token.start(), token.text());
  }

  private static boolean isReserved(Token token) {
    return List.of("bool", "on", "ignoring", "group_left", "group_right")
        .contains(token.text().toLowerCase(Locale.ROOT));
  }

  private static @Nullable AggregateOp aggregate(Token token) {
    for (AggregateOp op : AggregateOp.values()) {
      if (token.isWord(op.keyword())) {
        return op;
      }
    }
    return null;
  }

  private Expr aggregate(AggregateOp op) throws ParseException {
    Token start = next();
    Grouping grouping = new Grouping();
    boolean before = grouping(grouping);
    Token open = expect("(", " in aggregation");
    List<Expr> arguments = arguments("aggregation");
    if (!before) {
      grouping(grouping);
    }
    Span span = since(start.start());
    int expected = op.parameter() == null ? 1 : 2;
    if (arguments.isEmpty()) {
      throw error(open, "no arguments for aggregate expression provided");
    }
    if (arguments.size() != expected) {
      throw error(
          span,
          "wrong number of arguments for aggregate expression provided, expected "
              + expected
              + ", got "
              + arguments.size());
    }
    Expr parameter = expected == 2 ? arguments.get(0) : null;
    Expr operand = arguments.get(expected - 1);
    TypeCheck.aggregate(query, op, parameter, operand);
    return new Expr.Aggregate(op, operand, parameter, grouping.labels, grouping.without, span);
  }

  private static final class Grouping {
    private List<String> labels = List.of();
    private boolean without;
  }

  private boolean grouping(Grouping grouping) throws ParseException {
    if (!peek().isWord("by") && !peek().isWord("without")) {
      return false;
    }
    grouping.without = next().isWord("without");
    grouping.labels = labelList("grouping opts");
    return true;
  }

  private List<String> labelList(String context) throws ParseException {
    expect("(", " in " + context);
    List<String> labels = new ArrayList<>();
    while (!peek().is(")")) {
      Token label = next();
      boolean plain = label.kind() == Kind.WORD && Names.isLegacyLabelName(label.text());
      if (!plain && (label.kind() != Kind.STRING || label.text().isEmpty())) {
        at -= label.kind() == Kind.END ? 0 : 1;
        throw unexpected(" in " + context + ", expected label");
      }
      labels.add(label.text());
      if (!take(",") && !peek().is(")")) {
        throw unexpected(" in " + context + ", expected \",\" or \")\"");
      }
    }
    next();
    return labels;
  }

  private List<Expr> arguments(String context) throws ParseException {
    List<Expr> arguments = new ArrayList<>();
    boolean info = context.equals("info");
    while (!peek().is(")")) {
      inInfoArgument = info && arguments.size() == 1;
      arguments.add(expression(1));
      inInfoArgument = false;
      if (!take(",")) {
        break;
      }
      if (peek().is(")")) {
        throw error(peek(), "trailing commas not allowed in function call args");
      }
    }
    expect(")", " in " + context);
    return arguments;
  }

  private Expr call() throws ParseException {
    Token name = next();
    FunctionSignature function = Functions.find(name.text());
    if (function == null) {
      throw error(name, "unknown function with name \"" + name.text() + "\"");
    }
    next();
    List<Expr> arguments = arguments(name.text().equals("info") ? "info" : "function call");
    Span span = since(name.start());
    TypeCheck.call(query, function, arguments, span);
    return new Expr.Call(function, arguments, span);
  }

  // ---- selectors

  private Expr selector(int start, String name) throws ParseException {
    Expr.VectorSelector selector = anySelector(start, name);
    if (!inInfoArgument && selector.matchers().stream().allMatch(Matcher::matchesEmpty)) {
      throw error(
          selector.span(), "vector selector must contain at least one non-empty matcher");
    }
    return selector;
  }

  private Expr.VectorSelector anySelector(int start, String name) throws ParseException {
    String metricName = name;
    List<Matcher> matchers = new ArrayList<>();
    if (take("{")) {
      while (!peek().is("}")) {
        Token label = next();
        boolean quoted = label.kind() == Kind.STRING;
        if (quoted && (peek().is(",") || peek().is("}"))) {
          if (!metricName.isEmpty()) {
            throw error(
                label,
                "metric name must not be set twice: \""
                    + metricName
                    + "\" or \""
                    + label.text()
                    + "\"");
          }
          metricName = label.text();
        } else {
          matchers.add(matcher(label, quoted));
        }
        if (!take(",") && !peek().is("}")) {
          throw unexpected(" in label matching, expected \",\" or \"}\"");
        }
      }
      next();
    }
    Span span = since(start);
    checkName(metricName, matchers, !name.isEmpty(), span);
    if (!metricName.isEmpty()) {
      matchers.add(Matcher.equal(Labels.NAME, metricName));
    }
    return new Expr.VectorSelector(
        metricName, matchers, Expr.TimeShift.NONE, Expr.RangeExtension.NONE, span);
  }

  private void checkName(String name, List<Matcher> matchers, boolean before, Span span)
      throws ParseException {
    if (name.isEmpty()) {
      return;
    }
    for (Matcher matcher : matchers) {
      if (before && matcher.name().equals(Labels.NAME)) {
        throw error(
            span,
            "metric name must not be set twice: \"" + name + "\" or \"" + matcher.value() + "\"");
      }
    }
  }

  private Matcher matcher(Token label, boolean quoted) throws ParseException {
    boolean named = quoted || (label.kind() == Kind.WORD && Names.isLegacyLabelName(label.text()));
    if (!named) {
      at -= label.kind() == Kind.END ? 0 : 1;
      throw unexpected(" in label matching, expected identifier or \"}\"");
    }
    Token op = next();
    Matcher.Type type =
        op.is("=")
            ? Matcher.Type.EQUAL
            : op.is("!=")
                ? Matcher.Type.NOT_EQUAL
                : op.is("=~") ? Matcher.Type.REGEX : op.is("!~") ? Matcher.Type.NOT_REGEX : null;
    if (type == null) {
      at -= op.kind() == Kind.END ? 0 : 1;
      throw unexpected(" in label matching, expected label matching operator");
    }
    Token value = next();
    if (value.kind() != Kind.STRING) {
      at -= value.kind() == Kind.END ? 0 : 1;
      throw unexpected(" in label matching, expected string");
    }
    try {
      return new Matcher(type, label.text(), value.text());
    } catch (PatternSyntaxException e) {
      throw error(value, e.getMessage());
    }
  }

  // ---- what follows a selector or expression

  private Expr postfix(Expr base) throws ParseException {
    Expr expr = base;
    while (true) {
      Token token = peek();
      if (token.is("[")) {
        expr = range(expr);
      } else if (token.isWord("offset")) {
        expr = offset(expr);
      } else if (token.is("@")) {
        expr = at(expr);
      } else if (token.isWord("anchored") || token.isWord("smoothed")) {
        expr = extension(expr);
      } else {
        return expr;
      }
    }
  }

  private Expr range(Expr expr) throws ParseException {
    Token open = next();
    DurationExpr range = new DurationParser().inBrackets();
    if (take(":")) {
      DurationExpr step = peek().is("]") ? null : new DurationParser().inBrackets();
      expect("]", " in subquery selector");
      TypeCheck.subquery(query, TypeCheck.typeOf(expr), expr.span());
      return new Expr.Subquery(
          expr, range, step, Expr.TimeShift.NONE, since(expr.span().start()));
    }
    expect("]", " in matrix selector");
    if (!(expr instanceof Expr.VectorSelector selector)) {
      throw error(open, "ranges only allowed for vector selectors");
    }
    if (selector.shift().offset() != null) {
      throw error(open, "no offset modifiers allowed before range");
    }
    if (selector.shift().at() != null) {
      throw error(open, "no @ modifiers allowed before range");
    }
    return new Expr.MatrixSelector(selector, range, since(expr.span().start()));
  }

  private Expr offset(Expr expr) throws ParseException {
    Token word = next();
    DurationExpr offset = new DurationParser().afterOffset();
    Expr.TimeShift shift = shift(expr, word, "offset modifier");
    if (shift.offset() != null) {
      throw error(word, "offset may not be set multiple times");
    }
    return shifted(expr, new Expr.TimeShift(offset, shift.at()));
  }

  private Expr at(Expr expr) throws ParseException {
    Token symbol = next();
    Expr.At at = moment();
    Expr.TimeShift shift = shift(expr, symbol, "@ modifier");
    if (shift.at() != null) {
      throw error(symbol, "@ <timestamp> may not be set multiple times");
    }
    return shifted(expr, new Expr.TimeShift(shift.offset(), at));
  }

  private Expr.At moment() throws ParseException {
    if ((peek().isWord("start") || peek().isWord("end")) && peek(1).is("(")) {
      boolean start = next().isWord("start");
      next();
      expect(")", " in @");
      return start ? new Expr.At.Start() : new Expr.At.End();
    }
    Token sign = peek();
    boolean minus = sign.is("-");
    if (minus || sign.is("+")) {
      next();
    }
    Token token = peek();
    Double seconds = token.kind() == Kind.END ? null : number(next());
    if (seconds == null) {
      at -= token.kind() == Kind.END ? 0 : 1;
      throw unexpected(" in @, expected timestamp");
    }
    double value = minus ? -seconds : seconds;
    if (Double.isNaN(value) || Math.abs(value) >= Long.MAX_VALUE / 1000.0) {
      throw error(token, "timestamp out of bounds for @ modifier: " + value);
    }
    return new Expr.At.Instant(Math.round(value * 1000));
  }

  private Expr.TimeShift shift(Expr expr, Token where, String what) throws ParseException {
    return switch (expr) {
      case Expr.VectorSelector selector -> selector.shift();
      case Expr.MatrixSelector matrix -> matrix.selector().shift();
      case Expr.Subquery subquery -> subquery.shift();
      default ->
          throw error(
              where,
              what
                  + " must be preceded by an instant vector selector or range vector selector or a"
                  + " subquery");
    };
  }

  private Expr shifted(Expr expr, Expr.TimeShift shift) {
    Span span = since(expr.span().start());
    return switch (expr) {
      case Expr.VectorSelector s ->
          new Expr.VectorSelector(s.metricName(), s.matchers(), shift, s.extension(), span);
      case Expr.MatrixSelector m ->
          new Expr.MatrixSelector(
              new Expr.VectorSelector(
                  m.selector().metricName(),
                  m.selector().matchers(),
                  shift,
                  m.selector().extension(),
                  m.selector().span()),
              m.range(),
              span);
      case Expr.Subquery q -> new Expr.Subquery(q.inner(), q.range(), q.step(), shift, span);
      default -> throw new IllegalStateException("only selectors and subqueries are shifted");
    };
  }

  private Expr extension(Expr expr) throws ParseException {
    Token word = next();
    Expr.RangeExtension extension =
        word.isWord("anchored") ? Expr.RangeExtension.ANCHORED : Expr.RangeExtension.SMOOTHED;
    Expr.VectorSelector selector =
        switch (expr) {
          case Expr.VectorSelector s -> s;
          case Expr.MatrixSelector m -> m.selector();
          default ->
              throw error(
                  word,
                  word.text().toLowerCase(Locale.ROOT)
                      + " modifier must be preceded by an instant or range vector selector");
        };
    if (selector.extension() != Expr.RangeExtension.NONE) {
      throw error(word, "anchored and smoothed modifiers cannot be used together");
    }
    Span span = since(expr.span().start());
    Expr.VectorSelector extended =
        new Expr.VectorSelector(
            selector.metricName(),
            selector.matchers(),
            selector.shift(),
            extension,
            expr instanceof Expr.VectorSelector ? span : selector.span());
    return expr instanceof Expr.MatrixSelector matrix
        ? new Expr.MatrixSelector(extended, matrix.range(), span)
        : extended;
  }

  // ---- durations

  /** Arithmetic over lengths of time, in seconds. */
  private final class DurationParser {
    DurationExpr inBrackets() throws ParseException {
      int start = peek().start();
      if (peek().is("]") || peek().is(":")) {
        throw unexpected(", expected duration");
      }
      return finish(start, sum(), true);
    }

    DurationExpr afterOffset() throws ParseException {
      return finish(peek().start(), factor(), false);
    }

    private DurationExpr finish(int start, Computation value, boolean positive)
        throws ParseException {
      Span span = since(start);
      if (!value.constant) {
        return new DurationExpr.Computed(value.text, value.seconds, span);
      }
      double seconds = value.seconds.of(0, 0);
      if (positive && !(seconds > 0)) {
        throw error(span, "duration must be greater than 0");
      }
      if (Double.isNaN(seconds) || Math.abs(seconds) > 9.2e9) {
        throw error(span, "duration out of range");
      }
      long ms = Math.round(seconds * 1000);
      return value.literal
          ? new DurationExpr.Fixed(ms)
          : new DurationExpr.Computed(value.text, value.seconds, span);
    }

    private Computation sum() throws ParseException {
      Computation left = product();
      while (peek().is("+") || peek().is("-")) {
        left = left.with(next().text(), product());
      }
      return left;
    }

    private Computation product() throws ParseException {
      Computation left = signed();
      while (peek().is("*") || peek().is("/") || peek().is("%")) {
        Token op = next();
        Computation right = signed();
        if (right.constant && right.seconds.of(0, 0) == 0 && !op.is("*")) {
          throw error(op, op.is("/") ? "division by zero" : "modulo by zero");
        }
        left = left.with(op.text(), right);
      }
      return left;
    }

    private Computation signed() throws ParseException {
      Token token = peek();
      if (take("-") || take("+")) {
        Computation inner = power();
        return token.is("-") ? inner.negated() : inner;
      }
      return power();
    }

    private Computation power() throws ParseException {
      Computation left = factor();
      return peek().is("^") ? left.with(next().text(), signed()) : left;
    }

    private Computation factor() throws ParseException {
      if (++depth > DEPTH_MAX) {
        throw error(peek(), "expression nests deeper than " + DEPTH_MAX + " levels");
      }
      Computation result = factorAtDepth();
      depth--;
      return result;
    }

    private Computation factorAtDepth() throws ParseException {
      Token token = peek();
      if (take("-") || take("+")) {
        Computation inner = factor();
        return token.is("-") ? inner.negated() : inner;
      }
      if (take("(")) {
        Computation inner = sum();
        expect(")", " in duration expression");
        return inner.parenthesised();
      }
      if (token.kind() == Kind.WORD && peek(1).is("(")) {
        return function(token);
      }
      Double value = token.kind() == Kind.WORD ? null : number(token);
      if (value == null) {
        throw unexpected(", expected duration");
      }
      next();
      return Computation.literal(token.text(), value);
    }

    private Computation function(Token name) throws ParseException {
      String word = name.text().toLowerCase(Locale.ROOT);
      if (!List.of("step", "range", "min_of", "max_of").contains(word)) {
        throw unexpected(", expected duration");
      }
      next();
      next();
      Computation result;
      if (word.equals("step")) {
        result = new Computation("step()", (step, range) -> step, false, false);
      } else if (word.equals("range")) {
        result = new Computation("range()", (step, range) -> range, false, false);
      } else {
        Computation a = sum();
        expect(",", " in duration expression");
        Computation b = sum();
        boolean min = word.equals("min_of");
        result =
            new Computation(
                word + "(" + a.text + ", " + b.text + ")",
                (step, range) ->
                    min
                        ? Math.min(a.seconds.of(step, range), b.seconds.of(step, range))
                        : Math.max(a.seconds.of(step, range), b.seconds.of(step, range)),
                a.constant && b.constant,
                false);
      }
      expect(")", " in duration expression");
      return result;
    }
  }

  /** A part of a duration's arithmetic. */
  private record Computation(
      String text, DurationExpr.Seconds seconds, boolean constant, boolean literal) {
    static Computation literal(String text, double value) {
      return new Computation(text, (step, range) -> value, true, true);
    }

    Computation negated() {
      return new Computation(
          "-" + text, (step, range) -> -seconds.of(step, range), constant, literal);
    }

    Computation parenthesised() {
      return new Computation("(" + text + ")", seconds, constant, false);
    }

    Computation with(String op, Computation right) {
      DurationExpr.Seconds a = seconds;
      DurationExpr.Seconds b = right.seconds;
      DurationExpr.Seconds result =
          switch (op) {
            case "+" -> (step, range) -> a.of(step, range) + b.of(step, range);
            case "-" -> (step, range) -> a.of(step, range) - b.of(step, range);
            case "*" -> (step, range) -> a.of(step, range) * b.of(step, range);
            case "/" -> (step, range) -> a.of(step, range) / b.of(step, range);
            case "%" -> (step, range) -> a.of(step, range) % b.of(step, range);
            default -> (step, range) -> Math.pow(a.of(step, range), b.of(step, range));
          };
      return new Computation(
          text + " " + op + " " + right.text, result, constant && right.constant, false);
    }
  }
}
