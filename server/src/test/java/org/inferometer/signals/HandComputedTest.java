package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** Values worked out from the pages by hand, without PromQL. */
class HandComputedTest {
  private static final String VLLM = "vllm/Qwen/Qwen3-0.6B";
  private static final String MIG = "dcgm/mig:9400";
  private static final String H200 = "nvidia-smi/h200:9835";
  private static final String NODE = "node/node:9100";

  private final Signals signals;

  HandComputedTest() {
    TestWorld world =
        new TestWorld()
            .add(Dump.named("vllm_v0.9.x"), "vllm", "engine:8000")
            .add(Dump.named("dcgm-exporter_3.x-8xa800"), "gpu", "mig:9400")
            .add(Dump.named("nvidia_gpu_exporter"), "gpu", "h200:9835")
            .add(Dump.named("node_exporter"), "node", "node:9100", 0.005);
    signals = Backend.signals(world, Goals.NONE);
  }

  @Test
  void quantilesAndTheirBuckets() throws QueryException {
    // P95 of 69 first tokens is the 65.55th: 56 lie under 160 s, 69 under 640 s.
    quantile("ttft_p95", 160 + 480 * (65.55 - 56) / 13, 160, 640);
    // P50 is the 34.5th: 31 under 7.5 s, 36 under 10 s.
    quantile("ttft_p50", 7.5 + 2.5 * 3.5 / 5, 7.5, 10);
    // P95 of 38 requests is the 36.1th: 33 under 50 s, 37 under 60 s.
    quantile("e2e_p95", 50 + 10 * 3.1 / 4, 50, 60);
    quantile("e2e_p50", 15 + 5 * 18.0 / 27, 15, 20);
    quantile("e2e_p99", 60 + 60 * 0.62, 60, 120);
    quantile("prefill_time_p50", 3, 2.5, 5);
    quantile("prefill_time_p95", 35.25, 30, 40);
    quantile("decode_time_p95", 20 + 10 * 3.1 / 4, 20, 30);
    // All 38 waits lie in the first bucket, up to 0.3 s.
    quantile("queue_time_p95", 0.3 * 0.95, 0, 0.3);
    // P95 of 4805 gaps is the 4564.75th: 4054 under 0.15 s, 4720 under 0.2 s.
    quantile("itl_p95", 0.15 + 0.05 * (4564.75 - 4054) / 666, 0.15, 0.2);
    quantile("tpot_p95", 0.15 + 0.05 * (4564.75 - 4054) / 666, 0.15, 0.2);
    quantile("prompt_length_p95", 500 + 500 * 5.1 / 7, 500, 1000);
    quantile("output_length_p50", 150, 100, 200);
    // P50 of 1325 steps is the 662.5th: 416 under 1 token, 1302 under 8.
    quantile("tokens_per_step_p50", 1 + 7 * (662.5 - 416) / 886, 1, 8);
  }

  private void quantile(String signal, double value, double low, double high)
      throws QueryException {
    SignalSeries series = only(VLLM, signal);
    assertThat(series.values()[0]).as(signal).isCloseTo(value, within(1e-9));
    assertThat(series.low()).as(signal).containsExactly(low);
    assertThat(series.high()).as(signal).containsExactly(high);
  }

  @Test
  void ratesMeansAndShares() throws QueryException {
    value(VLLM, "request_rate", 38 / 60.0);
    value(VLLM, "prompt_token_rate", 43952 / 60.0);
    value(VLLM, "output_token_rate", 4874 / 60.0);
    value(VLLM, "step_rate", 1325 / 60.0);
    value(VLLM, "ttft_mean", 4941.843970537186 / 69);
    value(VLLM, "e2e_mean", 902.0056705474854 / 38);
    value(VLLM, "tokens_per_step_mean", 48826.0 / 1325);
    value(VLLM, "prompt_length_mean", 12952.0 / 38);
    value(VLLM, "prefill_share", 239.16777801513672 / 902.0056705474854);
    value(VLLM, "decode_share", 662.8201270103455 / 902.0056705474854);
    value(VLLM, "queue_share", 0.017765522003173828 / 902.0056705474854);
    value(VLLM, "error_share", 0);
    value(VLLM, "completed_share", 1);
  }

  @Test
  void theInstancesOfASplitGpuShareOneBoard() throws QueryException {
    // The three instances say 78.174, 78.446 and 78.174 W or alike: one board, 78.446 W.
    Map<String, Double> power = byLabel(MIG, "gpu_power", "gpu");
    assertThat(power).hasSize(8).containsEntry("0", 78.446).containsEntry("3", 56.99);
    List<SignalSeries> memory = result(MIG, "gpu_memory_used").series();
    assertThat(memory).hasSize(10);
    assertThat(byLabel(MIG, "gpu_memory_used", "GPU_I_ID"))
        .containsEntry("5", 10 * 1048576.0)
        .containsEntry("", 2 * 1048576.0);
    assertThat(byLabel(MIG, "gpu_sm_clock", "gpu")).containsEntry("0", 1410e6);
  }

  @Test
  void unitsOfNvidiaSmi() throws QueryException {
    value(H200, "gpu_util", 1);
    value(H200, "gpu_power_share", 627.4 / 700);
    value(H200, "gpu_memory_share", 3.3934016512e10 / 1.50754820096e11);
    value(H200, "gpu_sm_clock", 1.98e9);
  }

  @Test
  void host() throws QueryException {
    // Mean over 8 CPUs of one less 0.5 % of the seconds idle or waiting for disks, in 60 s.
    value(NODE, "host_cpu", 0.0643178125);
    value(NODE, "host_cpu_core_max", 1 - (10870.69 + 2.2) * 0.005 / 60);
    value(NODE, "host_memory_used", 3.831959552e9 - 2.30883328e8 - 2.256896e7 - 9.53229312e8);
    value(NODE, "host_swap_used", 4294963200.0 - 3231088640.0);
    value(NODE, "host_load", 0.21);
    // mmcblk0, nvme0n1, sda, sdb, sdc and vda; no partitions, no mapped devices.
    double read = 798720 + 2.377714176e9 + 5.13713216512e11 + 4.944782848e9 + 8.48782848e8;
    value(NODE, "host_disk_read", (read + 1.6727491584e10) * 0.005 / 60);
  }

  @Test
  void anIdleHostWhoseScrapesComeALittleLate_hasNoNegativeLoad() throws QueryException {
    // 61 s of idling within a minute.
    Dump page =
        Dump.of(
            "idle",
            """
            node_cpu_seconds_total{cpu="0",mode="idle"} 61
            node_cpu_seconds_total{cpu="0",mode="iowait"} 0
            node_cpu_seconds_total{cpu="0",mode="user"} 0.1
            node_cpu_seconds_total{cpu="1",mode="idle"} 60.5
            node_cpu_seconds_total{cpu="1",mode="iowait"} 0.1
            node_cpu_seconds_total{cpu="1",mode="user"} 0.1
            """);
    Signals idle = Backend.signals(new TestWorld().add(page, "node", "idle:9100"), Goals.NONE);
    for (String signal : List.of("host_cpu", "host_cpu_core_max")) {
      SignalResult result =
          idle.query(
                  SignalBatch.at(
                      TestWorld.NOW_MS,
                      List.of(
                          new SignalBatch.Request("node/idle:9100", List.of(signal), List.of()))))
              .results()
              .getFirst();
      assertThat(result.series()).as(signal).hasSize(1);
      assertThat(result.series().getFirst().values()[0]).as(signal).isZero();
    }
  }

  private void value(String service, String signal, double expected) throws QueryException {
    assertThat(only(service, signal).values()[0])
        .as(signal)
        .isCloseTo(expected, within(Math.max(1e-9, Math.abs(expected) * 1e-9)));
  }

  private SignalSeries only(String service, String signal) throws QueryException {
    SignalResult result = result(service, signal);
    assertThat(result.series()).as(result.toString()).hasSize(1);
    return result.series().getFirst();
  }

  private Map<String, Double> byLabel(String service, String signal, String label)
      throws QueryException {
    Map<String, Double> values = new java.util.TreeMap<>();
    for (SignalSeries series : result(service, signal).series()) {
      values.put(series.labels().get(label), series.values()[0]);
    }
    return values;
  }

  private SignalResult result(String service, String signal) throws QueryException {
    return signals
        .query(
            SignalBatch.at(
                TestWorld.NOW_MS,
                List.of(new SignalBatch.Request(service, List.of(signal), List.of()))))
        .results()
        .getFirst();
  }
}
