package org.inferometer.simulator.gpu;

import org.inferometer.hardware.ModelShape;
import org.jspecify.annotations.Nullable;

/**
 * In what numbers a model is kept and multiplied.
 *
 * @param weightBytes of a parameter of its layers
 * @param kvBytes of an element of the KV cache
 * @param fp8Matrices whether matrices are multiplied in FP8, where the GPU can
 */
public record Precision(double weightBytes, double kvBytes, boolean fp8Matrices) {
  /** Four bits, and a scale of 16 bits for each group of 128: AWQ and GPTQ as mostly published. */
  private static final double INT4_BYTES = 0.5 + 2.0 / 128;

  /**
   * By an engine's flags.
   *
   * @param quantization none, fp8, int4, or null for as the weights are published
   * @param kvCacheDtype auto, fp8, or null
   * @throws IllegalArgumentException if one isn't known
   */
  public static Precision of(
      ModelShape model, @Nullable String quantization, @Nullable String kvCacheDtype) {
    double published = model.special().weightBytes();
    double kv = kvBytes(kvCacheDtype);
    return switch (quantization == null ? "none" : quantization) {
      case "none" -> new Precision(published, kv, published == 1);
      case "fp8" -> new Precision(Math.min(published, 1), kv, true);
      case "int4" -> new Precision(Math.min(published, INT4_BYTES), kv, false);
      default ->
          throw new IllegalArgumentException(
              "expected none, fp8 or int4, not \"" + quantization + "\", for the quantization");
    };
  }

  private static double kvBytes(@Nullable String kvCacheDtype) {
    return switch (kvCacheDtype == null ? "auto" : kvCacheDtype) {
      case "auto" -> 2;
      case "fp8" -> 1;
      default ->
          throw new IllegalArgumentException(
              "expected auto or fp8, not \"" + kvCacheDtype + "\", for the KV cache's type");
    };
  }
}
