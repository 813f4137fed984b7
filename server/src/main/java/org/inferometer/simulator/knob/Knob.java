package org.inferometer.simulator.knob;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What can be turned on a running simulation, by events of a scenario and by hand. A knob's id is
 * its part and its name: {@code gpu.clock}. Factors are 1 by default, switches 0 or 1.
 */
public enum Knob {
  WORKLOAD_RATE(Part.WORKLOAD, "rate", 1, 0, 1000, "factor of the arrival rate"),
  WORKLOAD_PROMPT(Part.WORKLOAD, "prompt", 1, 0.001, 1000, "factor of the prompts' own lengths"),
  WORKLOAD_OUTPUT(Part.WORKLOAD, "output", 1, 0.001, 1000, "factor of the answers' lengths"),
  WORKLOAD_MAX_TOKENS(
      Part.WORKLOAD, "max_tokens", 0, 0, 1e6, "limit of the answer that requests ask; 0: theirs"),
  WORKLOAD_SHARED(
      Part.WORKLOAD, "shared", 1, 0, 1, "share of requests whose shared prefix is the shared one"),
  WORKLOAD_ADAPTERS(
      Part.WORKLOAD, "adapters", 0, 0, 10_000, "how many adapters are asked for; 0: its own"),
  WORKLOAD_CANCEL(Part.WORKLOAD, "cancel", -1, -1, 1, "share of cancelled requests; -1: its own"),
  WORKLOAD_TEMPERATURE(Part.WORKLOAD, "temperature", -1, -1, 5, "of requests; -1: its own"),
  WORKLOAD_PENALTIES(Part.WORKLOAD, "penalties", -1, -1, 1, "share with penalties; -1: its own"),
  WORKLOAD_PREPROCESS(
      Part.WORKLOAD, "preprocess", 1, 0, 1000, "factor of images' preprocessing time"),

  CLIENT_DELAY(
      Part.CLIENT, "delay", 0, 0, 1000, "seconds of the client's own CPU for each answer's start"),
  CLIENT_CONNECTIONS(
      Part.CLIENT, "connections", 0, 0, 1e6, "connections a client opens at most; 0: no limit"),

  GATEWAY_TIMEOUT(Part.GATEWAY, "timeout", 0, 0, 1e6, "seconds until it gives up; 0: its own"),
  GATEWAY_BUFFERING(
      Part.GATEWAY, "buffering", -1, -1, 1, "1: answers are sent when whole; -1: its own"),
  GATEWAY_CONNECTIONS(
      Part.GATEWAY, "connections", 0, 0, 1e6, "connections to each upstream; 0: its own"),
  GATEWAY_SKEW(
      Part.GATEWAY, "skew", 0, 0, 1, "share of requests that go to the first replica regardless"),

  SERVER_TOKENISE(Part.SERVER, "tokenise", 1, 0, 10_000, "factor of the time to tokenise"),
  SERVER_DETOKENISE(Part.SERVER, "detokenise", 1, 0, 10_000, "factor of the time for an output"),
  SERVER_LEAK(Part.SERVER, "leak", 0, 0, 1e12, "bytes that are lost each second"),
  SERVER_PAUSE(Part.SERVER, "pause", 0, 0, 100, "seconds of a pause of its event loop ..."),
  SERVER_PAUSE_EVERY(Part.SERVER, "pause_every", 10, 0.01, 1e6, "... every so many seconds"),

  ENGINE_OVERHEAD(Part.ENGINE, "overhead", 1, 0, 10_000, "factor of the CPU time around each step"),
  ENGINE_SYNC(Part.ENGINE, "sync", 0, 0, 10, "seconds the GPU waits for the CPU in each step"),
  ENGINE_STALL(Part.ENGINE, "stall", 0, 0, 1000, "seconds of a stall between steps ..."),
  ENGINE_STALL_EVERY(Part.ENGINE, "stall_every", 5, 0.01, 1e6, "... every so many seconds"),
  ENGINE_STUCK(Part.ENGINE, "stuck", 0, 0, 1, "1: no step ends any more"),
  ENGINE_ACCEPTANCE(Part.ENGINE, "acceptance", 1, 0, 2, "factor of drafts' acceptance"),
  ENGINE_ADAPTER_LOAD(Part.ENGINE, "adapter_load", 1, 0, 10_000, "factor of an adapter's load"),
  ENGINE_KV_LINK(Part.ENGINE, "kv_link", 1, 0.0001, 10, "factor of the KV transfers' bandwidth"),
  ENGINE_GRAPHS(
      Part.ENGINE, "graphs", 1, 0, 1, "0: steps launch kernel by kernel, as before warm-up"),

  GPU_CLOCK(Part.GPU, "clock", 1, 0.05, 1.2, "factor of the SM clock it is held to"),
  GPU_MEMORY_CLOCK(Part.GPU, "memory_clock", 1, 0.05, 1.2, "factor of the memory clock"),
  GPU_POWER_LIMIT(Part.GPU, "power_limit", 1, 0.1, 1.5, "factor of the power limit"),
  GPU_POWER_BRAKE(Part.GPU, "power_brake", 0, 0, 1, "1: the power supply holds clocks down"),
  GPU_COOLING(Part.GPU, "cooling", 1, 0, 2, "factor of the heat that is carried away"),
  GPU_LINK(Part.GPU, "link", 1, 0.0001, 2, "factor of the bandwidth to other GPUs"),
  GPU_PCIE_LANES(Part.GPU, "pcie_lanes", 0, 0, 16, "lanes of the PCIe link; 0: all"),
  GPU_ECC(Part.GPU, "ecc", 0, 0, 1e6, "corrected memory errors each second"),

  HOST_BUSY(Part.HOST, "busy", 0, 0, 1024, "cores that others keep busy"),
  HOST_STEAL(Part.HOST, "steal", 0, 0, 1, "share of CPU time that the hypervisor takes"),
  HOST_SPEED(Part.HOST, "speed", 1, 0.01, 4, "factor of a core's speed"),

  SCRAPE_MISSED(Part.SCRAPE, "missed", 0, 0, 1, "share of scrapes that get no answer"),
  SCRAPE_JITTER(Part.SCRAPE, "jitter", 0, 0, 10, "seconds, at most, that a scrape comes late"),
  SCRAPE_DOWN(Part.SCRAPE, "down", 0, 0, 1, "1: the exporter is gone"),
  SCRAPE_FROZEN(Part.SCRAPE, "frozen", 0, 0, 1, "1: the page is the one of the moment it froze"),
  SCRAPE_NO_STATS(Part.SCRAPE, "no_stats", 0, 0, 1, "1: the engine's own families aren't there"),
  SCRAPE_CLOCK(Part.SCRAPE, "clock", 0, -1e6, 1e6, "seconds that the exporter's clock is off"),
  SCRAPE_PROFILING_OFF(
      Part.SCRAPE, "profiling_off", 0, 0, 1, "1: profiling metrics of GPUs are zero");

  private final Part part;
  private final String word;
  private final double byDefault;
  private final double min;
  private final double max;
  private final String says;

  Knob(Part part, String word, double byDefault, double min, double max, String says) {
    this.part = part;
    this.word = word;
    this.byDefault = byDefault;
    this.min = min;
    this.max = max;
    this.says = says;
  }

  public Part part() {
    return part;
  }

  /** What scenarios call it: {@code gpu.clock}. */
  public String id() {
    return part.name().toLowerCase(Locale.ROOT) + "." + word;
  }

  public double byDefault() {
    return byDefault;
  }

  public double min() {
    return min;
  }

  public double max() {
    return max;
  }

  /** What it does, in words that go on from its name. */
  public String says() {
    return says;
  }

  public static @Nullable Knob find(String id) {
    for (Knob knob : values()) {
      if (knob.id().equals(id)) {
        return knob;
      }
    }
    return null;
  }
}
