package org.inferometer.query.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Instant functions and operators where native histograms are among the elements. */
class HistogramFunctionsTest {
  private static final String LOAD =
      """
      load 1m
        m{is="float"} 3 3 3 3
        m{is="histogram"} {{schema:0 sum:6 count:4 buckets:[0 2 2]}}x3
        m{is="custom"} {{schema:-53 sum:6 count:4 custom_values:[1 2] buckets:[1 2 1]}}x3
        by_turns 7 {{schema:0 sum:6 count:4 buckets:[0 2 2]}} 8 9
        latency_bucket{le="1"} 0 2 2 2
        latency_bucket{le="+Inf"} 0 4 4 4
        both{le="1"} 1 1 stale 1
        both{le="+Inf"} 2 2 2 stale
        both _ {{schema:0 sum:6 count:4 buckets:[0 2 2]}} stale _
        q 0.25 0.5 0.25 0.5

      """;

  private static void assertPasses(String evals) throws ScriptException {
    ScriptReport report = new ScriptRunner(new LocalEvaluation(() -> 0)).run("t", LOAD + evals);
    assertThat(report.failures()).isEmpty();
    assertThat(report.passed()).isPositive();
  }

  @Test
  void functionsOfNumbers_leaveHistogramsOut() throws ScriptException {
    assertPasses(
        """
        eval instant at 1m abs(-m)
          {is="float"} 3

        eval instant at 1m round(m / 2)
          {is="float"} 2

        eval instant at 1m clamp_max(m, 2)
          {is="float"} 2

        eval instant at 1m year(m)
          {is="float"} 1970

        eval instant at 1m scalar(m)
          3

        eval instant at 1m sort(m)
          expect ordered
          m{is="float"} 3

        eval instant at 1m sort_desc(m)
          m{is="float"} 3

        eval range from 0 to 3m step 1m ceil(by_turns)
          {} 7 _ 8 9
        """);
  }

  @Test
  void functionsOfElements_keepHistograms() throws ScriptException {
    assertPasses(
        """
        eval instant at 1m sort_by_label(m, "is")
          expect ordered
          m{is="custom"} {{schema:-53 sum:6 count:4 custom_values:[1 2] buckets:[1 2 1]}}
          m{is="float"} 3
          m{is="histogram"} {{schema:0 sum:6 count:4 buckets:[0 2 2]}}

        eval instant at 1m label_replace(m{is="histogram"}, "to", "x", "is", ".*")
          m{is="histogram", to="x"} {{schema:0 sum:6 count:4 buckets:[0 2 2]}}

        eval instant at 1m label_join(m{is="histogram"}, "to", "-", "is", "is")
          m{is="histogram", to="histogram-histogram"} {{schema:0 sum:6 count:4 buckets:[0 2 2]}}

        eval instant at 1m timestamp(m * 1)
          {is="float"} 60
          {is="histogram"} 60
          {is="custom"} 60

        eval instant at 1m absent(m{is="histogram"})

        eval instant at 1m -by_turns
          {} {{schema:0 sum:-6 count:-4 buckets:[0 -2 -2] counter_reset_hint:gauge}}

        eval range from 0 to 3m step 1m -by_turns
          {} -7 {{schema:0 sum:-6 count:-4 buckets:[0 -2 -2]}} -8 -9
        """);
  }

  @Test
  void functionsOfHistograms_leaveFloatsOut() throws ScriptException {
    assertPasses(
        """
        eval instant at 1m histogram_count(m)
          {is="histogram"} 4
          {is="custom"} 4

        eval range from 0 to 3m step 1m histogram_sum(by_turns)
          {} _ 6 _ _

        eval instant at 1m histogram_avg(m{is="float"})

        eval instant at 1m histogram_stdvar(m{is="custom"})
          {is="custom"} Inf
        """);
  }

  @Test
  void countValues_writesAHistogramOut() throws ScriptException {
    assertPasses(
        """
        eval range from 0 to 3m step 1m count_values("v", by_turns)
          {v="7"} 1 _ _ _
          {v="8"} _ _ 1 _
          {v="9"} _ _ _ 1
          {v="{count:4, sum:6, (1,2]:2, (2,4]:2}"} _ 1 _ _

        eval instant at 1m count_values("v", {is="histogram"} or by_turns)
          {v="{count:4, sum:6, (1,2]:2, (2,4]:2}"} 2
        """);
  }

  @Test
  void quantileAtEachStep_isTheParametersThen() throws ScriptException {
    assertPasses(
        """
        eval range from 0 to 3m step 1m histogram_quantile(scalar(q), m{is="custom"})
          {is="custom"} 1 1.5 1 1.5

        eval range from 0 to 3m step 1m histogram_quantiles(m{is="custom"}, "q", scalar(q), 1)
          {is="custom", q="0.25"} 1 _ 1 _
          {is="custom", q="0.5"} _ 1.5 _ 1.5
          {is="custom", q="1.0"} 2 2 2 2

        eval instant at 1m histogram_quantiles(m{is="custom"}, "", 1)
          expect fail msg: invalid label name ""
        """);
  }

  @Test
  void bothFormsOfAHistogram_areNotUsedWhereTheyMeet() throws ScriptException {
    assertPasses(
        """
        eval range from 0 to 3m step 1m histogram_quantile(0.5, both)
          expect warn msg: PromQL warning: vector contains a mix of classic and native histograms for metric name "both" (1:25)
          expect no_info
          {} 1 _ NaN NaN

        eval range from 0 to 0 step 1m histogram_fraction(0, 1, both)
          expect no_warn
          {} 0.5

        eval instant at 1m histogram_quantile(0.5, {__name__=~"latency_bucket|by_turns"})
          expect fail msg: vector cannot contain metrics with the same labelset
        """);
  }

  @Test
  void floatsWithoutABound_areNoBuckets() throws ScriptException {
    assertPasses(
        """
        eval range from 0 to 3m step 1m histogram_quantile(0.5, by_turns)
          expect warn msg: PromQL warning: bucket label "le" is missing or has a malformed value of "" for metric name "by_turns" (1:25)
          {} _ 2 _ _
        """);
  }

  @Test
  void trim_isOfAHistogramByAFloat() throws ScriptException {
    assertPasses(
        """
        eval instant at 1m m{is="histogram"} </ 2
          m{is="histogram"} {{schema:0 sum:2.8284271247461903 count:2 offset:1 buckets:[2]}}

        eval instant at 1m m >/ on () group_left () by_turns{none="x"}

        eval instant at 0 m{is="custom"} >/ ignoring (is) q * 4
          m {{schema:-53 sum:5 count:3 custom_values:[1 2] offset:1 buckets:[2 1]}}

        eval instant at 1m m{is="float"} </ 2
          expect info msg: PromQL info: incompatible sample types encountered for binary operator "</": float </ float (1:1)

        eval instant at 1m 2 >/ m{is="histogram"}
          expect info msg: PromQL info: incompatible sample types encountered for binary operator ">/": float >/ histogram (1:1)

        eval instant at 1m q </ q
          expect info msg: PromQL info: incompatible sample types encountered for binary operator "</": float </ float (1:1)

        eval instant at 1m by_turns </ by_turns
          expect info msg: PromQL info: incompatible sample types encountered for binary operator "</": histogram </ histogram (1:1)

        eval instant at 1m 1 </ 2
          expect fail msg: operator "</" not allowed for scalar operations
        """);
  }
}
