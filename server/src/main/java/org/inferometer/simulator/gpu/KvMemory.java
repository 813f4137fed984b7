package org.inferometer.simulator.gpu;

import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;

/**
 * What is left for the KV cache on each GPU of a group when weights, activations and the rest have
 * their place: the share of the memory that the engine may use, less those. Bytes of one GPU.
 *
 * @param usable what the engine may use
 * @param weights of the model
 * @param activations of the largest step, and what belongs to no tensor: context, graphs
 * @param bytesPerToken of KV on one GPU
 */
public record KvMemory(double usable, double weights, double activations, double bytesPerToken) {
  /**
   * What the driver and the process's context take away before anything is allocated, as a share:
   * 79.2 of an H100's 79.65 GiB are there for PyTorch.
   */
  static final double DRIVER_SHARE = 0.006;

  /** What stays outside of tensors: the CUDA context, NCCL's buffers, graphs. An assumption. */
  static final double FIXED_BYTES = 0.75 * (1L << 30);

  /** Bytes of a 32-bit logit, and of its copy in the sampler. */
  private static final double LOGIT_BYTES = 8;

  /**
   * Hidden states' worth of 16-bit tensors that live at once at the peak of a layer: assumption.
   */
  private static final double STATES_ALIVE = 8;

  /**
   * By an engine's settings.
   *
   * @param utilization share of the memory that the engine may use
   * @param tensorParallel GPUs that share the model
   * @throws IllegalArgumentException if the GPU's memory isn't known
   */
  public static KvMemory of(
      ModelShape model,
      Precision precision,
      Hardware.Gpu gpu,
      int tensorParallel,
      double utilization,
      int maxNumSeqs,
      int maxNumBatchedTokens) {
    double weights = weightBytes(model, precision) / tensorParallel;
    double states = STATES_ALIVE * maxNumBatchedTokens * (double) model.hidden() * 2;
    double logits = LOGIT_BYTES * maxNumSeqs * (double) model.vocabulary() / tensorParallel;
    return new KvMemory(
        memory(gpu) * (1 - DRIVER_SHARE) * utilization,
        weights,
        Math.max(states, logits) + FIXED_BYTES,
        model.kvBytesPerToken(precision.kvBytes()) * kvShare(model, tensorParallel));
  }

  /** Bytes of a whole model: its vocabulary stays in 16 bits whatever its layers are in. */
  public static double weightBytes(ModelShape model, Precision precision) {
    double words = model.vocabularyParameters() * (model.special().tied() ? 1 : 2);
    return (model.parameters() - words) * precision.weightBytes() + words * 2;
  }

  /** Part of each token's KV that one GPU keeps: heads are shared out, but never split. */
  static double kvShare(ModelShape model, int tensorParallel) {
    if (model.special().kvLatent() > 0) {
      return 1;
    }
    return 1.0 / Math.min(tensorParallel, model.kvHeads());
  }

  private static double memory(Hardware.Gpu gpu) {
    if (gpu.board() != null) {
      return gpu.board().memory();
    }
    if (gpu.memory() != null) {
      return gpu.memory();
    }
    throw new IllegalArgumentException("the memory of " + gpu.id() + " isn't known");
  }

  /** What is left, 0 at least. */
  public double available() {
    return Math.max(0, usable - weights - activations);
  }

  /** Tokens that fit. */
  public long tokens() {
    return (long) (available() / bytesPerToken);
  }

  /** Blocks that fit; 0 if the model itself doesn't. */
  public int blocks(int blockSize) {
    return (int) Math.min(Integer.MAX_VALUE, tokens() / blockSize);
  }
}
