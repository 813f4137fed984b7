package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.HoldRule;
import org.inferometer.diagnosis.watch.Incident;
import org.inferometer.diagnosis.watch.Looks;
import org.inferometer.diagnosis.watch.PastIncidents;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryValue;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.StoreException;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;

/** What is kept of findings, asked for as anybody would. */
class FindingSeriesTest {
  private static final long START_MS = 1_790_000_000_000L;
  private static final long STEP_MS = 30_000;

  private final MemorySeries store = new MemorySeries();
  private final FindingLog log = new FindingLog(HoldRule.DEFAULT);
  private final FindingSeries series = new FindingSeries(Into::new);
  private long timeMs = START_MS;
  private boolean isFull;

  /** Takes samples as a store does, all or none. */
  private final class Into implements Appender {
    private final List<Labels> labels = new ArrayList<>();
    private final List<Runnable> samples = new ArrayList<>();

    @Override
    public long series(Labels of) {
      labels.add(of);
      return labels.size();
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, double value) {
      Labels of = labels.get((int) seriesRef - 1);
      samples.add(() -> store.add(of, timestampMs, value));
      return AppendOutcome.ACCEPTED;
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram) {
      throw new IllegalStateException("expected floats");
    }

    @Override
    public void commit() {
      if (isFull) {
        throw new StoreException("the disk is full");
      }
      samples.forEach(Runnable::run);
    }

    @Override
    public void rollback() {}
  }

  private long look(Report report) {
    log.take(timeMs, report);
    long lost = series.write(timeMs, log.statuses());
    timeMs += STEP_MS;
    return lost;
  }

  private List<String> ask(String query, long atMs) throws QueryException {
    LocalQueryService queries =
        new LocalQueryService(store, MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system());
    QueryValue value = queries.instant(new InstantQuery(query, atMs)).value();
    return ((QueryValue.Vector) value)
        .elements().stream().map(e -> e.labels() + " " + e.value()).toList();
  }

  @Test
  void finding_isASeriesWhileItHolds_andEndsAtOnce() throws QueryException {
    look(
        Looks.degraded(
            Looks.verdict("power-throttle", 0.95, "a:8000", null, null),
            Looks.verdict("capacity", 0.92, null, "power-throttle", null)));
    assertThat(ask("inferometer_finding", START_MS + 1))
        .containsExactlyInAnyOrder(
            "inferometer_finding{cause=\"power-throttle\", instance=\"a:8000\", model=\"m\","
                + " root=\"true\", service=\"vllm/m\"} 0.95",
            "inferometer_finding{cause=\"capacity\", model=\"m\", root=\"false\","
                + " service=\"vllm/m\"} 0.92");
    look(Looks.healthy());
    look(Looks.healthy());
    assertThat(ask("inferometer_finding", timeMs - STEP_MS)).hasSize(2);
    look(Looks.healthy());
    assertThat(ask("inferometer_finding", timeMs - STEP_MS)).isEmpty();
    assertThat(ask("count_over_time(inferometer_finding{root=\"true\"}[1h])", timeMs).getFirst())
        .endsWith(" 3.0");
  }

  @Test
  void state_isOneOfAll() throws QueryException {
    look(Looks.degraded(Looks.verdict("capacity", 0.95)));
    assertThat(ask("inferometer_service_state == 1", timeMs))
        .containsExactly("inferometer_service_state{service=\"vllm/m\", state=\"degraded\"} 1.0");
    assertThat(ask("inferometer_service_state", timeMs)).hasSize(5);
  }

  @Test
  void end_endsAllSeries() throws QueryException {
    look(Looks.degraded(Looks.verdict("capacity", 0.95)));
    series.end(timeMs);
    assertThat(ask("{service=\"vllm/m\"}", timeMs)).isEmpty();
  }

  @Test
  void root_thatBecomesAConsequence_isAnotherSeries() throws QueryException {
    look(Looks.degraded(Looks.verdict("capacity", 0.95)));
    look(
        Looks.degraded(
            Looks.verdict("power-throttle", 0.95),
            Looks.verdict("capacity", 0.95, null, "power-throttle", null)));
    assertThat(ask("inferometer_finding{cause=\"capacity\"}", timeMs))
        .singleElement()
        .asString()
        .contains("root=\"false\"");
  }

  @Test
  void findingsOfThePast_areReadFromTheSeries() throws QueryException {
    Report bad =
        Looks.degraded(
            Looks.verdict("power-throttle", 0.95, "a:8000", null, null),
            Looks.verdict("capacity", 0.92, null, "power-throttle", null));
    for (int hour = 0; hour < 2; hour++) {
      timeMs = START_MS + hour * 3_600_000L;
      for (int i = 0; i < 10; i++) {
        look(bad);
      }
      for (int i = 0; i < 4; i++) {
        look(Looks.healthy());
      }
    }
    LocalQueryService queries =
        new LocalQueryService(store, MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system());
    List<HeldFinding> found = new StoredFindings(queries).read(START_MS - 600_000, timeMs, STEP_MS);
    assertThat(found)
        .extracting(HeldFinding::cause)
        .containsExactlyInAnyOrder("power-throttle", "capacity", "power-throttle", "capacity");
    HeldFinding root = found.getLast().isRoot() ? found.getLast() : found.get(2);
    assertThat(root.scope().instance()).isEqualTo("a:8000");
    assertThat(root.says()).endsWith(" on a:8000.");
    assertThat(root.startMs()).isBetween(START_MS - 60_000, START_MS);
    assertThat(root.endMs()).isBetween(START_MS + 9 * STEP_MS, START_MS + 13 * STEP_MS + 60_000);
    assertThat(found).extracting(HeldFinding::follows).containsOnly(null, "power-throttle");
    List<Incident> incidents = PastIncidents.of(found, (_, _, _) -> null, 1);
    assertThat(incidents).hasSize(2);
    assertThat(incidents.getFirst().startMs()).isGreaterThan(START_MS + 3_000_000);
    assertThat(incidents.getLast().findings()).hasSize(2);
  }

  @Test
  void samplesThatAreNotTaken_areCounted() {
    isFull = true;
    assertThat(look(Looks.healthy())).isEqualTo(5);
  }

  @Test
  void series_areBounded() {
    Verdict[] many = new Verdict[FindingSeries.SERIES_MAX + 100];
    Arrays.setAll(many, i -> Looks.verdict("cause-" + i, 0.95));
    assertThat(look(Looks.degraded(many))).isZero();
    assertThat(store.size()).isEqualTo(FindingSeries.SERIES_MAX);
  }
}
