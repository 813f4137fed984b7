package org.inferometer.promql;

/**
 * A piece of a query.
 *
 * @param text as written, quotes included
 * @param start index of its first char
 */
record Token(TokenType type, String text, int start) {
  int end() {
    return start + text.length();
  }

  boolean is(TokenType other) {
    return type == other;
  }

  /** How messages speak of it, in Prometheus's words. */
  String describe() {
    return switch (type.family()) {
      case NAMED ->
          type == TokenType.END ? type.text() : type.text() + " " + GoText.quoteShort(this);
      case MARK, QUERY_TIME -> GoText.quote(text);
      case OPERATOR -> "<op:" + text + ">";
      case AGGREGATE -> "<aggr:" + text + ">";
      case KEYWORD -> "<" + text + ">";
    };
  }
}
