package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.junit.jupiter.api.Test;

class LayersTest {
  private static String says(List<LayerLine> lines, String layer, String signal) {
    return lines.stream()
        .filter(line -> line.layer().equals(layer) && line.signal().equals(signal))
        .map(LayerLine::says)
        .findFirst()
        .orElse("nothing");
  }

  @Test
  void reconciliation_readsFromTheGatewayDown() {
    List<LayerLine> lines = new Layers(SeedWorlds.reconciliation(), Thresholds.builtIn()).lines();
    assertThat(says(lines, "gateway", "e2e_p99"))
        .isEqualTo("Nearly all of it is inside the engine.");
    assertThat(says(lines, "request", "ttft_p99"))
        .isEqualTo("Most of the time goes before the first token.");
    assertThat(says(lines, "request", "queue_time_mean"))
        .isEqualTo("Waiting is 97 % of the first token: the queue is where time goes.");
    assertThat(says(lines, "engine", "waiting")).isEqualTo("A queue stands all the time.");
    assertThat(says(lines, "engine", "kv_usage_max")).isEqualTo("The KV cache is full.");
    assertThat(says(lines, "engine", "preemption_rate"))
        .isEqualTo("Running requests are thrown out and computed again.");
    assertThat(says(lines, "gpu", "gpu_tensor_active"))
        .isEqualTo("Arithmetic is nearly idle though it looks busy.");
  }

  @Test
  void accounts_tellWhatTheirPartsDontExplain() {
    List<LayerLine> lines = new Layers(SeedWorlds.reconciliation(), Thresholds.builtIn()).lines();
    assertThat(says(lines, "request", "e2e_residual"))
        .isEqualTo(
            "Total time = queue + prefill + decode + front end. What its parts don't explain:"
                + " 50 ms of 9.8 s.");
  }
}
