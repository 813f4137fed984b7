package org.inferometer.promql;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr.RangeExtension;
import org.inferometer.promql.Expr.TimeShift;

/** Reads selectors, label sets and lists of label names. Not thread-safe. */
final class SelectorParser {
  private static final String MATCHING = "label matching";
  private static final String GROUPING = "grouping opts";
  private static final String LABEL_SET = "label set";

  private final TokenReader tokens;

  SelectorParser(TokenReader tokens) {
    this.tokens = tokens;
  }

  /** {@code name}, {@code name{...}} or {@code {...}}. */
  Expr.VectorSelector selector() throws ParseException {
    Span start = tokens.span();
    String name = "";
    if (!tokens.is(TokenType.LEFT_BRACE)) {
      name = tokens.text();
      tokens.advance();
    }
    List<Matcher> matchers = new ArrayList<>();
    String quotedName = tokens.is(TokenType.LEFT_BRACE) ? matchers(matchers) : "";
    if (!name.isEmpty()) {
      matchers.add(Matcher.equal(Labels.NAME, name));
    } else if (matchers.stream().filter(m -> m.name().equals(Labels.NAME)).count() == 1) {
      name = quotedName;
    }
    return new Expr.VectorSelector(
        name, matchers, TimeShift.NONE, RangeExtension.NONE, start.to(tokens.previousSpan()));
  }

  /** Reads {@code {...}} into a list; gives the last name that stands alone in quotes, or "". */
  private String matchers(List<Matcher> matchers) throws ParseException {
    tokens.advance();
    String quotedName = "";
    while (!tokens.is(TokenType.RIGHT_BRACE)) {
      tokens.requireRoom(matchers, "matchers");
      boolean quoted = tokens.is(TokenType.STRING);
      Span start = tokens.span();
      String name = labelName(MATCHING);
      if (quoted && !isMatchOperator()) {
        quotedName = name;
        matchers.add(Matcher.equal(Labels.NAME, name));
      } else {
        matchers.add(matcher(name, start));
      }
      separator(MATCHING);
    }
    tokens.advance();
    return quotedName;
  }

  private String labelName(String context) throws ParseException {
    String name;
    if (tokens.is(TokenType.STRING)) {
      name = GoText.unquote(tokens.text());
    } else if (tokens.is(TokenType.IDENTIFIER)) {
      name = tokens.text();
    } else {
      throw tokens.unexpected(context, "identifier or \"}\"");
    }
    tokens.advance();
    return name;
  }

  private boolean isMatchOperator() {
    return switch (tokens.type()) {
      case ASSIGN, NOT_EQUAL, MATCH_REGEX, MATCH_NOT_REGEX -> true;
      default -> false;
    };
  }

  private Matcher matcher(String name, Span start) throws ParseException {
    Matcher.Type type =
        switch (tokens.type()) {
          case ASSIGN -> Matcher.Type.EQUAL;
          case NOT_EQUAL -> Matcher.Type.NOT_EQUAL;
          case MATCH_REGEX -> Matcher.Type.REGEX;
          case MATCH_NOT_REGEX -> Matcher.Type.NOT_REGEX;
          default -> throw tokens.unexpected(MATCHING, "label matching operator");
        };
    tokens.advance();
    if (!tokens.is(TokenType.STRING)) {
      throw tokens.unexpected(MATCHING, "string");
    }
    String value = GoText.unquote(tokens.text());
    Matcher matcher = Parser.matcher(tokens, type, name, value, start.to(tokens.span()));
    tokens.advance();
    return matcher;
  }

  /** A comma, unless the closing brace follows. */
  private void separator(String context) throws ParseException {
    if (tokens.is(TokenType.COMMA)) {
      tokens.advance();
    } else if (!tokens.is(TokenType.RIGHT_BRACE)) {
      throw tokens.unexpected(context, "\",\" or \"}\"");
    }
  }

  /** A series: the name may stand before the braces or alone in quotes inside. */
  Labels metric() throws ParseException {
    Span start = tokens.span();
    Labels.Builder builder = new Labels.Builder();
    if (tokens.type().mayBeMetric()) {
      builder.add(Labels.NAME, tokens.text());
      tokens.advance();
    } else if (!tokens.is(TokenType.LEFT_BRACE)) {
      throw tokens.unexpected("", "");
    }
    if (tokens.is(TokenType.LEFT_BRACE)) {
      labelSet(builder);
    }
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw tokens.error(start, String.valueOf(e.getMessage()));
    }
  }

  private void labelSet(Labels.Builder builder) throws ParseException {
    tokens.advance();
    while (!tokens.is(TokenType.RIGHT_BRACE)) {
      boolean quoted = tokens.is(TokenType.STRING);
      String name = labelName(LABEL_SET);
      if (tokens.is(TokenType.ASSIGN)) {
        tokens.advance();
        if (!tokens.is(TokenType.STRING)) {
          throw tokens.unexpected(LABEL_SET, "string");
        }
        builder.add(name, GoText.unquote(tokens.text()));
        tokens.advance();
      } else if (quoted) {
        builder.add(Labels.NAME, name);
      } else {
        throw tokens.unexpected(LABEL_SET, "\"=\"");
      }
      separator(LABEL_SET);
    }
    tokens.advance();
  }

  /** {@code (a, b)} as in {@code by} and {@code on}; a comma may stand at the end. */
  List<String> labelNames() throws ParseException {
    if (!tokens.is(TokenType.LEFT_PAREN)) {
      throw tokens.unexpected(GROUPING, "\"(\"");
    }
    tokens.advance();
    List<String> names = new ArrayList<>();
    while (!tokens.is(TokenType.RIGHT_PAREN)) {
      tokens.requireRoom(names, "labels");
      names.add(groupingLabel());
      if (tokens.is(TokenType.COMMA)) {
        tokens.advance();
      } else if (!tokens.is(TokenType.RIGHT_PAREN)) {
        throw tokens.unexpected(GROUPING, "\",\" or \")\"");
      }
    }
    tokens.advance();
    return names;
  }

  private String groupingLabel() throws ParseException {
    String name = tokens.text();
    if (tokens.is(TokenType.STRING)) {
      name = GoText.unquote(name);
      if (!Parser.isLabelName(name)) {
        throw tokens.error(tokens.span(), "invalid label name for grouping: " + GoText.quote(name));
      }
    } else if (!tokens.type().mayBeLabel() || tokens.is(TokenType.METRIC_IDENTIFIER)) {
      throw tokens.unexpected(GROUPING, "label");
    }
    tokens.advance();
    return name;
  }
}
