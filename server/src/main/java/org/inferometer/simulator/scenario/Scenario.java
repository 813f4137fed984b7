package org.inferometer.simulator.scenario;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * A fleet, what users ask of it, what happens to it, and the truth about it. Times are nanoseconds
 * since the beginning, unless they say otherwise.
 *
 * @param name of its file
 * @param title in a few words
 * @param durationNs how long it is when nobody says
 */
public record Scenario(
    String name,
    String title,
    long durationNs,
    Fleet fleet,
    List<Workload> workloads,
    List<Happening> events,
    Truth truth) {
  public Scenario {
    workloads = List.copyOf(workloads);
    events = List.copyOf(events);
  }

  /**
   * What is really the matter.
   *
   * @param cause an id of the diagnosis, {@code healthy} if nothing is
   * @param layer where it is: client, gateway, request, engine, gpu, host, telemetry, or none
   * @param startNs when it begins
   * @param scope which part has it: a replica's name, a GPU ("qwen-0/gpu0"), a workload; or null
   * @param follows causes that may be named after it, as its consequences
   * @param looksLike the cause that it could be mistaken for: makes it a trap
   * @param twinOf the scenario that this one is the healthy side of
   * @param says in a sentence
   */
  public record Truth(
      String cause,
      String layer,
      long startNs,
      @Nullable String scope,
      List<String> follows,
      @Nullable String looksLike,
      @Nullable String twinOf,
      String says) {
    public Truth {
      follows = List.copyOf(follows);
    }
  }

  /**
   * @param gateway null if clients ask the replicas themselves, in turn
   * @param hosts those that replicas name; others are made as needed
   */
  public record Fleet(List<Replicas> replicas, @Nullable Gateway gateway, List<Host> hosts) {
    public Fleet {
      replicas = List.copyOf(replicas);
      hosts = List.copyOf(hosts);
    }
  }

  public enum EngineKind {
    VLLM,
    SGLANG,
    TGI
  }

  public enum Frontend {
    PYTHON,
    MULTIPROCESS,
    RUST
  }

  public enum Role {
    BOTH,
    PREFILL,
    DECODE
  }

  /**
   * Replicas that are alike; each is a process on its own GPUs.
   *
   * @param name each one's is this, "-" and its number from 0, if there is more than one
   * @param model an id of the model table
   * @param servedName the label model_name
   * @param gpu an id of the GPU table
   * @param host where they are; replicas of one host share its CPUs. Null: a host for each
   * @param startNs how long they take to become ready after a start
   */
  public record Replicas(
      String name,
      int count,
      EngineKind engine,
      Version release,
      Frontend frontend,
      int apiServers,
      String model,
      String servedName,
      String gpu,
      int tensorParallel,
      int dataParallel,
      Role role,
      @Nullable String host,
      long startNs,
      Flags flags) {
    /** The name of the replica with an index. */
    public String nameOf(int index) {
      return count == 1 ? name : name + "-" + index;
    }

    public List<String> names() {
      return IntStream.range(0, count).mapToObj(this::nameOf).toList();
    }
  }

  /**
   * What an engine was started with; null is its default for the GPU and release.
   *
   * @param quantization of the weights: none, fp8 or int4
   * @param kvCacheDtype auto or fp8
   * @param kvBlocks sets the number of blocks instead of the memory deciding it
   * @param enablePrefixCaching on by default
   */
  public record Flags(
      @Nullable Integer maxModelLen,
      @Nullable Integer maxNumSeqs,
      @Nullable Integer maxNumBatchedTokens,
      @Nullable Double gpuMemoryUtilization,
      @Nullable Integer kvBlocks,
      @Nullable Integer blockSize,
      @Nullable Boolean enableChunkedPrefill,
      @Nullable Boolean enablePrefixCaching,
      @Nullable Boolean asyncScheduling,
      @Nullable Boolean enforceEager,
      @Nullable Integer longPrefillTokenThreshold,
      @Nullable String schedulingPolicy,
      @Nullable Integer streamInterval,
      @Nullable Integer maxNumQueuedReqs,
      @Nullable Double watermark,
      @Nullable String quantization,
      @Nullable String kvCacheDtype,
      @Nullable Boolean disableLogStats,
      @Nullable Boolean enableMfuMetrics,
      @Nullable Speculative speculative,
      @Nullable Lora lora,
      @Nullable KvTransfer kvTransfer) {
    /** Everything by default. */
    public static final Flags NONE =
        new Flags(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null, null, null, null, null, null);

    /** These where they are given, the others' where not: what a restart with other flags has. */
    public Flags over(Flags base) {
      return new Flags(
          or(maxModelLen, base.maxModelLen),
          or(maxNumSeqs, base.maxNumSeqs),
          or(maxNumBatchedTokens, base.maxNumBatchedTokens),
          or(gpuMemoryUtilization, base.gpuMemoryUtilization),
          or(kvBlocks, base.kvBlocks),
          or(blockSize, base.blockSize),
          or(enableChunkedPrefill, base.enableChunkedPrefill),
          or(enablePrefixCaching, base.enablePrefixCaching),
          or(asyncScheduling, base.asyncScheduling),
          or(enforceEager, base.enforceEager),
          or(longPrefillTokenThreshold, base.longPrefillTokenThreshold),
          or(schedulingPolicy, base.schedulingPolicy),
          or(streamInterval, base.streamInterval),
          or(maxNumQueuedReqs, base.maxNumQueuedReqs),
          or(watermark, base.watermark),
          or(quantization, base.quantization),
          or(kvCacheDtype, base.kvCacheDtype),
          or(disableLogStats, base.disableLogStats),
          or(enableMfuMetrics, base.enableMfuMetrics),
          or(speculative, base.speculative),
          or(lora, base.lora),
          or(kvTransfer, base.kvTransfer));
    }

    private static <T> @Nullable T or(@Nullable T value, @Nullable T otherwise) {
      return value == null ? otherwise : value;
    }
  }

  /** See {@code EngineConfig.Speculation}. */
  public record Speculative(
      int draftTokens, double acceptance, double decay, double temperatureLoss, double draftCost) {}

  /**
   * @param maxLoras adapters in one step
   * @param loadNs to load one
   */
  public record Lora(int maxLoras, long loadNs) {}

  /**
   * @param bytesPerSecond of the link between prefill and decode instances
   */
  public record KvTransfer(double bytesPerSecond, long latencyNs) {}

  public enum Routing {
    ROUND_ROBIN,
    RANDOM,
    LEAST_REQUESTS,
    /** To the replica that has the longest part of the prompt in its cache, if it isn't loaded. */
    PREFIX,
    /** A session or, without one, a shared prefix always goes to the same replica. */
    STICKY
  }

  /**
   * @param timeoutNs from the request until the end of the answer, for those that don't stream;
   *     between two reads for those that do, as nginx's proxy_read_timeout
   * @param buffering whether an answer is sent on when it is whole
   * @param connections to each upstream at most; more wait
   * @param overheadNs CPU time for each request
   */
  public record Gateway(
      String name,
      long timeoutNs,
      boolean buffering,
      int connections,
      long overheadNs,
      Routing routing) {}

  /**
   * @param memory bytes
   */
  public record Host(String name, int cores, double memory) {}

  /** What one kind of users asks. */
  public record Workload(
      String name,
      Arrivals arrivals,
      Length prompt,
      Length output,
      @Nullable Integer maxTokens,
      @Nullable Prefixes prefixes,
      @Nullable Sessions sessions,
      @Nullable AdapterMix adapters,
      double cancelShare,
      @Nullable Length cancelAfterSeconds,
      long timeoutNs,
      double temperature,
      double penaltiesShare,
      long preprocessNs,
      int priority,
      double streamingShare) {}

  /** When requests are due. Rates are requests a second, of sessions where there are any. */
  public sealed interface Arrivals {
    record Constant(double rate) implements Arrivals {}

    record Poisson(double rate) implements Arrivals {}

    /** Gaps by a gamma law; the coefficient of variation of 1 is Poisson's. */
    record Bursty(double rate, double variation) implements Arrivals {}

    /**
     * Poisson with a rate that swings once in a period.
     *
     * @param amplitude of the swing through the mean rate, 0 to 1
     */
    record Diurnal(double rate, double amplitude, long periodNs, long peakNs) implements Arrivals {}

    /** At these times, again and again after the period; 0 for once. */
    record Trace(List<Long> timesNs, long periodNs) implements Arrivals {
      public Trace {
        timesNs = List.copyOf(timesNs);
      }
    }

    /** So many users who each wait for their answer, think, and ask again. */
    record Closed(int users, Length thinkSeconds) implements Arrivals {}
  }

  /** A law of lengths, cut to its bounds. */
  public sealed interface Length {
    record Fixed(double value) implements Length {}

    record Uniform(double min, double max) implements Length {}

    /** By its median and its 95th percentile. */
    record LogNormal(double median, double p95, double min, double max) implements Length {}

    record Normal(double mean, double deviation, double min, double max) implements Length {}

    record Exponential(double mean, double min, double max) implements Length {}

    /** One of these, by their weights. */
    record Mix(List<Length> laws, List<Double> weights) implements Length {
      public Mix {
        laws = List.copyOf(laws);
        weights = List.copyOf(weights);
      }
    }
  }

  /**
   * A tree of shared beginnings: a system prompt for all, then one of several documents or tools;
   * chosen by Zipf's law.
   *
   * @param root tokens that all requests begin with
   * @param branches how many different ones follow, each of so many tokens
   * @param skew of Zipf's law; 0 is even
   */
  public record Prefixes(int root, int branches, int branchTokens, double skew) {}

  /**
   * Conversations: each turn's prompt is all that was said before, and the user's new words.
   *
   * @param turns of a conversation
   * @param thinkSeconds between an answer and the next turn
   */
  public record Sessions(Length turns, Length thinkSeconds) {}

  /**
   * @param count different adapters, chosen by Zipf's law
   * @param share of requests that ask for one
   */
  public record AdapterMix(int count, double skew, double share) {}

  /**
   * Something that is done to the fleet.
   *
   * @param forNs after which it is undone; 0 for never
   * @param on which parts, empty for all that it can be done to
   */
  public record Happening(long atNs, long forNs, Target on, Action action) {}

  /**
   * @param replica a name as in the fleet ("qwen-0"), that of replicas which are alike ("qwen") for
   *     all of them, or null for any
   * @param gpu index within the replica's GPUs, or null for any
   * @param workload name, or null for any
   * @param host name, or null for any
   * @param endpoint a job that is scraped: engine, gpu, host, gateway, client; or null for any
   */
  public record Target(
      @Nullable String replica,
      @Nullable Integer gpu,
      @Nullable String workload,
      @Nullable String host,
      @Nullable String endpoint) {
    public static Target all() {
      return new Target(null, null, null, null, null);
    }
  }
}
