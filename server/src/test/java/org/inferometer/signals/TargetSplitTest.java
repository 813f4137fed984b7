package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetSplitTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "max by (job, instance, gpu) (x)",
        "clamp_min(1 - avg by (job, instance) (sum without (mode) (rate(x[1m]))), 0)",
        "sum by (job, instance) (x) / on (job, instance) sum by (instance, job) (y)",
        "x / ignoring (mode) y",
        "max_over_time(x[5m:1m]) * 2",
        "quantile by (job, instance) (0.9, x)"
      })
  void isApart_whereTargetsAreNeverMixed(String query) throws ParseException {
    assertThat(TargetSplit.isApart(Parser.parse(query))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum(x)",
        "max by (instance) (x)",
        "max by (job, instance) (count by (gpu) (x))",
        "sum without (instance) (x)",
        "x / on (instance) y",
        "x and on () y",
        "x / ignoring (job) y",
        "x / scalar(y)",
        "x or vector(0)",
        "absent(x)",
        "label_replace(x, \"instance\", \"a\", \"\", \"\")",
        "count_values by (job, instance) (\"job\", x)"
      })
  void isApart_notWhereTargetsAreMixed(String query) throws ParseException {
    assertThat(TargetSplit.isApart(Parser.parse(query))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sum(x)", "max by (gpu) (x) * 2", "sum(x) / sum(y)", "abs(sum(x))"})
  void drops_whatGroupingsLeaveOut(String query) throws ParseException {
    assertThat(TargetSplit.drops(Parser.parse(query), Target.LABELS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "rate(x[1m])",
        "max by (instance) (x)",
        "max without (gpu) (x)",
        "sum(x) or y",
        "sum by (gpu) (x) * on (gpu) group_left (instance) sum by (gpu) (y)"
      })
  void drops_notWhatSeriesKeep(String query) throws ParseException {
    assertThat(TargetSplit.drops(Parser.parse(query), Target.LABELS)).isFalse();
    assertThat(TargetSplit.drops(Parser.parse(query), List.of()))
        .isEqualTo(!query.contains("left"));
  }
}
