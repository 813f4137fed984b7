package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.model.Version;
import org.inferometer.simulator.scenario.Scenario.EngineKind;
import org.inferometer.simulator.scenario.Scenario.Flags;
import org.inferometer.simulator.scenario.Scenario.Fleet;
import org.inferometer.simulator.scenario.Scenario.Frontend;
import org.inferometer.simulator.scenario.Scenario.Gateway;
import org.inferometer.simulator.scenario.Scenario.Host;
import org.inferometer.simulator.scenario.Scenario.KvTransfer;
import org.inferometer.simulator.scenario.Scenario.Lora;
import org.inferometer.simulator.scenario.Scenario.Replicas;
import org.inferometer.simulator.scenario.Scenario.Role;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.scenario.Scenario.Speculative;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads a fleet: replicas, gateway, hosts. */
final class FleetReader {
  /** nginx's proxy_read_timeout. */
  private static final long GATEWAY_TIMEOUT = 60 * Bounds.SECOND;

  private static final int GATEWAY_CONNECTIONS = 1000;

  /** What a proxy of good make needs for a request. */
  private static final long GATEWAY_OVERHEAD = 200_000;

  /** Weights read from disk, memory measured, graphs captured. */
  private static final long START = 90 * Bounds.SECOND;

  private static final double TERABYTE = 1e12;

  /** It stands in a label of each series. */
  private static final int SERVED_NAME_MAX = 200;

  private final Problems problems;

  FleetReader(Problems problems) {
    this.problems = problems;
  }

  Fleet read(YamlNode node) {
    Inputs inputs = new Inputs(node, "a fleet", problems);
    List<Host> hosts = new ArrayList<>();
    for (YamlNode host : inputs.list("hosts", Bounds.PARTS_MAX)) {
      hosts.add(host(host));
    }
    List<Replicas> replicas = replicas(inputs);
    Fleet fleet = new Fleet(replicas, gateway(inputs.optional("gateway")), hosts);
    checkNames(inputs, fleet);
    inputs.end();
    return fleet;
  }

  private List<Replicas> replicas(Inputs inputs) {
    List<Replicas> replicas = new ArrayList<>();
    for (YamlNode group : inputs.list("replicas", Bounds.PARTS_MAX)) {
      replicas.add(replicas(group));
    }
    int count = replicas.stream().mapToInt(Replicas::count).sum();
    if (count < 1 || count > Bounds.REPLICAS_MAX) {
      inputs.problem(
          "replicas", "expected 1 to " + Bounds.REPLICAS_MAX + " replicas in all, not " + count);
    }
    long gpus = replicas.stream().mapToLong(FleetReader::gpus).sum();
    if (gpus > Bounds.GPUS_MAX) {
      inputs.problem(
          "replicas", "expected at most " + Bounds.GPUS_MAX + " GPUs in all, not " + gpus);
    }
    return replicas;
  }

  private static long gpus(Replicas group) {
    return (long) group.count() * group.tensorParallel() * group.dataParallel();
  }

  private void checkNames(Inputs inputs, Fleet fleet) {
    Set<String> names = new HashSet<>();
    for (Replicas group : fleet.replicas()) {
      Set<String> own = new HashSet<>(group.names());
      own.add(group.name());
      own.forEach(name -> checkNew(inputs, "replicas", names, name));
    }
    Set<String> hosts = new HashSet<>();
    fleet.hosts().forEach(host -> checkNew(inputs, "hosts", hosts, host.name()));
  }

  private static void checkNew(Inputs inputs, String key, Set<String> names, String name) {
    if (!names.add(name) && !name.isEmpty()) {
      inputs.problem(key, "\"" + name + "\" names two of \"" + key + "\"");
    }
  }

  private Host host(YamlNode node) {
    Inputs inputs = new Inputs(node, "a host", problems);
    Double memory = inputs.optionalBytes("memory", 1e9, 100 * TERABYTE);
    Host host =
        new Host(
            inputs.name("name"),
            inputs.count("cores", 1, Bounds.CORES_MAX),
            memory == null ? TERABYTE : memory);
    inputs.end();
    return host;
  }

  private @Nullable Gateway gateway(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Inputs inputs = new Inputs(node, "a gateway", problems);
    String name = inputs.optionalName("name");
    Gateway gateway =
        new Gateway(
            name == null ? "gateway" : name,
            inputs.nanos("timeout", GATEWAY_TIMEOUT, Bounds.SECOND / 1000, Bounds.DAY),
            inputs.flag("buffering", false),
            inputs.count("connections", GATEWAY_CONNECTIONS, 1, 1_000_000),
            inputs.nanos("overhead", GATEWAY_OVERHEAD, 0, Bounds.SECOND),
            inputs.choice("routing", Routing.class, Routing.ROUND_ROBIN));
    inputs.end();
    return gateway;
  }

  private Replicas replicas(YamlNode node) {
    Inputs inputs = new Inputs(node, "replicas", problems);
    EngineKind engine = inputs.choice("engine", EngineKind.class, EngineKind.VLLM);
    String model = model(inputs);
    String servedName = servedName(inputs);
    Replicas replicas =
        new Replicas(
            inputs.name("name"),
            inputs.count("count", 1, 0, Bounds.REPLICAS_MAX),
            engine,
            release(inputs, engine),
            inputs.choice("frontend", Frontend.class, Frontend.PYTHON),
            inputs.count("api_servers", 1, 1, Bounds.API_SERVERS_MAX),
            model,
            servedName == null ? Known.modelName(model) : servedName,
            inputs.of("gpu", Known.gpus(), ""),
            inputs.count("tensor_parallel", 1, 1, Bounds.TENSOR_PARALLEL_MAX),
            inputs.count("data_parallel", 1, 1, Bounds.DATA_PARALLEL_MAX),
            inputs.choice("role", Role.class, Role.BOTH),
            inputs.optionalName("host"),
            inputs.nanos("start", START, 0, Bounds.DAY),
            flags(inputs.optional("flags")));
    inputs.end();
    return replicas;
  }

  private static @Nullable String servedName(Inputs inputs) {
    String name = inputs.optionalText("served_name");
    if (name != null && (name.length() > SERVED_NAME_MAX || name.lines().count() > 1)) {
      inputs.problem(
          "served_name", "expected a line of at most " + SERVED_NAME_MAX + " characters");
    }
    return name == null || name.isBlank() ? null : name;
  }

  private static String model(Inputs inputs) {
    String model = inputs.text("model");
    if (!model.isEmpty() && !Known.isModel(model)) {
      inputs.problem("model", Inputs.notOneOf(model, Known.models()));
    }
    return model;
  }

  private static Version release(Inputs inputs, EngineKind engine) {
    inputs.required("release");
    Version release = inputs.optionalVersion("release");
    String problem = release == null ? null : Known.problemWith(engine, release);
    if (problem != null) {
      inputs.problem("release", problem);
    }
    return release == null ? Version.parse("0") : release;
  }

  Flags flags(@Nullable YamlNode node) {
    if (node == null) {
      return Flags.NONE;
    }
    Inputs inputs = new Inputs(node, "flags", problems);
    Flags flags =
        new Flags(
            tokens(inputs, "max_model_len"),
            inputs.optionalCount("max_num_seqs", 1, 100_000),
            tokens(inputs, "max_num_batched_tokens"),
            inputs.optionalNumber("gpu_memory_utilization", 0.01, 1),
            inputs.optionalCount("kv_blocks", 2, Bounds.BLOCKS_MAX),
            inputs.optionalCount("block_size", 1, 65_536),
            inputs.optionalFlag("enable_chunked_prefill"),
            inputs.optionalFlag("enable_prefix_caching"),
            inputs.optionalFlag("async_scheduling"),
            inputs.optionalFlag("enforce_eager"),
            inputs.optionalCount("long_prefill_token_threshold", 0, (int) Bounds.TOKENS_MAX),
            inputs.optionalOf("scheduling_policy", List.of("fcfs", "priority")),
            inputs.optionalCount("stream_interval", 1, 10_000),
            inputs.optionalCount("max_num_queued_reqs", 1, 1_000_000),
            inputs.optionalNumber("watermark", 0, 0.99),
            inputs.optionalOf("quantization", List.of("none", "fp8", "int4")),
            inputs.optionalOf("kv_cache_dtype", List.of("auto", "fp8")),
            inputs.optionalFlag("disable_log_stats"),
            inputs.optionalFlag("enable_mfu_metrics"),
            speculative(inputs.optional("speculative")),
            lora(inputs.optional("lora")),
            kvTransfer(inputs.optional("kv_transfer")));
    inputs.end();
    return flags;
  }

  private static @Nullable Integer tokens(Inputs inputs, String key) {
    return inputs.optionalCount(key, 16, (int) Bounds.TOKENS_MAX);
  }

  private @Nullable Speculative speculative(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Inputs inputs = new Inputs(node, "speculative decoding", problems);
    Speculative speculative =
        new Speculative(
            inputs.count("draft_tokens", 1, 64),
            inputs.number("acceptance", 0, 1),
            inputs.number("decay", 1, 0, 1),
            inputs.number("temperature_loss", 0, 0, 1),
            inputs.number("draft_cost", 0, 0, 10));
    inputs.end();
    return speculative;
  }

  private @Nullable Lora lora(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Inputs inputs = new Inputs(node, "LoRA", problems);
    Lora lora =
        new Lora(
            inputs.count("max_loras", 1, Bounds.ADAPTERS_MAX),
            inputs.nanos("load", 0, 0, 10 * Bounds.MINUTE));
    inputs.end();
    return lora;
  }

  private @Nullable KvTransfer kvTransfer(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Inputs inputs = new Inputs(node, "KV transfer", problems);
    inputs.required("bytes_per_second");
    Double bytes = inputs.optionalBytes("bytes_per_second", 1e6, 10 * TERABYTE);
    KvTransfer transfer =
        new KvTransfer(
            bytes == null ? TERABYTE : bytes, inputs.nanos("latency", 0, 0, Bounds.MINUTE));
    inputs.end();
    return transfer;
  }
}
