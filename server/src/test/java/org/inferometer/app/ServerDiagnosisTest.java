package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.ServiceStatus;
import org.inferometer.exposition.ExpositionWriter;
import org.inferometer.exposition.Format;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryValue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.SimulatedTime;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looks at an engine in made-up time. */
class ServerDiagnosisTest {
  private static final long START_MS = 1_790_000_000_000L;
  private static final long SECOND_NS = 1_000_000_000L;

  private final SimulatedTime time = new SimulatedTime(START_MS);
  private final MemoryStore store = new MemoryStore();
  private final LocalQueryService queries =
      new LocalQueryService(
          store.series(), MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system());
  private final Signals signals = signals(time);
  private boolean isReady = true;
  private final Settings settings = Settings.load(List.of(), null);
  private final ServerDiagnosis diagnosis =
      new ServerDiagnosis(
          () -> signals,
          atMs -> signals(() -> atMs),
          () -> settings,
          () -> isReady,
          queries,
          store,
          time,
          time);

  ServerDiagnosisTest() {
    for (long ms = START_MS - 900_000; ms <= START_MS + 200_000; ms += 15_000) {
      add("up", ms, 1);
      add("vllm:num_requests_running", ms, 3, "model_name", "m", "engine", "0");
      add("vllm:num_requests_waiting", ms, 0, "model_name", "m", "engine", "0");
    }
  }

  private Signals signals(WallClock clock) {
    return new Signals(queries, clock, time, Goals.NONE, Facts.NONE);
  }

  private void add(String metric, long timeMs, double value, String... labels) {
    Labels all =
        Labels.of(labels).with(Labels.NAME, metric).with("job", "vllm").with("instance", "h:8000");
    store.series().add(all, timeMs, value);
  }

  @AfterEach
  void end() {
    time.close();
  }

  private int count(String query) throws QueryException {
    QueryValue value = queries.instant(new InstantQuery(query, time.nowMs())).value();
    return ((QueryValue.Vector) value).elements().size();
  }

  @Test
  void looks_areKeptAndStored() throws QueryException {
    diagnosis.start(time);
    time.runUntil(29 * SECOND_NS);
    assertThat(diagnosis.log().newest()).isNull();
    time.runUntil(95 * SECOND_NS);
    List<ServiceStatus> statuses = diagnosis.log().statuses();
    assertThat(statuses).extracting(ServiceStatus::service).containsExactly("vllm/m");
    assertThat(diagnosis.log().firstMs()).isEqualTo(START_MS + 30_000);
    assertThat(count("inferometer_service_state{service=\"vllm/m\"} == 1")).isEqualTo(1);
    assertThat(count("count_over_time(inferometer_service_state[5m]) == 3")).isEqualTo(5);
  }

  @Test
  void nothingToLookAt_isWaitedFor() {
    isReady = false;
    diagnosis.start(time);
    time.runUntil(60 * SECOND_NS);
    assertThat(diagnosis.log().newest()).isNull();
    isReady = true;
    time.runUntil(62 * SECOND_NS);
    assertThat(diagnosis.log().newest()).isNotNull();
  }

  @Test
  void close_endsTheSeries() throws QueryException {
    diagnosis.start(time);
    time.runUntil(35 * SECOND_NS);
    assertThat(count("inferometer_service_state")).isEqualTo(5);
    Thread closing = Thread.ofVirtual().start(diagnosis::close);
    closing.interrupt(); // Made-up time doesn't go on while it waits for the last turn.
    join(closing);
    assertThat(count("inferometer_service_state")).isZero();
    time.runUntil(300 * SECOND_NS);
    assertThat(count("inferometer_service_state")).isZero();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void question_ofThePast_isAnsweredThen_theSameOnceForAll() throws QueryException {
    Diagnoser.Request request = Diagnoser.Request.of(START_MS - 300_000, 300_000);
    Report report = diagnosis.diagnose(request);
    assertThat(report.services()).extracting(one -> one.service()).containsExactly("vllm/m");
    assertThat(report.services().getFirst().window()).isEqualTo(request.window());
    assertThat(diagnosis.diagnose(request)).isSameAs(report);
    time.runUntil(10 * SECOND_NS);
    assertThat(diagnosis.diagnose(request)).isNotSameAs(report);
    Report before = diagnosis.diagnose(Diagnoser.Request.of(START_MS - 3_600_000, 300_000));
    assertThat(before.services()).isEmpty();
  }

  @Test
  void findingsBeforeTheFirstLook_areReadFromTheStore() throws QueryException {
    Labels labels =
        Labels.of(
            Labels.NAME,
            "inferometer_finding",
            "cause",
            "capacity",
            "service",
            "vllm/m",
            "root",
            "true");
    for (int i = 0; i < 10; i++) {
      store.series().add(labels, START_MS - 600_000 + i * 30_000L, 0.8);
    }
    diagnosis.start(time);
    time.runUntil(31 * SECOND_NS);
    assertThat(diagnosis.findings(START_MS - 900_000, time.nowMs()))
        .singleElement()
        .satisfies(found -> assertThat(found.cause()).isEqualTo("capacity"));
    assertThat(diagnosis.incidents(START_MS - 900_000, time.nowMs()))
        .singleElement()
        .satisfies(incident -> assertThat(incident.service()).isEqualTo("vllm/m"));
  }

  @Test
  void ownMetrics_areWritten() {
    diagnosis.start(time);
    time.runUntil(65 * SECOND_NS);
    ExpositionWriter page = new ExpositionWriter(Format.forAccept(null));
    diagnosis.write(page);
    assertThat(page.finish())
        .contains(
            "inferometer_diagnosis_duration_seconds_count 2\n",
            "inferometer_diagnosis_skipped_total 0\n",
            "inferometer_diagnosis_failures_total 0\n",
            "inferometer_diagnosis_findings 0\n");
  }
}
