package org.inferometer.query.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.histogram.ResetHint;
import org.junit.jupiter.api.Test;

class HistogramLiteralTest {
  @Test
  void allKeysAreRead() throws ScriptException {
    assertThat(
            HistogramLiteral.parse(
                " schema:-1 sum:-1.5 count:1e2  z_bucket:NaN z_bucket_w:0.01 offset:-3"
                    + " buckets:[1 2.5 Inf ] n_offset:2 n_buckets:[ 4]"
                    + " counter_reset_hint:gauge "))
        .isEqualTo(
            new HistogramLiteral(
                -1,
                -1.5,
                100,
                Double.NaN,
                0.01,
                -3,
                List.of(1.0, 2.5, Double.POSITIVE_INFINITY),
                2,
                List.of(4.0),
                List.of(),
                ResetHint.GAUGE));
    assertThat(HistogramLiteral.parse("schema:-53 custom_values:[5 10]").customValues())
        .containsExactly(5.0, 10.0);
  }

  @Test
  void nothingIsAllZero() throws ScriptException {
    assertThat(HistogramLiteral.parse(""))
        .isEqualTo(
            new HistogramLiteral(0, 0, 0, 0, 0, 0, List.of(), 0, List.of(), List.of(), null));
  }

  @Test
  void mistakesAreNamed() {
    assertMistake("shema:1", "unknown key of a histogram: shema");
    assertMistake("sum:1 sum:2", "key of a histogram is there twice: sum");
    assertMistake("sum: 1", "expected a histogram's key:value, got \"sum: 1\"");
    assertMistake("sum:1 2", "expected a histogram's key:value, got \"2\"");
    assertMistake("sum:x", "sum must be a number, got \"x\"");
    assertMistake("schema:1.5", "schema must be an integer, got \"1.5\"");
    assertMistake("schema:9", "schema must be -4 to 8, or -53, got 9");
    assertMistake("buckets:1", "buckets must be a list in brackets, got \"1\"");
    assertMistake("buckets:[1 x]", "buckets must be a number, got \"x\"");
    assertMistake("z_bucket_w:-1", "z_bucket_w must not be negative, got -1.0");
    assertMistake("custom_values:[2 2]", "custom_values must ascend, got [2.0, 2.0]");
    assertMistake(
        "counter_reset_hint:no",
        "counter_reset_hint must be unknown, reset, not_reset or gauge, got no");
  }

  private static void assertMistake(String literal, String message) {
    assertThatThrownBy(() -> HistogramLiteral.parse(literal))
        .isInstanceOf(ScriptException.class)
        .hasMessage(message);
  }
}
