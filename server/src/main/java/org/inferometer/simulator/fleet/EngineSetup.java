package org.inferometer.simulator.fleet;

import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.inferometer.model.Version;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.gpu.KvMemory;
import org.inferometer.simulator.gpu.Precision;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.EngineKind;
import org.inferometer.simulator.scenario.Scenario.Flags;
import org.jspecify.annotations.Nullable;

/**
 * What an engine runs with: its flags, and the defaults that it takes by GPU, model and release
 * where there is none.
 *
 * <p>Defaults of vLLM by its {@code arg_utils.py} and release notes; those of SGLang (whose KV
 * pages are single tokens) and of TGI by their launchers. What isn't known of an old release is
 * taken as in newer ones.
 */
final class EngineSetup {
  private static final double GIB = 1L << 30;

  /** From this memory on a GPU counts as big for vLLM's defaults, unless it is an A100. */
  private static final double BIG_MEMORY = 70 * GIB;

  /** The first releases in which a default is another. */
  private static final Version MORE_MEMORY_SINCE = Version.parse("0.20.0");

  private static final Version RESERVES_PROMPT_SINCE = Version.parse("0.19.0");
  private static final Version ASYNC_SINCE = Version.parse("0.14.0");

  /** TGI and SGLang, by their launchers. */
  private static final int CHUNK_SGLANG_BIG = 8192;

  private static final int CHUNK_SGLANG = 2048;
  private static final int PREFILL_TGI = 4096;
  private static final double MEMORY_SGLANG = 0.88;
  private static final double MEMORY_TGI = 0.9;

  private final Scenario.Replicas made;
  private final Flags flags;
  private final Hardware.Gpu gpu;
  private final ModelShape model;

  /**
   * @param made with the flags and release that it runs with now
   */
  EngineSetup(Scenario.Replicas made, Hardware.Gpu gpu, ModelShape model) {
    this.made = made;
    this.flags = made.flags();
    this.gpu = gpu;
    this.model = model;
  }

  /**
   * @throws IllegalArgumentException if the model doesn't fit; says what was expected
   */
  EngineConfig config() {
    int blockSize = blockSize();
    int blocks = blocks(blockSize);
    int maxModelLen = or(flags.maxModelLen(), model.positionsMax());
    long room = (long) (blocks - 1) * blockSize;
    if (room < maxModelLen) {
      throw new IllegalArgumentException(
          made.name()
              + ": expected room in the KV cache for a request of max_model_len "
              + maxModelLen
              + ", there is room for "
              + room
              + " tokens; engines refuse to start so");
    }
    boolean chunked = or(flags.enableChunkedPrefill(), true);
    int budget = or(flags.maxNumBatchedTokens(), budget());
    return new EngineConfig(
        made.release(),
        maxModelLen,
        or(flags.maxNumSeqs(), sequences()),
        chunked ? budget : Math.max(budget, maxModelLen),
        blocks,
        blockSize,
        chunked,
        or(flags.longPrefillTokenThreshold(), 0),
        or(flags.enablePrefixCaching(), true),
        isAsync(),
        "priority".equals(flags.schedulingPolicy()),
        isSince(RESERVES_PROMPT_SINCE),
        or(flags.watermark(), 0.0),
        or(flags.streamInterval(), 1),
        or(flags.maxNumQueuedReqs(), 0),
        speculation(),
        adapters(),
        transfers());
  }

  private static <T> T or(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  private boolean isVllm() {
    return made.engine() == EngineKind.VLLM;
  }

  /** Whether a default of vLLM holds that came with a release. */
  private boolean isSince(Version since) {
    return isVllm() && !since.isAfter(made.release());
  }

  private boolean isAsync() {
    return or(
        flags.asyncScheduling(),
        made.engine() == EngineKind.SGLANG
            || (isSince(ASYNC_SINCE) && flags.speculative() == null));
  }

  private boolean isBig() {
    return memory() >= BIG_MEMORY && !gpu.id().startsWith("A100");
  }

  private int budget() {
    return switch (made.engine()) {
      case VLLM -> isBig() ? 8192 : 2048;
      case SGLANG -> isBig() ? CHUNK_SGLANG_BIG : CHUNK_SGLANG;
      case TGI -> PREFILL_TGI;
    };
  }

  private int sequences() {
    return isVllm() && !isBig() ? 256 : 1024;
  }

  private int blockSize() {
    int byDefault = made.engine() == EngineKind.SGLANG ? 1 : 16;
    return or(flags.blockSize(), byDefault);
  }

  // ----------------------------------------------------------------------------------- memory

  private double memory() {
    Hardware.Board board = gpu.board();
    return board == null ? or(gpu.memory(), 0.0) : board.memory();
  }

  /** Bytes of each GPU that the engine takes when it starts. */
  double gpuBytes() {
    return memory() * utilization();
  }

  /** Bytes of the weights of all GPUs of an engine. */
  double weightBytes() {
    return KvMemory.weightBytes(model, precision());
  }

  /** The share of a GPU's memory that the engine takes. */
  double utilization() {
    double byDefault =
        switch (made.engine()) {
          case VLLM -> isSince(MORE_MEMORY_SINCE) ? 0.92 : 0.9;
          case SGLANG -> MEMORY_SGLANG;
          case TGI -> MEMORY_TGI;
        };
    return or(flags.gpuMemoryUtilization(), byDefault);
  }

  Precision precision() {
    return Precision.of(model, flags.quantization(), flags.kvCacheDtype());
  }

  private int blocks(int blockSize) {
    Integer given = flags.kvBlocks();
    if (given != null) {
      return given;
    }
    KvMemory memory =
        KvMemory.of(
            model,
            precision(),
            gpu,
            made.tensorParallel(),
            utilization(),
            or(flags.maxNumSeqs(), sequences()),
            or(flags.maxNumBatchedTokens(), budget()));
    int blocks = memory.blocks(blockSize);
    if (blocks < 2) {
      throw new IllegalArgumentException(
          "%s: expected %s to fit into %d %s, but its weights take %.1f GiB of the %.1f of each GPU"
              .formatted(
                  made.name(),
                  model.id(),
                  made.tensorParallel(),
                  gpu.id(),
                  memory.weights() / GIB,
                  memory() / GIB));
    }
    return blocks;
  }

  // ------------------------------------------------------------------------------------ extras

  private EngineConfig.@Nullable Speculation speculation() {
    Scenario.Speculative given = flags.speculative();
    return given == null
        ? null
        : new EngineConfig.Speculation(
            given.draftTokens(),
            given.acceptance(),
            given.decay(),
            given.temperatureLoss(),
            given.draftCost());
  }

  private EngineConfig.@Nullable Adapters adapters() {
    Scenario.Lora given = flags.lora();
    return given == null ? null : new EngineConfig.Adapters(given.maxLoras(), given.loadNs());
  }

  private EngineConfig.@Nullable Transfers transfers() {
    Scenario.KvTransfer given = flags.kvTransfer();
    return given == null
        ? null
        : new EngineConfig.Transfers(
            given.bytesPerSecond(),
            given.latencyNs(),
            model.kvBytesPerToken(precision().kvBytes()));
  }
}
