package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.ParserOptions;
import org.junit.jupiter.api.Test;

class ParsedQueriesTest {
  private final ParsedQueries parsed = new ParsedQueries(ParserOptions.ALL);

  @Test
  void parse_theSameTextGivesTheSameTree() throws ParseException {
    Expr tree = parsed.parse("rate(x[1m])");
    assertThat(parsed.parse("rate(x[1m])")).isSameAs(tree);
    assertThat(parsed.parse("rate(x[2m])")).isNotEqualTo(tree);
  }

  @Test
  void parse_whatIsNoQueryIsToldEachTime() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> parsed.parse("rate(")).isInstanceOf(ParseException.class);
    }
    assertThat(parsed.count()).isZero();
  }

  @Test
  void parse_keepsWhatWasAskedLastWithinItsLimit() throws ParseException {
    String padding = " ".repeat(9_990);
    Expr first = parsed.parse("first" + padding);
    for (int i = 0; i < 300; i++) {
      parsed.parse("x" + i + padding);
      assertThat(parsed.parse("first" + padding)).isSameAs(first);
    }
    assertThat(parsed.count()).isBetween(90, 101);
  }

  @Test
  void parse_aLongTextIsNotKept() throws ParseException {
    parsed.parse("x" + " ".repeat(50_000));
    assertThat(parsed.count()).isZero();
  }
}
