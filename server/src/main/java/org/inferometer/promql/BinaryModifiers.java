package org.inferometer.promql;

import java.util.List;
import org.inferometer.promql.Expr.Cardinality;
import org.inferometer.promql.Expr.VectorMatching;
import org.jspecify.annotations.Nullable;

/** What stands between a binary operator and its right side. */
record BinaryModifiers(boolean returnBool, VectorMatching matching) {
  boolean hasFill() {
    return matching.fillLeft() != null || matching.fillRight() != null;
  }

  /** Reads {@code bool}, then {@code on} or {@code ignoring}, grouping, and fill values. */
  static BinaryModifiers read(TokenReader tokens, SelectorParser selectors) throws ParseException {
    boolean returnBool = take(tokens, TokenType.BOOL);
    boolean on = tokens.is(TokenType.ON);
    List<String> labels = List.of();
    List<String> include = List.of();
    Cardinality cardinality = Cardinality.ONE_TO_ONE;
    if (take(tokens, TokenType.ON) || take(tokens, TokenType.IGNORING)) {
      labels = selectors.labelNames();
      cardinality = cardinality(tokens);
      if (cardinality != Cardinality.ONE_TO_ONE && tokens.is(TokenType.LEFT_PAREN)) {
        include = selectors.labelNames();
      }
    }
    Fill fill = Fill.read(tokens);
    return new BinaryModifiers(
        returnBool,
        new VectorMatching(cardinality, on, labels, include, fill.left(), fill.right()));
  }

  private static Cardinality cardinality(TokenReader tokens) throws ParseException {
    if (take(tokens, TokenType.GROUP_LEFT)) {
      return Cardinality.MANY_TO_ONE;
    }
    return take(tokens, TokenType.GROUP_RIGHT) ? Cardinality.ONE_TO_MANY : Cardinality.ONE_TO_ONE;
  }

  private static boolean take(TokenReader tokens, TokenType type) throws ParseException {
    boolean present = tokens.is(type);
    if (present) {
      tokens.advance();
    }
    return present;
  }

  /** Values for elements that have no partner: both by {@code fill}, or each by its own word. */
  private record Fill(@Nullable Double left, @Nullable Double right) {
    static Fill read(TokenReader tokens) throws ParseException {
      if (take(tokens, TokenType.FILL)) {
        double value = value(tokens);
        return new Fill(value, value);
      }
      if (take(tokens, TokenType.FILL_LEFT)) {
        double left = value(tokens);
        return new Fill(left, take(tokens, TokenType.FILL_RIGHT) ? value(tokens) : null);
      }
      if (take(tokens, TokenType.FILL_RIGHT)) {
        double right = value(tokens);
        return new Fill(take(tokens, TokenType.FILL_LEFT) ? value(tokens) : null, right);
      }
      return new Fill(null, null);
    }

    private static double value(TokenReader tokens) throws ParseException {
      tokens.advance();
      int sign = tokens.takeSign();
      if (!tokens.is(TokenType.NUMBER) && !tokens.is(TokenType.DURATION)) {
        throw tokens.unexpected("fill value", "number");
      }
      double value = sign * tokens.takeNumber();
      if (!take(tokens, TokenType.RIGHT_PAREN)) {
        throw tokens.unexpected("fill value", "\")\"");
      }
      return value;
    }
  }
}
