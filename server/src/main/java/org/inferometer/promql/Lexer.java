package org.inferometer.promql;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Cuts a query into tokens. Blanks and comments are passed over. */
final class Lexer {
  /** What a token is. */
  enum Kind {
    /** A word that may name a metric (colons included), a label, a function or a keyword. */
    WORD,
    NUMBER,
    DURATION,
    STRING,
    /** Operators and punctuation. */
    SYMBOL,
    END
  }

  /**
   * @param text as written; for strings the value
   * @param start byte offset in the query
   * @param end byte offset after it
   */
  record Token(Kind kind, String text, int start, int end) {
    boolean is(String symbol) {
      return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isWord(String word) {
      return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    /** As error messages name it. */
    String described() {
      return switch (kind) {
        case END -> "end of input";
        case STRING -> "string " + org.inferometer.model.Names.quote(text);
        case NUMBER -> "number \"" + text + "\"";
        case DURATION -> "duration \"" + text + "\"";
        case WORD -> "identifier \"" + text + "\"";
        case SYMBOL -> "\"" + text + "\"";
      };
    }
  }

  private final String query;
  private final int[] byteOffsets;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  /** Inside brackets a colon parts range and step; elsewhere it is a letter of metric names. */
  private int brackets;

  private Lexer(String query) {
    this.query = query;
    this.byteOffsets = byteOffsets(query);
  }

  static List<Token> tokens(String query) throws ParseException {
    Lexer lexer = new Lexer(query);
    lexer.run();
    return lexer.tokens;
  }

  /** Offsets of each char in UTF-8, one more for the end; empty if all is ASCII. */
  private static int[] byteOffsets(String text) {
    if (text.getBytes(StandardCharsets.UTF_8).length == text.length()) {
      return new int[0];
    }
    int[] offsets = new int[text.length() + 1];
    int offset = 0;
    for (int i = 0; i < text.length(); i++) {
      offsets[i] = offset;
      char c = text.charAt(i);
      offset += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    offsets[text.length()] = offset;
    return offsets;
  }

  private int bytes(int index) {
    return byteOffsets.length == 0 ? index : byteOffsets[index];
  }

  private void run() throws ParseException {
    while (skipBlanks()) {
      char c = query.charAt(at);
      if (isDigit(c) || (c == '.' && at + 1 < query.length() && isDigit(query.charAt(at + 1)))) {
        numberOrDuration();
      } else if (isWordStart(c)) {
        word();
      } else if (c == '"' || c == '\'' || c == '`') {
        string(c);
      } else {
        symbol();
      }
    }
    add(Kind.END, "", at, at);
  }

  private void add(Kind kind, String text, int start, int end) {
    tokens.add(new Token(kind, text, bytes(start), bytes(end)));
  }

  private boolean skipBlanks() {
    while (at < query.length()) {
      char c = query.charAt(at);
      if (c == '#') {
        int newline = query.indexOf('\n', at);
        at = newline < 0 ? query.length() : newline;
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        at++;
      } else {
        return true;
      }
    }
    return false;
  }

  private void word() {
    int start = at;
    while (at < query.length() && (isWordStart(query.charAt(at)) || isDigit(query.charAt(at)))) {
      at++;
    }
    add(Kind.WORD, query.substring(start, at), start, at);
  }

  private void numberOrDuration() throws ParseException {
    int start = at;
    int end = Durations.scan(query, at);
    if (end > 0) {
      at = end;
      add(Kind.DURATION, query.substring(start, at), start, at);
      return;
    }
    at = numberEnd();
    if (at < query.length() && (isWordStart(query.charAt(at)) || isDigit(query.charAt(at)))) {
      while (at < query.length() && (isWordStart(query.charAt(at)) || isDigit(query.charAt(at)))) {
        at++;
      }
      throw error(start, "bad number or duration syntax: \"" + query.substring(start, at) + "\"");
    }
    add(Kind.NUMBER, query.substring(start, at), start, at);
  }

  private int numberEnd() {
    int i = at;
    if (query.startsWith("0x", i) || query.startsWith("0X", i)) {
      i += 2;
      while (i < query.length()
          && (Character.digit(query.charAt(i), 16) >= 0 || query.charAt(i) == '_')) {
        i++;
      }
      return i;
    }
    i = digits(i);
    if (i < query.length() && query.charAt(i) == '.') {
      i = digits(i + 1);
    }
    if (i < query.length() && (query.charAt(i) == 'e' || query.charAt(i) == 'E')) {
      int j = i + 1;
      if (j < query.length() && (query.charAt(j) == '+' || query.charAt(j) == '-')) {
        j++;
      }
      if (j < query.length() && isDigit(query.charAt(j))) {
        i = digits(j);
      }
    }
    return i;
  }

  private int digits(int from) {
    int i = from;
    while (i < query.length() && (isDigit(query.charAt(i)) || query.charAt(i) == '_')) {
      i++;
    }
    return i;
  }

  private void string(char quote) throws ParseException {
    int start = at++;
    int close = at;
    while (close < query.length() && query.charAt(close) != quote) {
      char c = query.charAt(close);
      if (c == '\n' && quote != '`') {
        throw error(start, "unterminated quoted string");
      }
      close += c == '\\' && quote != '`' ? 2 : 1;
    }
    if (close >= query.length()) {
      throw error(start, "unterminated " + (quote == '`' ? "raw" : "quoted") + " string");
    }
    String body = query.substring(at, close);
    at = close + 1;
    try {
      add(Kind.STRING, quote == '`' ? body : GoStrings.unescape(body, quote), start, at);
    } catch (IllegalArgumentException e) {
      throw error(start, "error unquoting string " + query.substring(start, at) + ": invalid syntax");
    }
  }

  private static final List<String> SYMBOLS =
      List.of(
          "==", "!=", "=~", "!~", "<=", ">=", "</", ">/", "(", ")", "[", "]", "{", "}", ",", ":",
          "=", "<", ">", "+", "-", "*", "/", "%", "^", "@");

  private void symbol() throws ParseException {
    for (String symbol : SYMBOLS) {
      if (query.startsWith(symbol, at)) {
        add(Kind.SYMBOL, symbol, at, at + symbol.length());
        at += symbol.length();
        brackets += symbol.equals("[") ? 1 : symbol.equals("]") && brackets > 0 ? -1 : 0;
        return;
      }
    }
    int length = Character.charCount(query.codePointAt(at));
    throw error(at, "unexpected character: '" + query.substring(at, at + length) + "'");
  }

  private ParseException error(int start, String problem) {
    return new ParseException(query, new Span(bytes(start), bytes(at)), problem);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private boolean isWordStart(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '_'
        || (c == ':' && brackets == 0);
  }
}
