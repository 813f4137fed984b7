package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.junit.jupiter.api.Test;

/** How many queries things cost, whatever they are asked of. */
class QueryCostTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger batches = new AtomicInteger();
  private long nowMs = TestWorld.NOW_MS;
  private long nanos;

  @Test
  void quantilesOfOneHistogramShareAQuery() throws QueryException {
    Signals signals = signals(1);
    signals.services();
    asked.set(0);
    List<String> names = List.of("ttft_p50", "ttft_p90", "ttft_p95", "ttft_p99", "ttft_p95");
    SignalAnswer answer =
        signals.query(
            SignalBatch.at(
                nowMs, List.of(new SignalBatch.Request("vllm/Qwen/Qwen3-0.6B", names, List.of()))));
    assertThat(answer.results()).hasSize(5);
    assertThat(asked).hasValue(1);
  }

  @Test
  void everySignalOfAServiceCostsAtMostAQuery() throws QueryException {
    Signals signals = signals(1);
    signals.services();
    asked.set(0);
    long found = askEverything(signals, "vllm/Qwen/Qwen3-0.6B");
    long histograms =
        signals.vocabulary().stream()
            .filter(signal -> signal.kind() == SignalKind.QUANTILE)
            .map(Signal::base)
            .distinct()
            .count();
    // Quantiles of one histogram share theirs, and a formula is one query however many it names.
    assertThat(asked.get()).isLessThan((int) (found - histograms));
  }

  @Test
  void formulasOverHundredsOfReplicasStayReadable() throws QueryException {
    TestWorld world = new TestWorld();
    for (int i = 0; i < 300; i++) {
      String page =
          """
          vllm:num_requests_running{model_name="m",engine="0"} 3
          vllm:num_requests_waiting{model_name="m",engine="0"} 1
          vllm:request_success_total{model_name="m",engine="0",finished_reason="stop"} 57
          vllm:generation_tokens_total{model_name="m",engine="0"} 6000
          vllm:cache_config_info{engine="0",num_gpu_blocks="%d",block_size="16"} 1
          """
              .formatted(10_000 + i % 40);
      world.add(Dump.of("page", page), "vllm", "replica-" + i + ".engines.svc:8000");
    }
    Signals signals =
        new Signals(counting(Backend.queries(world)), () -> nowMs, () -> nanos, Goals.NONE);
    signals.services();
    asked.set(0);
    askEverything(signals, "vllm/m");
    assertThat(asked.get()).isLessThan(60);
    // A selector names every replica; the longest formula has a handful of them.
    assertThat(longest).hasValueLessThan(100_000);
  }

  private final AtomicInteger longest = new AtomicInteger();

  /** How many of the signals have values. */
  private long askEverything(Signals signals, String service) throws QueryException {
    List<String> names =
        signals.vocabulary().stream()
            .filter(signal -> ServiceKind.ENGINE.layers().contains(signal.layer()))
            .map(Signal::name)
            .toList();
    SignalBatch.Request request = new SignalBatch.Request(service, names, List.of());
    return signals.query(SignalBatch.at(nowMs, List.of(request))).results().stream()
        .filter(result -> result.quality() != Quality.ABSENT)
        .count();
  }

  @Test
  void judgingManyReplicasCostsNoMoreThanJudgingTwo() throws QueryException {
    signals(2).services();
    int two = asked.getAndSet(0);
    signals(12).services();
    // What each target exposes is asked once for each; the rest doesn't grow.
    assertThat(asked.get() - two).isEqualTo(10);
  }

  @Test
  void manyReadersCostOneLook() throws QueryException {
    Signals signals = signals(2);
    signals.services();
    asked.set(0);
    signals.services();
    nanos += 900_000_000L;
    signals.services();
    assertThat(asked).hasValue(0);
    nanos += 200_000_000L;
    nowMs += 1100;
    signals.services();
    assertThat(asked.get()).isGreaterThan(0);
  }

  @Test
  void lookingAtManyExportersOfGpusCostsNoMoreBatchesThanAtTwo() throws QueryException {
    assertThat(batchesForGpus(12)).isEqualTo(batchesForGpus(2)).isPositive();
  }

  private int batchesForGpus(int exporters) throws QueryException {
    Signals signals = signals("dcgm-exporter_4.8", exporters);
    signals.services();
    batches.set(0);
    assertThat(signals.gpus().gpus()).isNotEmpty();
    return batches.get();
  }

  private Signals signals(int replicas) {
    return signals("vllm_v0.9.x", replicas);
  }

  private Signals signals(String dumpName, int targets) {
    TestWorld world = new TestWorld();
    Dump dump = Dump.named(dumpName);
    for (int i = 0; i < targets; i++) {
      world.add(dump, "job", "h" + i + ":8000");
    }
    return new Signals(counting(Backend.queries(world)), () -> nowMs, () -> nanos, Goals.NONE);
  }

  private QueryService counting(QueryService service) {
    return new QueryService() {
      @Override
      public QueryResult instant(InstantQuery query) throws QueryException {
        asked.incrementAndGet();
        longest.accumulateAndGet(query.query().length(), Math::max);
        return service.instant(query);
      }

      @Override
      public QueryResult range(RangeQuery query) throws QueryException {
        asked.incrementAndGet();
        return service.range(query);
      }

      @Override
      public List<BatchOutcome> batch(BatchQuery batch) throws QueryException {
        batches.incrementAndGet();
        return QueryService.super.batch(batch);
      }

      @Override
      public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit) {
        throw new UnsupportedOperationException();
      }

      @Override
      public List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit) {
        throw new UnsupportedOperationException();
      }

      @Override
      public List<String> labelValues(
          String name, List<List<Matcher>> selections, TimeRange range, int limit) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Map<String, List<MetricMetadata>> metadata() {
        throw new UnsupportedOperationException();
      }
    };
  }
}
