package org.inferometer.simulator.gpu;

/**
 * How far real kernels stay behind the data sheet, and what a step costs beside them. One set for
 * all models, GPUs and engines; nothing here is fitted to a case. Where a source is given the
 * number is of its scale; the others are assumptions, and {@code docs/simulator-accuracy.md} says
 * how well the whole does.
 */
final class Efficiency {
  private Efficiency() {}

  /**
   * Large matrices at full clock, through the peak. The best that was measured is 0.60 to 0.87 with
   * whatever the clock was then (stas00/ml-engineering, accelerator table).
   */
  static final double MATRICES = 0.80;

  /** The same for the small matrices of experts, each with few of the tokens: assumption. */
  static final double EXPERT_MATRICES = 0.60;

  /**
   * Tokens of a step with which matrices reach about half of that: the rows of one large tile, of
   * which few SMs have more than one to do.
   */
  static final double TILE_ROWS = 128;

  /** Fewer rows than these cost as much as these: those of the smallest tensor instruction. */
  static final double ROWS_MIN = 16;

  /** Attention of prompts, through the peak: FlashAttention's published 0.5 to 0.75. */
  static final double ATTENTION = 0.55;

  /** Weights of 4 bits are unpacked before they are multiplied: part of the rate that is left. */
  static final double UNPACKED_MATRICES = 0.85;

  /** Weights that are read once, through the memory's peak. */
  static final double WEIGHT_READS = 0.85;

  /** KV that is read block by block. BLIS found half of the peak (1.9 times the time). */
  static final double KV_READS = 0.70;

  /** Bytes per token, layer and unit of width that pass between kernels in 16 bits: ten tensors. */
  static final double ACTIVATION_BYTES = 20;

  /** Kernels of a layer, and those that a mixture of experts, and adapters, add to it. */
  static final double KERNELS = 9;

  static final double EXPERT_KERNELS = 6;
  static final double ADAPTER_KERNELS = 8;

  /**
   * Seconds that each kernel takes to begin and to run out within a graph. With nine of them a
   * layer costs 20 microseconds; BLIS found 32 with all that a layer does.
   */
  static final double KERNEL_GAP = 2.2e-6;

  /** Seconds of CPU to launch a kernel: from compiled code, and from Python one by one. */
  static final double COMPILED_LAUNCH = 4e-6;

  static final double EAGER_LAUNCH = 9e-6;

  /** Tokens of a step above which vLLM has no graph: 512, its largest captured size. */
  static final int GRAPH_TOKENS_MAX = 512;

  /** Seconds of the kernels that sample, which no graph has. */
  static final double SAMPLING = 100e-6;

  /**
   * How often logits in 32 bits are read or written: as probabilities, sorted with their indices,
   * summed, cut and drawn from. Most models' generation settings ask for top-p, which sorts.
   */
  static final double LOGIT_PASSES = 24;

  /** Adapters of rank 16 on all matrices of a layer, about 14 widths of them, in 16 bits. */
  static final double ADAPTER_BYTES = 16 * 14 * 2;

  /** Part of a link's bandwidth that collectives reach: 0.75 as BLIS found, and of PCIe's. */
  static final double LINK = 0.75;

  static final double PCIE = 0.65;

  /** Seconds of an all-reduce of nothing: over NVLink by one kernel, over PCIe through hosts. */
  static final double LINK_LATENCY = 9e-6;

  static final double PCIE_LATENCY = 28e-6;

  /** Seconds of CPU of an engine core: a step, each request in it, workers that are told of it. */
  static final double STEP_CPU = 800e-6;

  static final double REQUEST_CPU = 8e-6;
  static final double GROUP_CPU = 150e-6;

  /** Seconds of a step that async scheduling can't hide. */
  static final double ASYNC_REST = 100e-6;

  /**
   * Seconds of CPU for a request with penalties, while the GPU waits: its two thousand tokens are
   * made into a row anew in each step. With twenty such requests steps of an 8B model become
   * several times as long, as INC-06 tells it.
   */
  static final double PENALTY_CPU = 800e-6;

  /** Bytes that go to a GPU and back for each request and token: ids, block tables, samples. */
  static final double STEP_BYTES = 2048;
}
