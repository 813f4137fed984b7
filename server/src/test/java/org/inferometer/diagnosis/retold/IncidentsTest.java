package org.inferometer.diagnosis.retold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The ten incidents of the catalogue's incidents.md, rebuilt from their numbers; what a report
 * doesn't tell is chosen so that the identities hold, and said.
 */
class IncidentsTest {
  private static final String QWEN = "Qwen/Qwen3-32B";

  private final RetoldSeries series = new RetoldSeries();

  private List<String> causes(long minutes) throws QueryException {
    Diagnosis whole = series.diagnose(minutes).whole();
    return whole.verdicts().stream().map(Verdict::cause).toList();
  }

  // Two of the sixteen GPUs are shown; prompts of 4,000 tokens are ours.
  @Test
  @DisplayName("INC-01: round-robin routing at 15 requests a second loses the prefixes")
  void roundRobin() throws QueryException {
    RetoldEngine[] pods = new RetoldEngine[8];
    for (int i = 0; i < pods.length; i++) {
      pods[i] = series.engine("pod-" + i + ":8000", QWEN);
      pods[i].rate = 15.0 / 8;
      pods[i].prompt = 4000;
      pods[i].output = 625;
      pods[i].hits = 0.85;
      pods[i].prefill = 0.58;
      pods[i].queue = 0.02;
      pods[i].kv = 0.35;
    }
    series.pass(20);
    for (RetoldEngine pod : pods) {
      pod.hits = 0.15;
      pod.rate = 15.0 / 8 * 4626 / 9371;
      pod.queue = 22.5;
      pod.prefill = 1.9;
      pod.tpot = 0.045;
      pod.kv = 0.6;
    }
    for (int minute = 0; minute < 8; minute++) {
      for (RetoldEngine pod : pods) {
        pod.waiting = 20 + 6 * minute;
      }
      series.pass(1);
    }
    assertThat(causes(5)).first().isEqualTo("prefix-cache-loss");
  }

  @Test
  @DisplayName("INC-02: prefix caching is switched off by a restart with another flag")
  void cachingOff() throws QueryException {
    RetoldEngine spark = series.engine("spark:8000", "Qwen/Qwen3-8B");
    spark.rate = 192 / 573.7;
    spark.prompt = 8000;
    spark.output = 81.79 * 573.7 / 192;
    spark.hits = 0.665;
    spark.queue = 0.05;
    spark.prefill = 2.6;
    spark.tpot = 0.186;
    spark.running = 16;
    series.pass(20);
    spark.restart(series.nowMs());
    spark.caching = false;
    spark.hits = 0;
    spark.rate = 192 / 1020.9;
    spark.prefill = 6.2;
    spark.tpot = 0.325;
    series.pass(12);
    assertThat(causes(5)).first().isEqualTo("prefix-cache-loss");
  }

  @Test
  @DisplayName("INC-03: the load generator is the bottleneck at 50,000 tokens")
  void loadGenerator() throws QueryException {
    RetoldEngine engine = series.engine("minimax:8000", "MiniMaxAI/MiniMax-M2");
    RetoldEdge clients = series.clients("MiniMaxAI/MiniMax-M2");
    engine.prompt = 50_000;
    engine.output = 256;
    engine.hits = 0.9;
    engine.prefill = 1.2;
    engine.tpot = 0.02;
    engine.rate = 44.0 / 256;
    engine.kv = 0.2;
    clients.rate = engine.rate;
    clients.ttft = 134;
    clients.e2e = 140;
    series.pass(25);
    assertThat(causes(5)).first().isEqualTo("client-artifact");
  }

  @Test
  @DisplayName("INC-04: prefill is saturated while two thirds of the KV cache are empty")
  void prefillSaturation() throws QueryException {
    RetoldEngine engine = series.engine("h100:8000", "meta-llama/Llama-3.1-8B-Instruct");
    engine.prompt = 6000;
    engine.output = 2;
    engine.hits = 0;
    engine.rate = 2.5;
    engine.prefill = 0.4;
    engine.kv = 0.04;
    series.pass(20);
    // 8 arrive, 6 are served: 36,000 prompt tokens a second are all there is.
    engine.rate = 6;
    engine.prefill = 20 / 6.0;
    engine.kv = 0.32;
    engine.running = 20;
    for (int minute = 1; minute <= 10; minute++) {
      engine.waiting = 120 * minute;
      engine.queue = engine.waiting / 6;
      series.pass(1);
    }
    assertThat(causes(5)).first().isEqualTo("prefill-bound");
  }

  @Test
  @DisplayName("INC-05: preemption looks like a warm cache")
  void preemption() throws QueryException {
    RetoldEngine engine = series.engine("hermes:8000", "NousResearch/Hermes-3-Llama-3.1-8B");
    engine.prompt = 1024;
    engine.output = 1024;
    engine.hits = 0.322;
    engine.recomputed = 0.475;
    engine.rate = 1221.7 / 1024;
    engine.running = 259;
    engine.waiting = 535;
    engine.kv = 0.823;
    engine.preemptions = 2;
    engine.tpot = 259 / 1221.7;
    engine.queue = 120;
    engine.prefill = 1;
    series.pass(15);
    assertThat(causes(5)).first().isEqualTo("kv-exhaustion");
  }

  @Test
  @DisplayName("INC-06: the host's CPU limits the engine's loop")
  void hostCpu() throws QueryException {
    RetoldEngine engine = series.engine("a100:8000", "meta-llama/Meta-Llama-3-8B-Instruct");
    RetoldGpu gpu = series.gpu("node-a", 0, "NVIDIA A100-SXM4-80GB", "a100");
    RetoldHost host = series.host("node-a", 4);
    engine.prompt = 2000;
    engine.output = 200;
    engine.rate = 3;
    engine.tpot = 0.02;
    engine.cores = 1.8;
    host.busy = 0.47;
    gpu.util = 0.97;
    gpu.dram = 0.6;
    series.pass(20);
    engine.tpot = 0.11;
    engine.rate = 2.4;
    engine.cores = 3.9;
    host.busy = 0.985;
    gpu.util = 0.4;
    gpu.dram = 0.15;
    gpu.tensor = 0.05;
    gpu.power = 160;
    series.pass(10);
    assertThat(causes(5)).first().isEqualTo("host-cpu");
  }

  @Test
  @DisplayName("INC-07: one preprocessing worker caps the service before the engine")
  void preprocessing() throws QueryException {
    RetoldEngine engine = series.engine("ocr:8000", "PaddlePaddle/PaddleOCR-VL");
    RetoldGpu gpu = series.gpu("node-o", 0, "NVIDIA H200", "ocr");
    RetoldEdge clients = series.clients("PaddlePaddle/PaddleOCR-VL");
    engine.prompt = 1500;
    engine.output = 150;
    engine.rate = 4;
    engine.tpot = 0.008;
    engine.prefill = 0.08;
    engine.front = 0.16;
    engine.cores = 0.65;
    gpu.util = 0.5;
    clients.rate = 4;
    clients.ttft = 0.3;
    clients.e2e = engine.e2e() + 0.1;
    series.pass(20);
    engine.rate = 1 / 0.149;
    engine.front = 18;
    engine.cores = 1;
    engine.kv = 0.05;
    gpu.util = 0.62;
    clients.rate = engine.rate;
    clients.ttft = 18.5;
    clients.e2e = engine.e2e() + 0.1;
    engine.running = 9;
    series.pass(10);
    assertThat(causes(5)).first().isEqualTo("frontend-cpu");
  }

  @Test
  @DisplayName("INC-08 (a): the gateway cuts at 60 seconds")
  void gatewayTimeout() throws QueryException {
    RetoldEngine engine = series.engine("xeon:8000", "meta-llama/Llama-3.1-8B-Instruct");
    RetoldEdge gateway = series.gateway("meta-llama/Llama-3.1-8B-Instruct");
    engine.rate = 0.2;
    engine.output = 400;
    engine.tpot = 0.12;
    engine.prefill = 1.5;
    engine.sigma = 0.4;
    gateway.rate = 0.2;
    gateway.ttft = 1.6;
    gateway.e2e = engine.e2e();
    gateway.sigma = 0.4;
    series.pass(20);
    gateway.cut = 60;
    gateway.failures = 0.27;
    // The pod is without errors: this engine goes on for whoever has left.
    series.pass(12);
    assertThat(causes(5)).first().isEqualTo("gateway-timeout");
  }

  @Test
  @DisplayName("INC-08 (d): requests wait longer than the gateway does; the queue is the cause")
  void queueBehindTheTimeout() throws QueryException {
    RetoldEngine engine = series.engine("p:8000", "meta-llama/Llama-3.3-70B-Instruct");
    RetoldEdge gateway = series.gateway("meta-llama/Llama-3.3-70B-Instruct");
    engine.prompt = 2048;
    engine.output = 256;
    engine.hits = 0;
    engine.rate = 0.8;
    engine.prefill = 0.7;
    gateway.rate = 0.8;
    gateway.ttft = 0.75;
    gateway.e2e = engine.e2e();
    series.pass(20);
    engine.rate = 1.3;
    engine.prefill = 3;
    engine.running = 12;
    engine.kv = 0.25;
    gateway.rate = 3.6;
    for (int minute = 1; minute <= 10; minute++) {
      engine.waiting = 138 * minute;
      engine.queue = Math.min(280, engine.waiting / 1.3);
      gateway.ttft = Math.min(300, engine.ttft());
      gateway.e2e = Math.min(300, engine.e2e());
      gateway.cut = 300;
      gateway.failures = minute > 4 ? 0.5 : 0;
      series.pass(1);
    }
    assertThat(causes(5)).first().isIn("prefill-bound", "capacity");
  }

  @Test
  @DisplayName("INC-09: the memory of one GPU of four is dying")
  void dyingMemory() throws QueryException {
    RetoldEngine engine = series.engine("tp4:8000", "Qwen/Qwen3-32B");
    RetoldGpu[] gpus = new RetoldGpu[4];
    for (int i = 0; i < gpus.length; i++) {
      gpus[i] = series.gpu("node-9", i, "NVIDIA A100-SXM4-80GB", "tp4");
      gpus[i].power = 320;
      gpus[i].rows = i == 2 ? 11 : 0;
    }
    series.pass(20);
    gpus[2].xid = 48;
    gpus[2].doubleBit = 1;
    gpus[2].rows = 12;
    series.pass(0.5);
    gpus[2].xid = 63;
    series.pass(0.5);
    gpus[2].xid = 94;
    engine.running = 6;
    engine.waiting = 9;
    engine.rate = 0;
    engine.generates = 0;
    for (RetoldGpu gpu : gpus) {
      gpu.power = 72;
      gpu.dram = 0.01;
      gpu.tensor = 0;
      gpu.util = 1;
    }
    series.pass(6);
    assertThat(causes(5)).first().isEqualTo("hardware-fault");
  }

  @Test
  @DisplayName("INC-10 (a): sustained prefill is held down by the power limit")
  void sustainedCompute() throws QueryException {
    RetoldEngine engine = series.engine("b200:8000", "Qwen/Qwen3-32B");
    RetoldGpu gpu = series.gpu("node-b", 0, "NVIDIA B200", "b200");
    engine.prompt = 6000;
    engine.output = 20;
    engine.hits = 0;
    engine.rate = 5;
    engine.prefill = 0.6;
    engine.queue = 0.15;
    gpu.smClock = 1965;
    gpu.memoryClock = 3996;
    gpu.tensor = 0.6;
    gpu.dram = 0.25;
    gpu.power = 800;
    gpu.powerLimit = 1000;
    series.pass(20);
    engine.prefill = 0.75;
    engine.queue = 0.7;
    gpu.smClock = 1580;
    gpu.power = 995;
    gpu.reasons = 4;
    gpu.powerShare = 0.9;
    series.pass(10);
    assertThat(causes(5)).first().isEqualTo("power-throttle");
  }

  @Test
  @DisplayName("INC-10 (b): a power cap's flag doesn't matter to decode that waits for memory")
  void flagWithoutEffect() throws QueryException {
    RetoldEngine engine = series.engine("desk:8000", "Qwen/Qwen3-8B");
    RetoldGpu gpu = series.gpu("desk", 0, "NVIDIA GeForce RTX 3090", "desk");
    engine.rate = 0.1;
    engine.prompt = 600;
    engine.output = 300;
    engine.tpot = 0.022;
    engine.prefill = 0.3;
    gpu.smClock = 1510;
    gpu.memoryClock = 9501;
    gpu.power = 314;
    gpu.powerLimit = 315;
    gpu.reasons = 4;
    gpu.powerShare = 0.97;
    gpu.dram = 0.9;
    gpu.tensor = 0.06;
    series.pass(20);
    assertThat(causes(5)).doesNotContain("power-throttle", "hardware-fault", "thermal-throttle");
  }
}
