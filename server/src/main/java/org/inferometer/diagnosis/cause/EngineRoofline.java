package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.cause.EnginePart.When;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.hardware.ModelShape;

/**
 * What a decode step must read, by the roofline: the weights once, and the KV of every running
 * request. Weights and KV are taken to have the bytes that the model is published with, so that a
 * quantised one reads less than this.
 *
 * @param weights bytes of weights in a step, on all GPUs of an engine
 * @param kv bytes of KV in a step, on all GPUs of an engine
 * @param seconds that reading both takes at the rate that kernels reach
 */
record EngineRoofline(double weights, double kv, double seconds) {
  static final EngineRoofline NONE = new EngineRoofline(Double.NaN, Double.NaN, Double.NaN);

  static EngineRoofline of(EnginePart part, Thresholds thresholds, When when) {
    ModelShape shape = part.shape();
    Double bandwidth = part.spec() == null ? null : part.spec().bandwidth();
    if (shape == null) {
      return NONE;
    }
    double batch = Math.max(1, part.batch(when));
    double weights = shape.parametersRead(batch) * shape.special().weightBytes();
    double kv = contextTokens(part, when) * shape.kvBytesPerToken(2);
    double rate =
        bandwidth == null || part.gpus() == 0
            ? Double.NaN
            : part.gpus() * bandwidth * thresholds.get("bandwidth_reached");
    return new EngineRoofline(weights, kv, (weights + kv) / rate);
  }

  /** Tokens of context that the running requests of an engine attend to; answers are half made. */
  static double contextTokens(EnginePart part, When when) {
    double prompt = when.of(part.get("prompt_length_mean"));
    double output = when.of(part.get("output_length_mean"));
    return part.batch(when) * (prompt + output / 2);
  }

  double kvShare() {
    return kv / (weights + kv);
  }
}
