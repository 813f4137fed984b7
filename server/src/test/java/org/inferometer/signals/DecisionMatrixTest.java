package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionMatrixTest {
  private static final DecisionMatrix MATRIX =
      GpuReference.builtIn(Catalogue.builtIn().vocabulary()).matrix();

  /**
   * Each state has a world that gives it, and the same world with one value changed, which doesn't.
   */
  @ParameterizedTest
  @CsvSource({
    // util, sm, tensor, dram, kv, running, state
    "0.95, 0.4, 0.05, 0.3, 0.97, 30, kv-full",
    "0.95, 0.4, 0.05, 0.3, 0.94, 30, busy-not-full",
    "0.49, 0.2, 0.05, 0.1, 0.3, 1, waiting-for-host",
    "0.5, 0.2, 0.05, 0.1, 0.3, 1, partly-busy",
    "0.04, 0, 0, 0, 0, 0, idle",
    "0.05, 0, 0, 0, 0, 0, partly-busy",
    "1, 0.95, 0.6, 0.4, 0.5, 60, saturated-compute",
    "1, 0.95, 0.59, 0.4, 0.5, 60, prefill",
    "1, 0.5, 0.1, 0.8, 0.5, 60, saturated-memory",
    "1, 0.5, 0.1, 0.79, 0.5, 60, decode",
    "1, 0.9, 0.3, 0.4, 0.5, 60, prefill",
    "1, 0.9, 0.29, 0.4, 0.5, 60, between",
    "1, 0.4, 0.19, 0.5, 0.5, 60, decode",
    "1, 0.4, 0.2, 0.5, 0.5, 60, mixed",
    "1, 0.4, 0.1, 0.49, 0.5, 60, busy-not-full",
    "1, 0.5, 0.1, 0.49, 0.5, 60, busy-elsewhere",
    "0.79, 0.4, 0.1, 0.2, 0.5, 60, partly-busy",
    "0.8, 0.4, 0.1, 0.2, 0.5, 60, busy-not-full",
    "1, 0.6, 0.25, 0.3, 0.5, 60, between",
    "1, 0.6, 0.19, 0.3, 0.5, 60, busy-elsewhere",
    "1, , , , , , busy",
    ", , , , , , cannot-tell",
  })
  void state(
      @Nullable Double util,
      @Nullable Double sm,
      @Nullable Double tensor,
      @Nullable Double dram,
      @Nullable Double kv,
      @Nullable Double running,
      String id) {
    assertThat(MATRIX.judge(values(util, sm, tensor, dram, kv, running)).id()).isEqualTo(id);
  }

  @Test
  void everyState_isReached() {
    assertThat(MATRIX.cases())
        .extracting(DecisionMatrix.Case::id)
        .containsExactly(
            "kv-full",
            "waiting-for-host",
            "idle",
            "saturated-compute",
            "saturated-memory",
            "prefill",
            "decode",
            "mixed",
            "busy-not-full",
            "busy-elsewhere",
            "partly-busy",
            "between",
            "busy");
  }

  @Test
  void everyThreshold_hasASource() {
    for (DecisionMatrix.Case one : MATRIX.cases()) {
      assertThat(one.when()).allSatisfy(c -> assertThat(c.source()).hasSizeGreaterThan(20));
    }
  }

  @Test
  void absentInput_isNamed() {
    // As dcgm-exporter comes: SM activity isn't in its default list.
    GpuState state = MATRIX.judge(values(0.97, null, 0.05, 0.3, 0.5, 3.0));
    assertThat(state.id()).isEqualTo("busy");
    assertThat(state.says()).endsWith("Cannot tell more: SM activity isn't exported.");
    assertThat(state.inputs())
        .containsExactlyInAnyOrder(
            "gpu_util", "gpu_tensor_active", "gpu_dram_active", "kv_usage", "running");
  }

  @Test
  void absentInputs_areNamedInTheirOrder() {
    GpuState state = MATRIX.judge(values(0.97, null, null, null, null, null));
    assertThat(state.says())
        .endsWith(
            "Cannot tell more: SM activity isn't exported; tensor core activity isn't exported;"
                + " memory activity isn't exported;"
                + " no engine is known that uses it and tells its KV cache usage.");
    assertThat(MATRIX.judge(Map.of()).says())
        .startsWith("Cannot tell: the share of time in which it is busy isn't exported; SM");
  }

  @Test
  void decode_needsNoSmActivity() {
    GpuState state = MATRIX.judge(values(0.97, null, 0.05, 0.6, 0.5, 3.0));
    assertThat(state.id()).isEqualTo("decode");
    assertThat(state.says()).doesNotContain("Cannot");
  }

  @Test
  void idle_withoutEngine_saysThatRequestsMayWait() {
    GpuState state = MATRIX.judge(values(0.0, null, null, null, null, null));
    assertThat(state.id()).isEqualTo("idle");
    assertThat(state.says())
        .isEqualTo(
            "Nothing runs on it. Cannot tell more:"
                + " no engine is known that uses it and tells its running requests.");
  }

  @Test
  void splitGpu_usesTheComputeEngine() {
    Map<String, Double> values = values(null, 0.4, 0.1, 0.6, 0.5, 3.0);
    values.put("gpu_graphics_active", 0.9);
    GpuState state = MATRIX.judge(values);
    assertThat(state.id()).isEqualTo("decode");
    assertThat(state.inputs()).contains("gpu_graphics_active").doesNotContain("gpu_util");
  }

  private static Map<String, Double> values(
      @Nullable Double util,
      @Nullable Double sm,
      @Nullable Double tensor,
      @Nullable Double dram,
      @Nullable Double kv,
      @Nullable Double running) {
    Map<String, Double> values = new LinkedHashMap<>();
    put(values, "gpu_util", util);
    put(values, "gpu_sm_active", sm);
    put(values, "gpu_tensor_active", tensor);
    put(values, "gpu_dram_active", dram);
    put(values, "kv_usage", kv);
    put(values, "running", running);
    return values;
  }

  private static void put(Map<String, Double> values, String signal, @Nullable Double value) {
    if (value != null) {
      values.put(signal, value);
    }
  }
}
