package org.inferometer.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.inferometer.hardware.Models;
import org.junit.jupiter.api.Test;

class KvMemoryTest {
  private static ModelShape model(String id) {
    return Objects.requireNonNull(Models.builtIn().find(id), id);
  }

  private static KvMemory memory(String id, String quantization, String gpu, int tp, double share) {
    return KvMemory.of(
        model(id),
        Precision.of(model(id), quantization, null),
        Objects.requireNonNull(Hardware.builtIn().find(gpu)),
        tp,
        share,
        64,
        8192);
  }

  /** vLLM 0.22.1's log of Qwen3 30B A3B in FP8 on an H100 with 0.92 of its memory. */
  @Test
  void asALogSays() {
    KvMemory memory = memory("qwen3-30b-a3b", "fp8", "H100", 1, 0.92);
    assertThat(memory.weights() / (1L << 30)).isEqualTo(29.08, within(0.5));
    assertThat(memory.available() / (1L << 30)).isEqualTo(42.54, within(0.9));
    assertThat(memory.tokens()).isBetween(455_000L, 475_000L);
  }

  @Test
  void moreGpus_makeMoreThanTheirNumber() {
    long two = memory("qwen3-32b", "none", "H100", 2, 0.9).tokens();
    long four = memory("qwen3-32b", "none", "H100", 4, 0.9).tokens();
    assertThat(four).isGreaterThan(2 * two);
  }

  @Test
  void headsAreNotSplit_andALatentIsOnEveryGpu() {
    assertThat(memory("qwen3-30b-a3b", "fp8", "H100", 8, 0.9).bytesPerToken())
        .isEqualTo(memory("qwen3-30b-a3b", "fp8", "H100", 4, 0.9).bytesPerToken());
    assertThat(memory("deepseek-v3", "none", "H200", 8, 0.9).bytesPerToken())
        .isEqualTo(61 * 576 * 2);
  }

  @Test
  void modelTooLarge_leavesNothing() {
    KvMemory memory = memory("llama-3.1-70b", "none", "H100", 1, 0.9);
    assertThat(memory.available()).isZero();
    assertThat(memory.blocks(16)).isZero();
  }

  @Test
  void unknownFlags_areRefused() {
    assertThatThrownBy(() -> memory("qwen3-32b", "int3", "H100", 1, 0.9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected none, fp8 or int4");
    assertThatThrownBy(() -> Precision.of(model("qwen3-32b"), null, "fp4"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected auto or fp8");
  }
}
