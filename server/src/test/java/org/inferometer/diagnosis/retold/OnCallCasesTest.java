package org.inferometer.diagnosis.retold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.LayerLine;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The five on-call cases and the reconciliation example of the seed, with their numbers. */
class OnCallCasesTest {
  private static final String MODEL = "Qwen/Qwen3-32B";

  private final RetoldSeries series = new RetoldSeries();

  private Diagnosis diagnosis() throws QueryException {
    return series.diagnose(5).whole();
  }

  private List<String> causes() throws QueryException {
    return diagnosis().verdicts().stream().map(Verdict::cause).toList();
  }

  @Test
  @DisplayName("1: 100 % utilisation and 300 tokens a second: the gateway sends one after another")
  void tinyBatch() throws QueryException {
    RetoldEngine engine = series.engine("vllm-0:8000", MODEL);
    RetoldGpu gpu = series.gpu("node-1", 0, "NVIDIA H100 80GB HBM3", "vllm-0");
    RetoldEdge gateway = series.gateway(MODEL);
    engine.output = 300;
    engine.tpot = 0.024;
    engine.rate = 2;
    engine.kv = 0.4;
    gateway.rate = 2;
    gateway.ttft = 0.2;
    gateway.e2e = engine.e2e() + 0.05;
    gpu.util = 1;
    gpu.dram = 0.7;
    series.pass(20);
    engine.tpot = 2 / 300.0;
    engine.running = 2;
    engine.rate = 1;
    engine.kv = 0.02;
    gateway.rate = 1;
    gateway.ttft = 14;
    gateway.e2e = 14 + 300 * engine.tpot;
    gpu.tensor = 0.04;
    gpu.dram = 0.88;
    series.pass(10);
    assertThat(causes()).first().isIn("connection-serialised", "decode-memory-bound");
  }

  @Test
  @DisplayName("2: TTFT goes from 0.6 to 4 s while KV usage falls: the prompt template changed")
  void templateChanged() throws QueryException {
    RetoldEngine engine = series.engine("vllm-0:8000", MODEL);
    engine.prompt = 3000;
    engine.rate = 4;
    engine.hits = 0.6;
    engine.queue = 0.1;
    engine.prefill = 0.49;
    engine.kv = 0.55;
    series.pass(20);
    engine.hits = 0.05;
    engine.queue = 2.4;
    engine.prefill = 1.6;
    engine.kv = 0.35;
    engine.waiting = 9;
    series.pass(10);
    assertThat(causes()).first().isEqualTo("prefix-cache-loss");
  }

  @Test
  @DisplayName(
      "3: P99 stands at 60 s, P50 is normal, 15 % are aborted: a timeout before the engine")
  void fixedP99() throws QueryException {
    RetoldEngine engine = series.engine("vllm-0:8000", MODEL);
    engine.output = 500;
    engine.tpot = 0.04;
    engine.sigma = 0.9;
    series.pass(20);
    engine.cut = 60;
    engine.tpot = 0.06;
    engine.abortShare = 0.15;
    series.pass(12);
    assertThat(causes()).first().isEqualTo("gateway-timeout");
  }

  @Test
  @DisplayName("4: restarts with a full KV cache before each: memory is planned too tightly")
  void outOfMemory() throws QueryException {
    RetoldEngine engine = series.engine("vllm-0:8000", MODEL);
    engine.memoryUtilisation = 0.97;
    engine.prompt = 9000;
    for (int i = 0; i < 4; i++) {
      engine.up = true;
      engine.kv = 0.7;
      series.pass(3);
      engine.kv = 1;
      engine.preemptions = 0.1;
      series.pass(1);
      engine.up = false;
      series.pass(2);
      engine.restart(series.nowMs());
    }
    engine.up = true;
    series.pass(1);
    assertThat(causes()).first().isEqualTo("oom-config");
  }

  @Test
  @DisplayName("5: one replica is three times slower, its GPU has memory errors: replace the card")
  void oneSlowReplica() throws QueryException {
    for (int i = 0; i < 4; i++) {
      RetoldEngine engine = series.engine("vllm-" + i + ":8000", MODEL);
      RetoldGpu gpu = series.gpu("node-" + i, 0, "NVIDIA H100 80GB HBM3", "vllm-" + i);
      if (i == 2) {
        engine.tpot = 0.06;
        engine.prefill = 0.45;
        gpu.doubleBit = 3;
        gpu.rows = 4;
        gpu.xid = 94;
      }
    }
    series.pass(20);
    Diagnosis diagnosis = diagnosis();
    Verdict first = diagnosis.verdicts().getFirst();
    assertThat(first.cause()).isIn("hardware-fault", "slow-replica");
    assertThat(first.finding().scope().toString()).contains("-2");
  }

  @Test
  @DisplayName("5: the same without telemetry of GPUs: the replica is named")
  void oneSlowReplica_withoutGpus() throws QueryException {
    for (int i = 0; i < 4; i++) {
      RetoldEngine engine = series.engine("vllm-" + i + ":8000", MODEL);
      if (i == 2) {
        engine.tpot = 0.06;
        engine.prefill = 0.45;
      }
    }
    series.pass(20);
    Verdict first = diagnosis().verdicts().getFirst();
    assertThat(first.cause()).isEqualTo("slow-replica");
    assertThat(first.finding().scope().instance()).isEqualTo("vllm-2:8000");
  }

  @Test
  @DisplayName(
      "reconciliation: gateway 11.2 s, engine 10.8 s, queue 5.9 s, KV 98 %, 3.1 preemptions")
  void reconciliation() throws QueryException {
    RetoldEngine engine = series.engine("vllm-0:8000", MODEL);
    RetoldGpu gpu = series.gpu("node-1", 0, "NVIDIA H100 80GB HBM3", "vllm-0");
    RetoldEdge gateway = series.gateway(MODEL);
    engine.output = 200;
    engine.rate = 6;
    gateway.rate = 6;
    gateway.ttft = 0.2;
    gateway.e2e = engine.e2e();
    series.pass(20);
    engine.queue = 5.9;
    engine.prefill = 0.35;
    engine.sigma = 0.08;
    engine.tpot = 0.021;
    engine.waiting = 68;
    engine.kv = 0.98;
    engine.preemptions = 3.1;
    gateway.ttft = 6.4;
    gateway.e2e = 10.8;
    gateway.sigma = 0.08;
    gpu.util = 1;
    gpu.tensor = 0.07;
    gpu.dram = 0.45;
    series.pass(10);
    Diagnosis diagnosis = diagnosis();
    assertThat(diagnosis.verdicts().getFirst().cause()).isEqualTo("kv-exhaustion");
    assertThat(diagnosis.layers())
        .extracting(LayerLine::layer)
        .contains("gateway", "request", "engine", "gpu");
  }
}
