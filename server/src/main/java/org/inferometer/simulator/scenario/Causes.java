package org.inferometer.simulator.scenario;

import java.util.List;

/** What can be the matter with a serving system, by the ids that the diagnosis has for it. */
public final class Causes {
  public static final String HEALTHY = "healthy";
  public static final String NO_TRAFFIC = "no-traffic";

  /** All of them, in the order in which the documentation lists them. */
  public static final List<String> ALL =
      List.of(
          NO_TRAFFIC,
          HEALTHY,
          "capacity",
          "kv-exhaustion",
          "prefill-bound",
          "prefix-cache-loss",
          "decode-memory-bound",
          "decode-saturated",
          "decode-jitter",
          "spec-decode-losing",
          "frontend-cpu",
          "host-cpu",
          "gpu-cpu-sync",
          "gateway-timeout",
          "gateway-buffering",
          "client-artifact",
          "connection-serialised",
          "output-length",
          "length-truncation",
          "cold-start",
          "power-throttle",
          "thermal-throttle",
          "hardware-fault",
          "tp-straggler",
          "slow-replica",
          "load-imbalance",
          "adapter-churn",
          "kv-transfer-bound",
          "memory-leak",
          "oom-config",
          "engine-stuck",
          "telemetry-broken");

  /** Where a cause can be; "none" is for what isn't one. */
  public static final List<String> LAYERS =
      List.of("client", "gateway", "request", "engine", "gpu", "host", "telemetry", "none");

  private Causes() {}

  /** Whether nothing is wrong. */
  public static boolean isFine(String cause) {
    return cause.equals(HEALTHY) || cause.equals(NO_TRAFFIC);
  }
}
