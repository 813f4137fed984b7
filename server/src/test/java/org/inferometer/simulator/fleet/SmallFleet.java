package org.inferometer.simulator.fleet;

import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Flags;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.inferometer.simulator.scenario.Scenarios;

/** Scenarios for tests: two replicas of an 8B model behind a gateway, on one host. */
final class SmallFleet {
  static final long START_MS = 1_790_000_000_000L;
  static final long SECOND = 1_000_000_000;
  private static final Scenarios SCENARIOS = Scenarios.builtIn();

  private SmallFleet() {}

  /**
   * @param flags more of the replicas, such as {@code kv_blocks: 900}
   * @param workload more keys of the workload
   */
  static Scenario scenario(String flags, String workload) {
    return scenario("  gateway: {name: edge, routing: round_robin}\n", flags, workload);
  }

  /** Clients ask the replicas themselves. */
  static Scenario withoutGateway() {
    return scenario("", "", "");
  }

  private static Scenario scenario(String gateway, String flags, String workload) {
    return SCENARIOS.read(
        "small",
        """
        title: Small
        duration: 2m
        fleet:
        %s  replicas:
            - name: llama
              count: 2
              release: 0.15.0
              model: llama-3.1-8b
              gpu: L40S
              host: node-1
              start: 20s
              flags: {max_model_len: 8192, %s}
        workloads:
          - name: chat
            arrivals: {law: poisson, rate: 4}
            prompt: {law: lognormal, median: 200, p95: 900, max: 4000}
            output: {law: lognormal, median: 60, p95: 200, max: 500}
            prefixes: {root: 300, branches: 5, branch_tokens: 200, skew: 1}
        %struth: {cause: healthy, layer: none, says: All is well.}
        """
            .formatted(gateway, flags, indented(workload, 4)));
  }

  private static String indented(String lines, int by) {
    return lines.isEmpty() ? "" : lines.stripTrailing().indent(by);
  }

  /** Flags as scenarios write them. */
  static Flags flags(String flags) {
    return scenario(flags, "").fleet().replicas().getFirst().flags();
  }

  static Fleet fleet(long seed) {
    return Fleet.of(scenario("", ""), seed, START_MS);
  }

  static Target replica(String name) {
    return new Target(name, null, null, null, null);
  }

  static Target endpoint(String job) {
    return new Target(null, null, null, null, job);
  }
}
