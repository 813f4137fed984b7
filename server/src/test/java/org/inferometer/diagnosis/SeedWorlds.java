package org.inferometer.diagnosis;

import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;

/** Published cases as worlds. */
final class SeedWorlds {
  private SeedWorlds() {}

  /**
   * Five lines of numbers from the gateway to the GPU: 11.2 s outside, 10.8 s inside, 6.4 s to the
   * first token, 5.9 s of queue, 68 waiting, a full cache, 3.1 preemptions a second, GPUs busy with
   * little arithmetic.
   */
  static ServiceWorld reconciliation() {
    return Worlds.vllm()
        .reading("request_rate", 6, 6)
        .reading("running", 40, 30)
        .reading("waiting", 68, 0, 61, 75)
        .reading("e2e_p99", 10.8, 6)
        .reading("e2e_p95", 10.1, 5.5)
        .reading("e2e_mean", 9.8, 4)
        .reading("ttft_p99", 6.4, 0.8)
        .reading("ttft_p95", 6.2, 0.6)
        .reading("ttft_mean", 6.1, 0.3)
        .reading("queue_time_mean", 5.9, 0.01)
        .reading("queue_share", 0.6, 0.01)
        .reading("prefill_time_mean", 0.15, 0.15)
        .reading("decode_time_mean", 3.7, 3.7)
        .reading("kv_usage_max", 0.98, 0.6)
        .reading("preemption_rate", 3.1, 0)
        .gpu(
            "n1",
            0,
            "a:8000",
            "NVIDIA H100 80GB HBM3",
            g ->
                g.reading("gpu_util", 1, 1)
                    .reading("gpu_tensor_active", 0.07, 0.2)
                    .reading("gpu_dram_active", 0.5, 0.6))
        .gateway(
            "edge",
            g ->
                g.reading("e2e_p99", 11.2, 6.2)
                    .reading("request_rate", 6, 6)
                    .reading("e2e_mean", 10, 4.1))
        .build();
  }
}
