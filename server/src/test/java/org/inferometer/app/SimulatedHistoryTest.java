package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.HeadOptions;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;
import org.inferometer.tsdb.wal.WalOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scraping a whole fleet leaves in a store. */
class SimulatedHistoryTest {
  private static final long START_MS = 1_790_000_000_000L;
  private static final long MINUTE_MS = 60_000;
  private static final long SECOND_NS = 1_000_000_000;

  @TempDir Path folder;

  private static Fleet fleet() {
    Scenario scenario =
        Scenarios.builtIn()
            .read(
                "small",
                """
                title: Small
                fleet:
                  gateway: {name: edge}
                  replicas:
                    - {name: llama, count: 2, release: 0.15.0, model: llama-3.1-8b, gpu: L40S, host: node-1, start: 20s, flags: {max_model_len: 8192}}
                workloads:
                  - {name: chat, arrivals: {law: poisson, rate: 4}, prompt: {law: fixed, value: 300}, output: {law: fixed, value: 60}}
                truth: {cause: healthy, layer: none, says: All is well.}
                """);
    return Fleet.of(scenario, 1, START_MS);
  }

  private static List<Series> select(Querier querier, Matcher... matchers) {
    return querier.select(List.of(matchers));
  }

  private static int falls(Series series) {
    SampleColumns columns = new SampleColumns();
    series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
    int falls = 0;
    double before = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < columns.size(); i++) {
      double value = columns.value(i);
      if (!StalenessMarker.is(value)) {
        falls += value < before ? 1 : 0;
        before = value;
      }
    }
    return falls;
  }

  @Test
  void counters_neverFall_butAtARestart() {
    Fleet fleet = fleet();
    RecordedSeries stored = new RecordedSeries(START_MS);
    fleet
        .agenda()
        .at(
            60 * SECOND_NS,
            () ->
                fleet.apply(
                    new Action.Restart(null, null, false),
                    new Scenario.Target("llama-0", null, null, null, null),
                    0));
    SimulatedHistory.of(5_000, 1).fill(fleet, stored, START_MS + 3 * MINUTE_MS, _ -> {});
    Map<String, Integer> byInstance = new HashMap<>();
    int counters = 0;
    try (Querier querier = stored.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      Matcher isCounter =
          new Matcher(
              Matcher.Type.REGEX,
              Labels.NAME,
              ".+_(total|count|sum|bucket)|DCGM_FI_DEV_TOTAL_ENERGY.*");
      for (Series series : select(querier, isCounter)) {
        int falls = falls(series);
        counters++;
        assertThat(falls).as(series.labels().toString()).isLessThanOrEqualTo(1);
        byInstance.merge(series.labels().get("instance"), falls, Integer::sum);
      }
    }
    assertThat(counters).isGreaterThan(1000);
    assertThat(byInstance.get("llama-0.sim:8000")).isGreaterThan(50);
    byInstance.remove("llama-0.sim:8000");
    assertThat(byInstance.values()).isNotEmpty().containsOnly(0);
  }

  @Test
  void store_takesTheWholePast_andTheSeriesGoOnWithoutAMark() {
    long nowMs = START_MS + 10 * MINUTE_MS;
    StoreOptions options =
        new StoreOptions(
            folder.resolve("data"),
            false,
            24 * 60 * MINUTE_MS,
            0,
            120 * MINUTE_MS,
            120 * MINUTE_MS,
            HeadOptions.defaults(),
            WalOptions.defaults());
    Fleet fleet = fleet();
    LateStore late = new LateStore();
    try (Store store = Store.open(options, Disk.real(), () -> nowMs, _ -> {})) {
      late.open(store);
      SimulatedHistory.of(15_000, 1).fill(fleet, late, nowMs, _ -> {});
      SampleColumns columns = up(late);
      assertThat(fleet.now()).isEqualTo(600 * SECOND_NS);
      assertThat(columns.size()).isEqualTo(40);
      assertThat(columns.timestampMs(0)).isBetween(START_MS, START_MS + 15_000);
      assertThat(columns.timestampMs(39)).isBetween(nowMs - 15_000, nowMs);
      assertThat(columns.value(39)).isEqualTo(1);
    }
  }

  private static SampleColumns up(Queryable store) {
    try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      List<Series> found =
          select(
              querier,
              Matcher.equal(Labels.NAME, "up"),
              Matcher.equal("instance", "llama-0.sim:8000"));
      assertThat(found).hasSize(1);
      SampleColumns columns = new SampleColumns();
      found.getFirst().read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      return columns;
    }
  }
}
