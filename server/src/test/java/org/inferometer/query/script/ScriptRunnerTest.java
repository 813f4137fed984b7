package org.inferometer.query.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.inferometer.histogram.ResetHint;
import org.junit.jupiter.api.Test;

/**
 * That what a script expects is really held against the answers: each check must be able to fail.
 */
class ScriptRunnerTest {
  private static final String LOAD =
      """
      load 1m
        reqs_total{job="a"} 0+60x10
        reqs_total{job="b"} 0+30x4 _x2 stale
        gauge -1x2 NaN Inf 1e3-1_0x2

      """;

  private static ScriptReport run(String evals) throws ScriptException {
    return new ScriptRunner(new LocalEvaluation(() -> 0)).run("t.test", LOAD + evals);
  }

  private static void assertPasses(String evals) throws ScriptException {
    ScriptReport report = run(evals);
    assertThat(report.failures()).isEmpty();
    assertThat(report.passed()).isPositive();
  }

  private static void assertFails(String eval, String words) throws ScriptException {
    ScriptReport report = run(eval);
    assertThat(report.failures()).hasSize(1);
    assertThat(report.failures().getFirst()).startsWith("t.test:6: ").contains(words);
  }

  @Test
  void rightExpectationsPass() throws ScriptException {
    assertPasses(
        """
        eval instant at 4m rate(reqs_total[3m])
          expect no_warn
          expect no_info
          {job="a"} 1
          {job="b"} 0.5

        eval range from 0 to 7m step 1m reqs_total{job="b"}
          reqs_total{job="b"} 0 30 60 90 120 120 120

        eval range from 2m to 6m step 1m gauge
          gauge -1 NaN Inf 1000 990

        # A comment ends a body.
        eval instant at 10m 1 + 1
          2

        eval instant at 10m absent_metric

        eval instant at 1m "a"
          expect string `a`

        eval instant at 2m gauge[2m]
          expect range vector from 1m to 2m step 1m
          gauge -1 -1

        EVAL_FAIL instant at 1m reqs_total + on() reqs_total

        eval instant at 1m sum(
          expect fail msg: 1:5: parse error: unclosed left parenthesis

        eval_ordered instant at 4m sort_desc(reqs_total)
          reqs_total{job="a"} 240
          reqs_total{job="b"} 120
        """
            .replace("EVAL_FAIL", "eval_fail"));
  }

  @Test
  void wrongValuesFail() throws ScriptException {
    assertFails("eval instant at 1m gauge\n  gauge -1.00001\n", "gauge: expected -1.00001");
    assertFails("eval instant at 1m 2\n  3\n", "expected scalar 3");
    assertFails("eval instant at 1m \"a\"\n  expect string \"b\"\n", "expected string \"b\"");
    assertFails("eval range from 1m to 2m step 1m gauge\n gauge -1 1\n", "at 120000 ms");
  }

  @Test
  void missingAndUnexpectedSeriesFail() throws ScriptException {
    assertFails("eval instant at 1m gauge\n", "unexpected [gauge]");
    assertFails("eval instant at 1m gauge\n  gauge -1\n  other 1\n", "missing other");
    assertFails("eval range from 1m to 2m step 1m gauge\n", "unexpected [gauge]");
    assertFails("eval range from 1m to 2m step 1m gauge\n gauge -1 _\n", "aren't expected");
    assertFails("eval range from 1m to 2m step 1m gauge\n gauge _ _\n", "aren't expected");
  }

  @Test
  void wrongOrderFails() throws ScriptException {
    assertFails(
        "eval instant at 4m sort(reqs_total)\n  expect ordered\n"
            + "  reqs_total{job=\"a\"} 240\n  reqs_total{job=\"b\"} 120\n",
        "expected at place 0, is at 1");
  }

  @Test
  void failuresMustComeAsExpected() throws ScriptException {
    assertFails("eval instant at 1m sum(\n", "failed: 1:5: parse error");
    assertFails("eval instant at 1m gauge\n  expect fail\n", "expected to fail, but answered");
    assertFails("eval instant at 1m sum(\n  expect fail msg: other\n", "expected to fail with");
    assertFails("eval instant at 1m sum(\n  expect fail regex: ^other\n", "expected to fail with");
  }

  @Test
  void annotationsMustComeAsExpected() throws ScriptException {
    assertPasses(
        "eval instant at 4m quantile(2, gauge)\n  expect warn regex: PromQL warning: .*\\(1:10\\)\n"
            + "  {} Inf\n");
    assertFails(
        "eval instant at 4m quantile(2, gauge)\n  expect no_warn\n  {} Inf\n", "no warning");
    assertFails("eval instant at 4m gauge\n  expect warn\n  gauge 1\n", "");
    assertFails("eval instant at 1m gauge\n  expect info\n  gauge -1\n", "expected a info");
  }

  @Test
  void histogramsOfALineAreRead() throws ScriptException {
    SeriesLine line = SeriesLine.parse("{\"h.x\"} {{schema:1 counter_reset_hint:reset}}x1 _ 1");
    assertThat(line.labels().metricName()).isEqualTo("h.x");
    assertThat(line.slots()).hasSize(4);
    assertThat(((Slot.Histogram) line.slots().get(1)).value().resetHint())
        .isEqualTo(ResetHint.RESET);
  }

  @Test
  void brokenScriptsNameTheLine() {
    assertBroken("what\n", "t.test: line 6: expected clear, load or eval, got \"what\"");
    assertBroken("load 5q\n", "t.test: line 6: not a valid duration string: \"5q\"");
    assertBroken("load 5m\n  foo 1 x\n", "t.test: line 7: expected a value, ");
    assertBroken("load 5m\n  foo{a=} 1\n", "t.test: line 7: not a metric: 1:7: parse error: ");
    assertBroken("load 5m\n  foo {{schema:99}}\n", "t.test: line 7: schema must be");
    assertBroken("load 5m\n  foo {{schema:1}}+{{}}x2\n", "cannot merge from schema 0 to 1");
    assertBroken("load 5m\n  foo 1x99999999\n", "repeats more than 1000000 times");
    assertBroken("eval at 5m foo\n", "t.test: line 6: expected \"eval instant at <t> <expr>\"");
    assertBroken("eval instant at 5m foo\n  expect nothing\n", "unknown expectation");
    assertBroken("eval instant at 5m foo\n  expect fail regex: (\n", "not a regular expression");
    assertBroken("eval instant at 5m foo\n  expect string foo\n", "not a quoted string");
  }

  private static void assertBroken(String script, String words) {
    assertThatThrownBy(() -> run(script))
        .isInstanceOf(ScriptException.class)
        .hasMessageContaining(words);
  }
}
