package org.inferometer.simulator.gpu;

import java.util.List;
import org.inferometer.hardware.ModelShape;
import org.inferometer.simulator.engine.StepTimer;
import org.inferometer.simulator.engine.StepWork;
import org.inferometer.simulator.host.HostProcess;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.jspecify.annotations.Nullable;

/**
 * Times the steps of one engine core on a group of GPUs that share its model, by a roofline: what
 * is multiplied over the peak rate, what is read over the memory's bandwidth, what is exchanged
 * over the link, and what the CPU does around it. The slowest GPU ends the step; the others spin
 * until it does. What each does while it lasts is what its sensors tell. Not thread-safe.
 *
 * <p>A step on one GPU takes
 *
 * <ol>
 *   <li>the matrices: operations over the rate, and weights over the bandwidth, whichever is more
 *       (smoothly: the fourth root of the sum of their fourth powers);
 *   <li>attention of prompts: operations over the rate;
 *   <li>attention over what was there: its KV over the bandwidth;
 *   <li>activations between kernels over the bandwidth;
 *   <li>gaps between kernels; two all-reduces a layer; sampling.
 * </ol>
 *
 * <p>Drafts and loads of adapters come from the engine, as time beside the step's own.
 */
public final class ReplicaTimer implements StepTimer {
  /**
   * How an engine core runs its model.
   *
   * @param asyncScheduling whether the CPU prepares a step while the one before runs
   * @param graphs whether kernels are launched by CUDA graphs; not with enforce_eager
   */
  public record Setup(
      ModelShape model, Precision precision, boolean asyncScheduling, boolean graphs) {}

  private final Setup setup;
  private final ModelShape model;
  private final List<SimulatedGpu> gpus;
  private final HostProcess process;
  private final Knobs knobs;
  private final @Nullable Measures engine;
  private final int degree;
  private final double bodyFlops;
  private final double vocabularyFlops;
  private final double attentionFlops;
  private final double kvBytes;
  private final double kvShare;
  private final double layerKernels;
  private final double[] seconds;
  private final Work work = new Work();

  /** What a step asks of each GPU, whatever it is. */
  private static final class Work {
    double flops;

    /** Part of the rate that matrices of so many rows reach. */
    double fullness;

    double attention;
    double weights;
    double kvRead;
    double kvWritten;
    double activations;
    double logits;
    double reduced;
    double reductions;
    double gaps;
    double pcie;

    double bytes() {
      return weights + kvRead + kvWritten + activations + logits;
    }
  }

  /**
   * @param gpus that share the model, one or more, all of one make
   * @param process of the engine core
   * @param knobs of the engine
   * @param engine counts operations and bytes as an engine does that estimates them, or null
   */
  public ReplicaTimer(
      Setup setup,
      List<SimulatedGpu> gpus,
      HostProcess process,
      Knobs knobs,
      @Nullable Measures engine) {
    if (gpus.isEmpty()) {
      throw new IllegalArgumentException("expected a GPU at least");
    }
    this.setup = setup;
    this.model = setup.model();
    this.gpus = List.copyOf(gpus);
    this.process = process;
    this.knobs = knobs;
    this.engine = engine;
    degree = gpus.size();
    seconds = new double[degree];
    bodyFlops = 2 * model.bodyParameters() / degree;
    vocabularyFlops = 2 * model.vocabularyParameters() / degree;
    attentionFlops = 4.0 * model.heads() * model.headSize() * model.layers() / degree;
    kvBytes = model.kvElementsPerLayer() * setup.precision().kvBytes();
    kvShare = KvMemory.kvShare(model, degree);
    layerKernels = Efficiency.KERNELS + (model.experts() > 0 ? Efficiency.EXPERT_KERNELS : 0);
  }

  @Override
  public long begin(StepWork step, long nowNs) {
    boolean stopped = false;
    for (SimulatedGpu gpu : gpus) {
      gpu.advance();
      stopped |= gpu.isStopped() || gpu.isLost();
    }
    if (stopped) {
      waitForEver(nowNs);
      return NEVER;
    }
    measure(step);
    double slowest = 0;
    for (int i = 0; i < degree; i++) {
      seconds[i] = secondsOn(gpus.get(i));
      slowest = Math.max(slowest, seconds[i]);
    }
    double overhead = knobs.get(Knob.ENGINE_OVERHEAD);
    long cpu = process.run(nanos(cpuSeconds(step) * overhead));
    long launches = launches(step, overhead);
    // Kernels can't run faster than they are launched.
    long kernels = Math.max(nanos(slowest), launches);
    long waits = step.extraNs + waits(step, overhead);
    long before = setup.asyncScheduling() ? waits : waits + cpu;
    long after = setup.asyncScheduling() ? Math.max(0, cpu - kernels) : 0;
    long rest = setup.asyncScheduling() ? nanos(Efficiency.ASYNC_REST) : 0;
    for (int i = 0; i < degree; i++) {
      account(gpus.get(i), seconds[i], kernels, nowNs + before);
    }
    tell();
    return Math.max(1, before + kernels + after + rest);
  }

  /** All spin in a collective but those that are broken. */
  private void waitForEver(long nowNs) {
    for (SimulatedGpu gpu : gpus) {
      gpu.load().spin();
      boolean spins = degree > 1 && !gpu.isStopped();
      gpu.run(nowNs, spins ? Long.MAX_VALUE : nowNs);
    }
  }

  private void measure(StepWork step) {
    int tokens = step.tokens();
    work.flops = bodyFlops * tokens + vocabularyFlops * step.requests();
    double rows = tokens + Efficiency.ROWS_MIN;
    work.fullness = rows / (rows + Efficiency.TILE_ROWS);
    work.attention = attentionFlops * attended(step.prefillAttention, step.prefillTokens);
    work.weights = weightBytes(tokens);
    work.kvRead =
        kvBytes
            * kvShare
            * (layersRead(step.decodeContext, step.decodeRequests)
                + layersRead(step.prefillContext, step.prefillRequests));
    work.kvWritten = kvBytes * kvShare * model.layers() * tokens;
    work.activations =
        Efficiency.ACTIVATION_BYTES * tokens * (double) model.hidden() * model.layers() / degree;
    work.logits = 4 * Efficiency.LOGIT_PASSES * step.requests() * model.vocabulary() / degree;
    double kernels = layerKernels;
    if (step.adapters > 0) {
      kernels += Efficiency.ADAPTER_KERNELS;
      work.weights +=
          Efficiency.ADAPTER_BYTES * step.adapters * model.hidden() * model.layers() / degree;
    }
    work.gaps = kernels * model.layers() * Efficiency.KERNEL_GAP + Efficiency.SAMPLING;
    work.reductions = degree == 1 ? 0 : 2.0 * model.layers();
    // A ring, or each reading from all: every GPU sends and receives this much.
    work.reduced = 2.0 * (degree - 1) / degree * tokens * (double) model.hidden() * 2;
    work.pcie = Efficiency.STEP_BYTES * step.requests() + 8.0 * tokens;
  }

  /** Bytes of weights that one GPU reads in a step of so many tokens. */
  private double weightBytes(int tokens) {
    double words = model.vocabularyParameters();
    double layers = model.parametersRead(tokens) - words;
    return (layers * setup.precision().weightBytes() + words * 2) / degree;
  }

  /** Sum over layers of the tokens whose KV is read, fewer where a layer has a window. */
  private double layersRead(double context, int requests) {
    int windowed = model.special().windowLayers();
    if (windowed == 0 || requests == 0) {
      return context * model.layers();
    }
    double within = Math.min(context, (double) requests * model.special().window());
    return context * (model.layers() - windowed) + within * windowed;
  }

  /** The same, as a mean over layers, for what tokens of prompts attend to. */
  private double attended(double attention, int tokens) {
    int windowed = model.special().windowLayers();
    if (windowed == 0) {
      return attention;
    }
    double within = Math.min(attention, (double) tokens * model.special().window());
    return (attention * (model.layers() - windowed) + within * windowed) / model.layers();
  }

  private double secondsOn(SimulatedGpu gpu) {
    Board board = gpu.board();
    double clock = gpu.clockFactor();
    double bandwidth = board.bandwidth * gpu.memoryFactor();
    double matrices = work.flops / (matrixRate(board) * clock * work.fullness);
    double weights = work.weights / (bandwidth * Efficiency.WEIGHT_READS);
    double linear = smoothMax(matrices, weights);
    double attention = work.attention / (board.flops * clock * Efficiency.ATTENTION);
    double kv = (work.kvRead + work.kvWritten) / (bandwidth * Efficiency.KV_READS);
    double passes = (work.activations + work.logits) / (bandwidth * Efficiency.WEIGHT_READS);
    return linear + attention + kv + passes + work.gaps / clock + exchange(gpu);
  }

  private double matrixRate(Board board) {
    Precision precision = setup.precision();
    double rate = precision.fp8Matrices() ? board.fp8Flops : board.flops;
    if (precision.weightBytes() < 1) {
      rate *= Efficiency.UNPACKED_MATRICES;
    }
    return rate * (model.experts() > 0 ? Efficiency.EXPERT_MATRICES : Efficiency.MATRICES);
  }

  /** The larger of both, and a fifth more where they are equal: neither hides the other wholly. */
  private static double smoothMax(double a, double b) {
    double a2 = a * a;
    double b2 = b * b;
    return Math.sqrt(Math.sqrt(a2 * a2 + b2 * b2));
  }

  private double exchange(SimulatedGpu gpu) {
    if (degree == 1) {
      return 0;
    }
    Board board = gpu.board();
    boolean linked = board.link > 0;
    double bandwidth =
        linked
            ? board.link / 2 * Efficiency.LINK * gpu.linkFactor()
            : board.pcie * Efficiency.PCIE * gpu.linkFactor() * gpu.pcieFactor();
    double latency = linked ? Efficiency.LINK_LATENCY : Efficiency.PCIE_LATENCY;
    return work.reductions * (latency + work.reduced / bandwidth);
  }

  private double cpuSeconds(StepWork step) {
    double group = degree > 1 ? Efficiency.GROUP_CPU : 0;
    return Efficiency.STEP_CPU + group + Efficiency.REQUEST_CPU * step.requests();
  }

  /** CPU time to launch the kernels of a step that no graph has. */
  private long launches(StepWork step, double overhead) {
    boolean eager = !setup.graphs() || !knobs.isOn(Knob.ENGINE_GRAPHS);
    if (!eager && step.tokens() <= Efficiency.GRAPH_TOKENS_MAX) {
      return 0;
    }
    double each = eager ? Efficiency.EAGER_LAUNCH : Efficiency.COMPILED_LAUNCH;
    return process.run(nanos(each * layerKernels * model.layers() * overhead));
  }

  /** CPU time that the GPU waits for, however steps are scheduled. */
  private long waits(StepWork step, double overhead) {
    double penalties = Efficiency.PENALTY_CPU * step.penalised * overhead;
    double seconds = penalties + knobs.get(Knob.ENGINE_SYNC);
    return seconds == 0 ? 0 : process.run(nanos(seconds));
  }

  private void account(SimulatedGpu gpu, double own, long kernelNs, long fromNs) {
    double all = kernelNs / 1e9;
    double clock = gpu.clockFactor();
    Board board = gpu.board();
    Load load = gpu.load();
    load.spin();
    double busy = all <= 0 ? 0 : Math.min(1, own / all);
    load.sm = load.sm * (1 - busy) + BUSY_SM * busy;
    load.occupancy = load.occupancy * (1 - busy) + BUSY_OCCUPANCY * busy;
    double peak = setup.precision().fp8Matrices() ? board.fp8Flops : board.flops;
    double cycles = work.flops / peak + work.attention / board.flops;
    load.tensor = share(cycles / clock, all);
    load.dram = share(work.bytes() / (board.bandwidth * gpu.memoryFactor()), all);
    double exchanged = work.reductions * work.reduced / Math.max(all, 1e-9);
    boolean linked = board.link > 0;
    load.link = linked ? exchanged : 0;
    double pcie = work.pcie / Math.max(all, 1e-9) + (linked ? 0 : exchanged);
    load.pcieSent = pcie;
    load.pcieReceived = pcie;
    gpu.run(fromNs, fromNs + kernelNs);
  }

  /** SMs with work while kernels run one after another, and warps on them: own judgement. */
  private static final double BUSY_SM = 0.92;

  private static final double BUSY_OCCUPANCY = 0.24;

  private static double share(double part, double all) {
    return all <= 0 ? 0 : Math.min(1, part / all);
  }

  private void tell() {
    if (engine != null) {
      engine.add(EngineQuantity.FLOPS_PER_GPU, work.flops + work.attention);
      engine.add(EngineQuantity.READ_BYTES_PER_GPU, work.weights + work.kvRead);
      engine.add(EngineQuantity.WRITE_BYTES_PER_GPU, work.kvWritten);
    }
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
