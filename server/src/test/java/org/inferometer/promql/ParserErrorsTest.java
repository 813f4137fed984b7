package org.inferometer.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is said of queries that aren't well formed: Prometheus's words and positions. */
class ParserErrorsTest {
  /** A query, then what is said of it. */
  private static final String SYNTAX =
      """
      1+
      1:3: parse error: unexpected end of input

      .
      1:1: parse error: unexpected character: '.'

      (1))
      1:5: parse error: unexpected right parenthesis ')'

      ((1)
      1:5: parse error: unclosed left parenthesis

      foo[5m
      1:7: parse error: unclosed left bracket

      foo[
      1:5: parse error: unexpected end of input in duration expression

      *1
      1:1: parse error: unexpected <op:*>

      ()
      1:2: parse error: unexpected ")"

      1 =~ 1
      1:3: parse error: unexpected character after '=': '~'

      1 !~ 1
      1:3: parse error: unexpected character after '!': '~'

      -=
      1:2: parse error: unexpected "="

      ++-++-+-+-<
      1:11: parse error: unexpected <op:<>

      a - on(b) ignoring(c) d
      1:11: parse error: unexpected <ignoring>

      foo{
      1:5: parse error: unexpected end of input inside braces

      foo}
      1:4: parse error: unexpected character: '}'

      foo{foo
      1:8: parse error: unexpected end of input inside braces

      foo{1}
      1:5: parse error: unexpected character inside braces: '1'

      foo{a>1}
      1:6: parse error: unexpected character inside braces: '>'

      foo{gibberish}
      1:14: parse error: unexpected "}" in label matching, expected label matching operator

      foo{a="b" c="d"}
      1:11: parse error: unexpected identifier "c" in label matching, expected "," or "}"

      foo{,}
      1:5: parse error: unexpected "," in label matching, expected identifier or "}"

      foo{a==}
      1:7: parse error: unexpected "=" in label matching, expected string

      foo{a=b}
      1:7: parse error: unexpected identifier "b" in label matching, expected string

      foo{a="b}
      1:7: parse error: unterminated quoted string

      foo{a=~"("}
      1:5: parse error: error parsing regexp: missing closing ): `(`

      foo[5mm]
      1:5: parse error: bad number or duration syntax: "5mm"

      foo[5m1]
      1:5: parse error: bad number or duration syntax: "5m1"

      foo[5m1h]
      1:5: parse error: not a valid duration string: "5m1h"

      foo[0m]
      1:5: parse error: duration must be greater than 0

      foo[-1]
      1:5: parse error: duration must be greater than 0

      foo[]
      1:5: parse error: unexpected "]" in subquery or range selector, expected number, duration, step(), or range()

      foo[1m 2m]
      1:8: parse error: unexpected duration "2m" in subquery or range, expected ":" or "]"

      foo[1m:2m:3m]
      1:10: parse error: unexpected colon ':'

      foo[bar]
      1:5: parse error: unexpected character in duration expression: 'b'

      foo[5m/0]
      1:7: parse error: division by zero

      foo[300y]
      1:5: parse error: duration out of range

      some_metric[5m] OFFSET
      1:23: parse error: unexpected end of input in offset, expected number, duration, step(), or range()

      some_metric OFFSET 1m[5m]
      1:22: parse error: no offset modifiers allowed before range

      some_metric @ 1234[5m]
      1:19: parse error: no @ modifiers allowed before range

      (foo + bar)[5m]
      1:12: parse error: ranges only allowed for vector selectors

      foo[5m][5m]
      1:8: parse error: ranges only allowed for vector selectors

      1 offset 1d
      1:1: parse error: offset modifier must be preceded by an instant vector selector or range vector selector or a subquery

      sum(foo) offset 5m
      1:1: parse error: offset modifier must be preceded by an instant vector selector or range vector selector or a subquery

      foo offset 1s offset 2s
      1:1: parse error: offset may not be set multiple times

      foo @ 1 @ 2
      1:1: parse error: @ <timestamp> may not be set multiple times

      sum(foo) @ 1
      1:1: parse error: @ modifier must be preceded by an instant vector selector or range vector selector or a subquery

      foo @ bar
      1:7: parse error: unexpected identifier "bar" in @, expected timestamp

      foo @ start
      1:12: parse error: unexpected end of input in @, expected timestamp

      foo @ Inf
      1:1: parse error: timestamp out of bounds for @ modifier: +Inf

      foo @ 9223372036854775807
      1:1: parse error: timestamp out of bounds for @ modifier: 9223372036854775808.000000

      sum without(==)(some_metric)
      1:13: parse error: unexpected <op:==> in grouping opts, expected label

      sum without(,)(some_metric)
      1:13: parse error: unexpected "," in grouping opts, expected label

      sum without(foo,,)(some_metric)
      1:17: parse error: unexpected "," in grouping opts, expected label

      sum by (a b) (some_metric)
      1:11: parse error: unexpected identifier "b" in grouping opts, expected "," or ")"

      sum by (job:a) (some_metric)
      1:9: parse error: unexpected metric identifier "job:a" in grouping opts, expected label

      sum by a (some_metric)
      1:8: parse error: unexpected identifier "a" in grouping opts, expected "("

      sum some_metric by (test)
      1:5: parse error: unexpected identifier "some_metric" in aggregation

      sum (some_metric) by test
      1:22: parse error: unexpected identifier "test" in grouping opts, expected "("

      sum (some_metric) without (test) by (test)
      1:34: parse error: unexpected <by>

      sum(rate(foo[5m]) bar)
      1:19: parse error: unexpected identifier "bar" in aggregation

      rate(foo[5m] bar)
      1:14: parse error: unexpected identifier "bar"

      sum ()
      1:1: parse error: no arguments for aggregate expression provided

      topk(some_metric)
      1:1: parse error: wrong number of arguments for aggregate expression provided, expected 2, got 1

      topk(some_metric,)
      1:17: parse error: trailing commas not allowed in function call args

      rate(some_metric[5m],)
      1:21: parse error: trailing commas not allowed in function call args

      non_existent_function_far_bar()
      1:1: parse error: unknown function with name "non_existent_function_far_bar"

      Rate(foo[5m])
      1:1: parse error: unknown function with name "Rate"

      rate(foo[5m]
      1:13: parse error: unclosed left parenthesis

      "double-quoted string \\" with escaped quote
      1:1: parse error: unterminated quoted string

      `raw
      1:1: parse error: unterminated raw string

      "\\c"
      1:1: parse error: unknown escape sequence U+0063 'c'

      "\\x."
      1:1: parse error: illegal character U+002E '.' in escape sequence

      "\\uD800"
      1:1: parse error: escape sequence is an invalid Unicode code point

      1_000_
      1:1: parse error: bad number or duration syntax: "1_000_"

      0x1.8
      1:1: parse error: bad number or duration syntax: "0x1."

      1..2
      1:1: parse error: bad number or duration syntax: "1.."

      1.5s
      1:1: parse error: not a valid duration string: "1.5s"

      5M
      1:1: parse error: bad number or duration syntax: "5"

      1e
      1:1: parse error: bad number or duration syntax: "1e"

      1e999
      1:1: parse error: error parsing number: strconv.ParseFloat: parsing "1e999": value out of range

      foo bar
      1:5: parse error: unexpected identifier "bar"

      foo "a long string literal"
      1:5: parse error: unexpected string "\\"a long st"...

      bool
      1:1: parse error: unexpected <bool>

      foo + fill(x) bar
      1:12: parse error: unexpected identifier "x" in fill value, expected number

      foo[5m:1m] smoothed
      1:1: parse error: smoothed modifier is not supported for subqueries

      foo anchored smoothed
      1:1: parse error: anchored and smoothed modifiers cannot be used together

      1 anchored
      1:1: parse error: anchored modifier not implemented
      """;

  private static final String TYPES =
      """
      1 and 1
      1:1: parse error: set operator "and" not allowed in binary scalar expression

      foo or 1
      1:1: parse error: set operator "or" not allowed in binary scalar expression

      1 == 1
      1:3: parse error: comparisons between scalars must use BOOL modifier

      foo + bool bar
      1:5: parse error: bool modifier can only be used on comparison operators

      foo and bool 10
      1:5: parse error: bool modifier can only be used on comparison operators

      -"string"
      1:1: parse error: unary expression only allowed on expressions of type scalar or instant vector, got "string"

      -test[5m]
      1:1: parse error: unary expression only allowed on expressions of type scalar or instant vector, got "range vector"

      foo[5m] + 1
      1:1: parse error: binary expression must contain only scalar and instant vector types

      1 + "a"
      1:5: parse error: binary expression must contain only scalar and instant vector types

      1 + on(foo) 1
      1:1: parse error: vector matching only allowed between instant vectors

      foo + fill(1) 1
      1:1: parse error: filling in missing series only allowed between instant vectors

      foo and fill(1) bar
      1:1: parse error: filling in missing series not allowed for set operators

      foo or on(bar) group_left(baz) bar
      1:1: parse error: no grouping allowed for "or" operation

      foo + on(instance) group_left(job,instance) bar
      1:5: parse error: label "instance" must not occur in ON and GROUP clause at once

      {}
      1:1: parse error: vector selector must contain at least one non-empty matcher

      {x=~".*"}
      1:1: parse error: vector selector must contain at least one non-empty matcher

      {x!="1",y=""}[5m]
      1:1: parse error: vector selector must contain at least one non-empty matcher

      foo{__name__="bar"}
      1:1: parse error: metric name must not be set twice: "foo" or "bar"

      foo{"bar"}
      1:1: parse error: metric name must not be set twice: "foo" or "bar"

      topk(some_metric, other_metric)
      1:6: parse error: expected type scalar in aggregation parameter, got instant vector

      count_values(5, other_metric)
      1:14: parse error: expected type string in aggregation parameter, got scalar

      sum(1)
      1:5: parse error: expected type instant vector in aggregation expression, got scalar

      floor()
      1:1: parse error: expected 1 argument(s) in call to "floor", got 0

      floor(some_metric, other_metric)
      1:1: parse error: expected 1 argument(s) in call to "floor", got 2

      floor(1)
      1:7: parse error: expected type instant vector in call to function "floor", got scalar

      hour(some_metric, some_metric, some_metric)
      1:1: parse error: expected at most 1 argument(s) in call to "hour", got 3

      label_join(foo, "a")
      1:1: parse error: expected at least 3 argument(s) in call to "label_join", got 2

      label_join(foo, "a", ",", "b", 1)
      1:32: parse error: expected type string in call to function "label_join", got scalar

      time(some_metric)
      1:1: parse error: expected 0 argument(s) in call to "time", got 1

      rate(some_metric)
      1:6: parse error: expected type range vector in call to function "rate", got instant vector

      sum(rate(some_metric))
      1:10: parse error: expected type range vector in call to function "rate", got instant vector

      foo[5m:][5m:]
      1:1: parse error: subquery is only allowed on instant vector, got matrix instead

      1[5m:]
      1:1: parse error: subquery is only allowed on instant vector, got scalar instead

      info(foo, 1)
      1:1: parse error: expected type instant vector in call to function "info", got scalar

      info(foo, bar)
      1:11: parse error: expected label selectors only, got vector selector instead

      info(foo, sum(bar))
      1:11: parse error: expected label selectors only
      """;

  private static final String FEATURES =
      """
      first_over_time(foo[5m])
      1:1: parse error: function "first_over_time" is not enabled; --enable-feature=promql-experimental-functions allows it

      limitk(1, foo)
      1:1: parse error: limitk() is experimental and must be enabled with --enable-feature=promql-experimental-functions

      foo[5m*2]
      1:5: parse error: experimental duration expression is not enabled; --enable-feature=promql-duration-expr allows it

      foo offset (1)
      1:12: parse error: experimental duration expression is not enabled; --enable-feature=promql-duration-expr allows it

      foo smoothed
      1:1: parse error: smoothed modifier is experimental and not enabled; --enable-feature=promql-extended-range-selectors allows it

      foo + fill(0) bar
      1:1: parse error: binop fill modifiers are experimental and not enabled; --enable-feature=promql-binop-fill-modifiers allows it
      """;

  private static Collection<DynamicTest> cases(String text, ParserOptions options) {
    List<DynamicTest> tests = new ArrayList<>();
    for (String pair : text.strip().split("\n\n")) {
      String[] lines = pair.split("\n");
      tests.add(
          DynamicTest.dynamicTest(
              lines[0], () -> assertThat(message(lines[0], options)).isEqualTo(lines[1])));
    }
    return tests;
  }

  private static String message(String query, ParserOptions options) {
    return String.valueOf(
        catchThrowableOfType(ParseException.class, () -> Parser.parse(query, options))
            .getMessage());
  }

  @TestFactory
  Collection<DynamicTest> syntax() {
    return cases(SYNTAX, ParserOptions.ALL);
  }

  @TestFactory
  Collection<DynamicTest> types() {
    return cases(TYPES, ParserOptions.ALL);
  }

  @TestFactory
  Collection<DynamicTest> featuresThatAreOff() {
    return cases(FEATURES, ParserOptions.STABLE);
  }

  @Test
  void nothing() {
    assertThat(message("", ParserOptions.ALL))
        .isEqualTo("unknown position: parse error: no expression found in input");
    assertThat(message("# comment only\n\n", ParserOptions.ALL))
        .isEqualTo("1:1: parse error: no expression found in input");
  }

  @Test
  void positionsCountLinesAndBytes() {
    assertThat(message("foo +\n  bar{é}", ParserOptions.ALL))
        .isEqualTo("2:7: parse error: unexpected character inside braces: 'é'");
    assertThat(message("foo{a=\"é\"} !", ParserOptions.ALL)).startsWith("1:13: ");
  }

  @Test
  void nestingIsBounded() {
    assertThat(message("(".repeat(100_000), ParserOptions.ALL))
        .isEqualTo("1:501: parse error: expression is nested deeper than 500 levels");
    assertThat(message("-".repeat(100_000) + "1", ParserOptions.ALL)).contains("nested deeper");
    assertThat(message("1" + "^1".repeat(100_000), ParserOptions.ALL)).contains("nested deeper");
    assertThat(message("abs(".repeat(100_000), ParserOptions.ALL)).contains("nested deeper");
    assertThat(message("foo[" + "(".repeat(100_000), ParserOptions.ALL))
        .contains("duration is nested deeper");
    assertThat(message("foo[" + "-".repeat(100_000) + "1", ParserOptions.ALL))
        .contains("duration is nested deeper");
  }

  @Test
  void chainsAreBounded() {
    assertThat(message("1" + "+1".repeat(100_000), ParserOptions.ALL))
        .contains("expression tree is deeper than 1000 levels");
    assertThat(message("foo" + "[1m:]".repeat(100_000), ParserOptions.ALL))
        .contains("expression tree is deeper than 1000 levels");
    assertThat(message("foo[1" + "+1".repeat(100_000) + "]", ParserOptions.ALL))
        .contains("duration has more than 1000 operations");
  }

  @Test
  void lengthIsBounded() {
    assertThat(message(" ".repeat(Parser.MAX_LENGTH + 1), ParserOptions.ALL))
        .contains("query is longer than 1048576 characters");
  }

  @Test
  void listsAreBounded() {
    String names = "a,".repeat(Parser.MAX_LISTED);
    String matchers = "a=\"\",".repeat(Parser.MAX_LISTED);
    String texts = ",\"a\"".repeat(Parser.MAX_LISTED);
    assertThat(message("sum by (" + names + "a) (foo)", ParserOptions.ALL))
        .contains("more than 1024 labels in one list");
    assertThat(message("foo * on (" + names + "a) bar", ParserOptions.ALL))
        .contains("more than 1024 labels in one list");
    assertThat(message("foo * on () group_left (" + names + "a) bar", ParserOptions.ALL))
        .contains("more than 1024 labels in one list");
    assertThat(message("foo{" + matchers + "a=\"\"}", ParserOptions.ALL))
        .contains("more than 1024 matchers in one list");
    assertThat(message("sort_by_label(foo" + texts + ")", ParserOptions.ALL))
        .contains("more than 1024 arguments in one list");
  }

  @Test
  void listsAsLongAsASeriesLabelsAreTaken() throws ParseException {
    String names = "a,".repeat(Parser.MAX_LISTED);
    String matchers = "b=\"\",".repeat(Parser.MAX_LISTED);
    assertThat(Parser.parse("sum by (" + names + ") (foo{" + matchers + "})")).isNotNull();
  }
}
