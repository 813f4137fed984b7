package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class InfoFunctionTest {
  private static final long MINUTE = 60_000;

  private final QueryBench bench = new QueryBench();

  private static Labels series(String name, String... labels) {
    List<String> pairs = new ArrayList<>(List.of(Labels.NAME, name, "instance", "a", "job", "j"));
    pairs.addAll(List.of(labels));
    return Labels.of(pairs.toArray(String[]::new));
  }

  @Test
  void labelsOfTheInfoSeriesAreAddedAndOwnOnesStay() throws QueryException {
    bench
        .load(series("m", "region", "own"), MINUTE, 1)
        .load(series("target_info", "region", "info", "version", "2", "__type__", "gauge"), 1, 1);
    assertThat(bench.instant(0, "info(m)"))
        .containsExactly("m{instance=\"a\", job=\"j\", region=\"own\", version=\"2\"} 1.0");
    assertThat(bench.instant(0, "info(m, {region=~\".+\"})"))
        .containsExactly("m{instance=\"a\", job=\"j\", region=\"own\"} 1.0");
  }

  @Test
  void instanceAndJobMustBothBeThoseOfTheSeries() throws QueryException {
    bench
        .load(Labels.of(Labels.NAME, "m", "instance", "a"), MINUTE, 1)
        .load(Labels.of(Labels.NAME, "m", "job", "j"), MINUTE, 2)
        .load(series("target_info", "version", "2"), MINUTE, 1)
        .load(Labels.of(Labels.NAME, "target_info", "job", "j", "version", "1"), MINUTE, 1)
        .load(Labels.of(Labels.NAME, "target_info", "version", "0"), MINUTE, 1);
    assertThat(bench.instant(0, "info(m)"))
        .containsExactly("m{instance=\"a\"} 1.0", "m{job=\"j\", version=\"1\"} 2.0");
    assertThat(bench.instant(0, "info(vector(7))")).containsExactly("{} 7.0");
  }

  @Test
  void seriesChangesWhenItsInfoDoes() throws QueryException {
    bench
        .load(series("m"), MINUTE, 1, 2, 3, 4)
        .load(series("target_info", "version", "1"), MINUTE, 1, 1);
    bench.series.add(series("target_info", "version", "2"), 2 * MINUTE, 1);
    assertThat(bench.range(0, 3 * MINUTE, MINUTE, "info(m)"))
        .containsExactly(
            "m{instance=\"a\", job=\"j\", version=\"1\"} 1.0@0 2.0@60000",
            "m{instance=\"a\", job=\"j\", version=\"2\"} 3.0@120000 4.0@180000");
  }

  @Test
  void stepsWithoutInfoKeepTheSeriesUnlessALabelIsDemanded() throws QueryException {
    bench.load(series("m"), MINUTE, 1, 2);
    bench.series.add(series("target_info", "version", "2"), MINUTE, 1);
    assertThat(bench.range(0, MINUTE, MINUTE, "info(m)"))
        .containsExactly(
            "m{instance=\"a\", job=\"j\"} 1.0@0",
            "m{instance=\"a\", job=\"j\", version=\"2\"} 2.0@60000");
    assertThat(bench.range(0, MINUTE, MINUTE, "info(m, {version!=\"\"})"))
        .containsExactly("m{instance=\"a\", job=\"j\", version=\"2\"} 2.0@60000");
  }

  @Test
  void twoInfoSeriesOfOneTimeAreAnError() {
    bench
        .load(series("m"), MINUTE, 1)
        .load(series("target_info", "version", "1"), MINUTE, 1)
        .load(series("target_info", "version", "2"), MINUTE, 1);
    assertThatThrownBy(() -> bench.instant(1000, "info(m)"))
        .hasMessage(
            "found duplicate series for info metric: existing"
                + " {__name__=\"target_info\", instance=\"a\", job=\"j\", version=\"1\"} @ 0,"
                + " new {__name__=\"target_info\", instance=\"a\", job=\"j\", version=\"2\"} @ 0");
  }

  @Test
  void infoMetricsMayNotContradictEachOther() throws QueryException {
    bench
        .load(series("m", "version", "own"), MINUTE, 1)
        .load(series("build_info", "version", "1"), MINUTE, 1)
        .load(series("target_info", "version", "2"), MINUTE, 1);
    assertThat(bench.instant(0, "info(m, {__name__=\"build_info\"})"))
        .containsExactly("m{instance=\"a\", job=\"j\", version=\"own\"} 1.0");
    assertThat(bench.instant(0, "info(m, {__name__=~\".*_info\"})"))
        .containsExactly("m{instance=\"a\", job=\"j\", version=\"own\"} 1.0");
    bench.load(series("m2"), MINUTE, 1);
    assertThatThrownBy(() -> bench.instant(0, "info(m2, {__name__=~\".*_info\"})"))
        .hasMessage("conflicting label: version");
  }

  @Test
  void seriesThatBecomeEqualAreAnError() {
    bench
        .load(series("m"), MINUTE, 1)
        .load(series("m", "version", "2"), MINUTE, 2)
        .load(series("target_info", "version", "2"), MINUTE, 1);
    assertThatThrownBy(() -> bench.instant(0, "info(m)"))
        .hasMessage("vector cannot contain metrics with the same labelset");
  }

  @Test
  void infoSeriesAreLookedUpWhenTheFirstSelectorLooks() throws QueryException {
    bench
        .load(series("m"), MINUTE, 1, 2, 3, 4, 5, 6, 7, 8, 9)
        .load(series("target_info", "version", "1"), MINUTE, 1);
    String enriched = "{instance=\"a\", job=\"j\", version=\"1\"}";
    assertThat(bench.instant(8 * MINUTE, "info(m)"))
        .containsExactly("m{instance=\"a\", job=\"j\"} 9.0");
    assertThat(bench.instant(8 * MINUTE, "info(m offset 6m)"))
        .containsExactly("m" + enriched + " 3.0");
    assertThat(bench.range(8 * MINUTE, 9 * MINUTE, MINUTE, "info(m @ 60, {version=\"1\"})"))
        .containsExactly("m" + enriched + " 2.0@480000 2.0@540000");
    assertThat(bench.instant(60 * MINUTE, "info(max_over_time((m offset 1m)[3m:1m] offset 56m))"))
        .containsExactly(enriched + " 4.0");
  }
}
