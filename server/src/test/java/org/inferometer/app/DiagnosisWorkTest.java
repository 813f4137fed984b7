package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.store.MetadataSource;
import org.junit.jupiter.api.Test;

/** How much is asked for one diagnosis, however long that takes. */
class DiagnosisWorkTest {
  private static final String SCENARIO =
      """
      title: Replicas behind a gateway
      duration: 10m
      fleet:
        gateway: {name: edge, timeout: 300s}
        replicas:
          - name: llama-8b
            count: REPLICAS
            engine: vllm
            release: 0.15.0
            model: llama-3.1-8b
            gpu: H100-SXM
            start: 20s
      workloads:
        - name: chat
          arrivals: {law: poisson, rate: 5}
          prompt: {law: fixed, value: 300}
          output: {law: fixed, value: 20}
      truth:
        cause: healthy
        layer: none
        says: The replicas share the work evenly.
      """;

  private static final long START_MS = 1_790_000_000_000L;
  private static final long END_MS = START_MS + 120_000;

  private static final int BATCHES_MAX = 20;

  private static final int QUERIES_MAX = 720;

  /**
   * What its engine, its machine and its GPUs' exporter expose, and the names of its GPUs; and one
   * more.
   */
  private static final int QUERIES_OF_A_REPLICA_MAX = 5;

  @Test
  void aReplicaMore_costsNoQueriesButThoseForWhatItExposes() throws QueryException {
    Counting few = diagnosed(4);
    Counting many = diagnosed(30);
    assertThat(many.batches()).hasValueLessThanOrEqualTo(BATCHES_MAX);
    assertThat(many.queries()).hasValueLessThanOrEqualTo(QUERIES_MAX);
    assertThat(many.queries().get() - few.queries().get())
        .isLessThanOrEqualTo(26 * QUERIES_OF_A_REPLICA_MAX);
  }

  /** What a first look asked. */
  private static Counting diagnosed(int replicas) throws QueryException {
    RecordedSeries series = new RecordedSeries(START_MS);
    Fleet fleet =
        Fleet.of(
            Scenarios.builtIn().read("many", SCENARIO.replace("REPLICAS", "" + replicas)),
            1,
            START_MS);
    new SimulatedHistory(Endpoint::address, _ -> {}, 15_000, 1)
        .fill(fleet, series, END_MS + 1, _ -> {});
    Counting asked =
        new Counting(
            new LocalQueryService(series, MetadataSource.none(), EngineOptions.DEFAULT, () -> 0));
    Signals signals = new Signals(asked, () -> END_MS, () -> 0, Goals.NONE, Facts.NONE);
    Report report =
        new Diagnoser(signals, ThresholdSource.BUILT_IN)
            .diagnose(Diagnoser.Request.of(END_MS, 60_000));
    assertThat(report.services()).hasSize(1);
    return asked;
  }

  /** Counts what it is asked and has it answered. */
  private record Counting(QueryService service, AtomicInteger batches, AtomicInteger queries)
      implements QueryService {
    Counting(QueryService service) {
      this(service, new AtomicInteger(), new AtomicInteger());
    }

    @Override
    public QueryResult instant(InstantQuery query) throws QueryException {
      queries.incrementAndGet();
      return service.instant(query);
    }

    @Override
    public QueryResult range(RangeQuery query) throws QueryException {
      queries.incrementAndGet();
      return service.range(query);
    }

    @Override
    public List<BatchOutcome> batch(BatchQuery batch) throws QueryException {
      batches.incrementAndGet();
      queries.addAndGet(batch.queries().size());
      return service.batch(batch);
    }

    @Override
    public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit)
        throws QueryException {
      return service.series(selections, range, limit);
    }

    @Override
    public List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit)
        throws QueryException {
      return service.labelNames(selections, range, limit);
    }

    @Override
    public List<String> labelValues(
        String name, List<List<Matcher>> selections, TimeRange range, int limit)
        throws QueryException {
      return service.labelValues(name, selections, range, limit);
    }

    @Override
    public Map<String, List<MetricMetadata>> metadata() throws QueryException {
      return service.metadata();
    }
  }
}
