package org.inferometer.promql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens of one query with one token of lookahead, two where asked. Not thread-safe. */
final class TokenReader {
  private final Lexer lexer;
  private Token token;
  private @Nullable Token peeked;
  private Span previousSpan = Span.NONE;

  TokenReader(String query) throws ParseException {
    this.lexer = new Lexer(query);
    this.token = lexer.next();
  }

  TokenType type() {
    return token.type();
  }

  boolean is(TokenType type) {
    return token.type() == type;
  }

  String text() {
    return token.text();
  }

  Span span() {
    return lexer.span(token);
  }

  /** Of the token before the current one. */
  Span previousSpan() {
    return previousSpan;
  }

  void advance() throws ParseException {
    previousSpan = span();
    token = peeked != null ? peeked : lexer.next();
    peeked = null;
  }

  /** The token after the current one. */
  Token peek() throws ParseException {
    if (peeked == null) {
      peeked = lexer.next();
    }
    return peeked;
  }

  boolean peekIs(TokenType type) throws ParseException {
    return peek().is(type);
  }

  ParseException error(Span span, String problem) {
    return lexer.error(span, problem);
  }

  /** Refuses another element of a list that has as many as a list may have. */
  void requireRoom(List<?> list, String what) throws ParseException {
    if (list.size() == Parser.MAX_LISTED) {
      throw error(span(), "more than " + Parser.MAX_LISTED + " " + what + " in one list");
    }
  }

  /** The current token isn't what is expected. Both texts may be empty. */
  ParseException unexpected(String context, String expected) {
    return error(
        span(),
        "unexpected "
            + token.describe()
            + (context.isEmpty() ? "" : " in " + context)
            + (expected.isEmpty() ? "" : ", expected " + expected));
  }

  /** Passes a sign if there is one. */
  int takeSign() throws ParseException {
    boolean minus = is(TokenType.SUBTRACT);
    if (minus || is(TokenType.ADD)) {
      advance();
    }
    return minus ? -1 : 1;
  }

  /** The value of the current number or duration, the latter in seconds; passes it. */
  double takeNumber() throws ParseException {
    double value;
    try {
      value =
          is(TokenType.DURATION) ? Durations.parseMs(text()) / 1000.0 : NumberScanner.read(text());
    } catch (IllegalArgumentException e) {
      throw error(span(), String.valueOf(e.getMessage()));
    }
    advance();
    return value;
  }
}
