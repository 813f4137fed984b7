package org.inferometer.promql;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a query into tokens, one at a time, and refuses what can't be one. What a character may be
 * depends on the place: outside, in braces, or in brackets. Not thread-safe.
 */
final class Lexer {
  /** What {@link #peek} gives behind the last character. */
  static final int END_OF_TEXT = -1;

  private static final Map<String, TokenType> WORDS = new HashMap<>();

  private static final Set<TokenType> FILLS =
      EnumSet.of(TokenType.FILL, TokenType.FILL_LEFT, TokenType.FILL_RIGHT);

  private static final Set<TokenType> DURATION_WORDS =
      EnumSet.of(TokenType.STEP, TokenType.RANGE, TokenType.MIN_OF, TokenType.MAX_OF);

  static {
    for (TokenType type : TokenType.values()) {
      if (type.isWord()) {
        WORDS.put(type.text(), type);
      }
    }
    WORDS.put("inf", TokenType.NUMBER);
    WORDS.put("nan", TokenType.NUMBER);
  }

  private final String text;

  /** Byte offset of each char and of the end; null if all is ASCII and both are the same. */
  private final int @Nullable [] byteOffsets;

  private int position;
  private int start;
  private int openParens;
  private boolean inBraces;
  private boolean inBrackets;

  /** In brackets: whether a number or duration has been seen. */
  private boolean numberSeen;

  private boolean colonSeen;

  Lexer(String text) {
    this.text = text;
    this.byteOffsets = text.chars().allMatch(c -> c < 0x80) ? null : byteOffsets(text);
  }

  private static int[] byteOffsets(String text) {
    int[] offsets = new int[text.length() + 1];
    int bytes = 0;
    int i = 0;
    while (i < text.length()) {
      int codePoint = text.codePointAt(i);
      offsets[i++] = bytes;
      bytes += Character.toString(codePoint).getBytes(StandardCharsets.UTF_8).length;
      if (Character.isSupplementaryCodePoint(codePoint)) {
        offsets[i++] = bytes;
      }
    }
    offsets[i] = bytes;
    return offsets;
  }

  /** The span of chars {@code start} to {@code end}. */
  Span span(int startChar, int endChar) {
    return byteOffsets == null
        ? new Span(startChar, endChar)
        : new Span(byteOffsets[startChar], byteOffsets[endChar]);
  }

  Span span(Token token) {
    return span(token.start(), token.end());
  }

  ParseException error(Span span, String problem) {
    return new ParseException(text, span, problem);
  }

  /** A problem with what stands from the start of the token on. */
  private ParseException error(String problem) {
    return error(span(start, text.length()), problem);
  }

  /** Where the next token will start at the earliest. */
  int position() {
    return position;
  }

  /** The next token; {@code END} again and again at the end. */
  Token next() throws ParseException {
    skipBlanksAndComments();
    start = position;
    if (inBraces) {
      return nextInBraces();
    }
    if (inBrackets && !numberSeen) {
      return nextBeforeNumber();
    }
    return nextOutside();
  }

  private void skipBlanksAndComments() {
    boolean comments = inBraces || !inBrackets || numberSeen;
    while (true) {
      int c = peek();
      if (isBlank(c)) {
        position++;
      } else if (c == '#' && comments) {
        skipLine();
      } else {
        return;
      }
    }
  }

  private void skipLine() {
    while (peek() != END_OF_TEXT && peek() != '\n' && peek() != '\r') {
      position++;
    }
  }

  private Token nextOutside() throws ParseException {
    int c = peek();
    return switch (c) {
      case END_OF_TEXT -> end();
      case ',' -> symbol(TokenType.COMMA);
      case '*' -> symbol(TokenType.MULTIPLY);
      case '/' -> symbol(TokenType.DIVIDE);
      case '%' -> symbol(TokenType.MODULO);
      case '+' -> symbol(TokenType.ADD);
      case '-' -> symbol(TokenType.SUBTRACT);
      case '^' -> symbol(TokenType.POWER);
      case '@' -> symbol(TokenType.AT);
      case '=' -> equals();
      case '!' -> not();
      case '<' -> comparison(TokenType.LESS, TokenType.LESS_OR_EQUAL, TokenType.TRIM_UPPER);
      case '>' -> comparison(TokenType.GREATER, TokenType.GREATER_OR_EQUAL, TokenType.TRIM_LOWER);
      case '"', '\'' -> string(c);
      case '`' -> rawString();
      case '(', ')' -> paren(c);
      case '{' -> openBrace();
      case '[' -> openBracket();
      case ']' -> closeBracket();
      default -> wordOrNumber(c);
    };
  }

  private Token wordOrNumber(int c) throws ParseException {
    if (startsNumber(c)) {
      return numberOrDuration();
    }
    if (!isAlpha(c) && c != ':') {
      throw error("unexpected character: " + GoText.quote(codePoint()));
    }
    return inBrackets ? wordInBrackets(c) : word();
  }

  private Token end() throws ParseException {
    if (openParens != 0) {
      throw error("unclosed left parenthesis");
    }
    if (inBrackets) {
      throw error("unclosed left bracket");
    }
    return new Token(TokenType.END, "", position);
  }

  private Token equals() throws ParseException {
    int after = peek(1);
    if (after == '~') {
      throw error("unexpected character after '=': '~'");
    }
    return symbol(after == '=' ? TokenType.EQUAL : TokenType.ASSIGN);
  }

  private Token not() throws ParseException {
    if (peek(1) != '=') {
      throw error("unexpected character after '!': " + GoText.quote(codePoint(1)));
    }
    return symbol(TokenType.NOT_EQUAL);
  }

  private Token comparison(TokenType alone, TokenType withEqual, TokenType withSlash) {
    return switch (peek(1)) {
      case '=' -> symbol(withEqual);
      case '/' -> symbol(withSlash);
      default -> symbol(alone);
    };
  }

  private Token paren(int c) throws ParseException {
    openParens += c == '(' ? 1 : -1;
    if (openParens < 0) {
      start = position + 1;
      throw error("unexpected right parenthesis ')'");
    }
    return symbol(c == '(' ? TokenType.LEFT_PAREN : TokenType.RIGHT_PAREN);
  }

  private Token openBrace() {
    inBraces = true;
    return symbol(TokenType.LEFT_BRACE);
  }

  private Token openBracket() throws ParseException {
    if (inBrackets) {
      throw error("unexpected left bracket '['");
    }
    inBrackets = true;
    numberSeen = false;
    colonSeen = false;
    return symbol(TokenType.LEFT_BRACKET);
  }

  private Token closeBracket() throws ParseException {
    if (!inBrackets) {
      throw error("unexpected right bracket ']'");
    }
    inBrackets = false;
    return symbol(TokenType.RIGHT_BRACKET);
  }

  private Token nextInBraces() throws ParseException {
    int c = peek();
    return switch (c) {
      case END_OF_TEXT -> throw error("unexpected end of input inside braces");
      case ',' -> symbol(TokenType.COMMA);
      case '"', '\'' -> string(c);
      case '`' -> rawString();
      case '=' -> symbol(peek(1) == '~' ? TokenType.MATCH_REGEX : TokenType.ASSIGN);
      case '!' -> notInBraces();
      case '{' -> throw error("unexpected left brace '{'");
      case '}' -> {
        inBraces = false;
        yield symbol(TokenType.RIGHT_BRACE);
      }
      default -> {
        if (!isAlpha(c)) {
          throw error("unexpected character inside braces: " + GoText.quote(codePoint()));
        }
        yield identifier();
      }
    };
  }

  private Token notInBraces() throws ParseException {
    return switch (peek(1)) {
      case '~' -> symbol(TokenType.MATCH_NOT_REGEX);
      case '=' -> symbol(TokenType.NOT_EQUAL);
      default ->
          throw error(
              "unexpected character after '!' inside braces: " + GoText.quote(codePoint(1)));
    };
  }

  /** In brackets, as long as no number has been seen. */
  private Token nextBeforeNumber() throws ParseException {
    int c = peek();
    return switch (c) {
      case END_OF_TEXT -> throw error("unexpected end of input in duration expression");
      case ':' -> {
        start++;
        throw error("unexpected colon before duration in duration expression");
      }
      case ']', '(', ')', '+', '-', '*', '/', '%', '^', ',' -> nextOutside();
      default -> {
        if (startsNumber(c)) {
          yield numberOrDuration();
        }
        Token word = isAlpha(c) ? durationWord() : null;
        if (word == null) {
          throw error("unexpected character in duration expression: " + GoText.quote(codePoint()));
        }
        yield word;
      }
    };
  }

  private Token wordInBrackets(int c) throws ParseException {
    if (c != ':') {
      Token word = durationWord();
      if (word == null) {
        throw error("unexpected character: " + GoText.quote(codePoint()) + ", expected ':'");
      }
      return word;
    }
    if (colonSeen) {
      throw error("unexpected colon ':'");
    }
    colonSeen = true;
    return symbol(TokenType.COLON);
  }

  private @Nullable Token durationWord() {
    int end = position;
    while (end < text.length() && isAlphaNumeric(text.charAt(end))) {
      end++;
    }
    TokenType type = WORDS.get(text.substring(position, end).toLowerCase(Locale.ROOT));
    if (type == null || !DURATION_WORDS.contains(type)) {
      return null;
    }
    // A window may be given by these words alone: a colon may follow.
    numberSeen = type == TokenType.STEP || type == TokenType.RANGE || numberSeen;
    return token(type, end);
  }

  private Token word() {
    int end = position;
    while (end < text.length() && (isAlphaNumeric(text.charAt(end)) || text.charAt(end) == ':')) {
      end++;
    }
    String word = text.substring(position, end);
    TokenType type = WORDS.get(word.toLowerCase(Locale.ROOT));
    if (type == null || (needsParen(type) && !isFollowedByParen(end))) {
      type = word.indexOf(':') < 0 ? TokenType.IDENTIFIER : TokenType.METRIC_IDENTIFIER;
    }
    return token(type, end);
  }

  /** Words so new that they stay names unless a parenthesis follows. */
  private static boolean needsParen(TokenType type) {
    return FILLS.contains(type) || type == TokenType.MIN_OF || type == TokenType.MAX_OF;
  }

  private boolean isFollowedByParen(int from) {
    int i = from;
    while (i < text.length() && isBlank(text.charAt(i))) {
      i++;
    }
    return i < text.length() && text.charAt(i) == '(';
  }

  private Token identifier() {
    int end = position;
    while (end < text.length() && isAlphaNumeric(text.charAt(end))) {
      end++;
    }
    return token(TokenType.IDENTIFIER, end);
  }

  private Token numberOrDuration() throws ParseException {
    NumberScanner scanner = new NumberScanner(text, position);
    TokenType type = scanner.scan();
    if (type == null) {
      throw error(
          "bad number or duration syntax: "
              + GoText.quote(text.substring(position, scanner.position())));
    }
    numberSeen = true;
    return token(type, scanner.position());
  }

  private Token string(int quote) throws ParseException {
    int i = position + 1;
    while (true) {
      if (i >= text.length() || text.charAt(i) == '\n') {
        throw error("unterminated quoted string");
      }
      char c = text.charAt(i);
      if (c == quote) {
        return token(TokenType.STRING, i + 1);
      }
      i = c == '\\' ? escape(i + 1, quote) : afterCharacter(i);
    }
  }

  private Token rawString() throws ParseException {
    int i = position + 1;
    while (i < text.length()) {
      if (text.charAt(i) == '`') {
        return token(TokenType.STRING, i + 1);
      }
      i = afterCharacter(i);
    }
    throw error("unterminated raw string");
  }

  private int afterCharacter(int i) throws ParseException {
    int codePoint = text.codePointAt(i);
    if (codePoint == 0xFFFD || (codePoint >= 0xD800 && codePoint <= 0xDFFF)) {
      throw error("invalid UTF-8 rune");
    }
    return i + Character.charCount(codePoint);
  }

  /** Checks an escape whose first character after the backslash is at {@code i}. */
  private int escape(int i, int quote) throws ParseException {
    if (i >= text.length()) {
      throw error("escape sequence not terminated");
    }
    char c = text.charAt(i);
    if (c == quote || "abfnrtv\\".indexOf(c) >= 0) {
      return i + 1;
    }
    return switch (c) {
      case '0', '1', '2', '3', '4', '5', '6', '7' -> numericEscape(i, 3, 8, 255);
      case 'x' -> numericEscape(i + 1, 2, 16, 255);
      case 'u' -> numericEscape(i + 1, 4, 16, Character.MAX_CODE_POINT);
      case 'U' -> numericEscape(i + 1, 8, 16, Character.MAX_CODE_POINT);
      default -> throw error("unknown escape sequence " + unicodeName(text.codePointAt(i)));
    };
  }

  private int numericEscape(int from, int digits, int base, int max) throws ParseException {
    long value = 0;
    for (int i = from; i < from + digits; i++) {
      if (i >= text.length()) {
        throw error("escape sequence not terminated");
      }
      int digit = text.charAt(i) < 0x80 ? Character.digit(text.charAt(i), base) : -1;
      if (digit < 0) {
        throw error(
            "illegal character " + unicodeName(text.codePointAt(i)) + " in escape sequence");
      }
      value = value * base + digit;
    }
    if (value > max || (value >= 0xD800 && value < 0xE000)) {
      throw error("escape sequence is an invalid Unicode code point");
    }
    return from + digits;
  }

  private static String unicodeName(int codePoint) {
    return String.format("U+%04X '%s'", codePoint, Character.toString(codePoint));
  }

  private Token symbol(TokenType type) {
    return token(type, position + type.text().length());
  }

  private Token token(TokenType type, int end) {
    Token token = new Token(type, text.substring(position, end), position);
    position = end;
    return token;
  }

  private int peek() {
    return peek(0);
  }

  private int peek(int ahead) {
    int i = position + ahead;
    return i < text.length() ? text.charAt(i) : END_OF_TEXT;
  }

  private int codePoint() {
    return codePoint(0);
  }

  private int codePoint(int ahead) {
    int i = position + ahead;
    return i < text.length() ? text.codePointAt(i) : END_OF_TEXT;
  }

  private boolean startsNumber(int c) {
    return isDigit(c) || (c == '.' && isDigit(peek(1)));
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isAlpha(int c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  static boolean isAlphaNumeric(int c) {
    return isAlpha(c) || isDigit(c);
  }
}
