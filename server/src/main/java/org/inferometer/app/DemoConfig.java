package org.inferometer.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.simulator.scenario.Scenario;

/**
 * The config file of a demonstration, as somebody could have written it: what is scraped, which
 * goals its models have, and what they run on.
 */
final class DemoConfig {
  /** A tick, so that one sees things unfold. */
  static final long INTERVAL_MS = 1_000;

  /** As one sees things unfold, their cause should be told soon. */
  private static final String LOOK_INTERVAL = "5s";

  /** Short, so that what is undone is soon forgotten. */
  private static final String LOOK_WINDOW = "90s";

  /**
   * None for latencies: what a goal allows is no trouble, and this fleet has so much to spare that
   * most faults would stay within it. Without one, what users feel is compared with before.
   */
  private static final String GOALS = "{success: 0.99}";

  /** Dollars for an H100 and an hour, about what clouds asked in 2025. */
  private static final String GPU_HOUR_COST = "3";

  /**
   * Something that is scraped.
   *
   * @param address where it really listens
   * @param instance what it is called
   * @param labels what service discovery would tell of it
   */
  record Endpoint(
      String job, String path, String address, String instance, Map<String, String> labels) {}

  private final StringBuilder text = new StringBuilder();

  private DemoConfig() {}

  /**
   * @param endpoints none while the history is made
   */
  static String of(Scenario scenario, List<Endpoint> endpoints) {
    DemoConfig config = new DemoConfig();
    config.line(
        "# Written by `inferometer demo`. With the addresses of your own servers it is a start.");
    config.line("global: {scrape_interval: 1s, scrape_timeout: 1s}");
    config.jobs(endpoints);
    config.own(scenario);
    return config.text.toString();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void jobs(List<Endpoint> endpoints) {
    Map<String, List<Endpoint>> jobs = new LinkedHashMap<>();
    for (Endpoint endpoint : endpoints) {
      jobs.computeIfAbsent(endpoint.job(), _ -> new ArrayList<>()).add(endpoint);
    }
    if (!jobs.isEmpty()) {
      line("scrape_configs:");
    }
    jobs.forEach(
        (job, targets) -> {
          line("  - job_name: " + job);
          line("    metrics_path: " + targets.getFirst().path());
          line("    static_configs:");
          for (Endpoint target : targets) {
            line("      - targets: [\"" + target.address() + "\"]");
            line("        labels: {" + labels(target) + "}");
          }
        });
  }

  private static String labels(Endpoint target) {
    StringBuilder labels = new StringBuilder("instance: \"" + target.instance() + "\"");
    target.labels().forEach((name, value) -> labels.append(", " + name + ": \"" + value + "\""));
    return labels.toString();
  }

  private void own(Scenario scenario) {
    Map<String, String> gpus = new TreeMap<>();
    scenario.fleet().replicas().forEach(group -> gpus.put(group.servedName(), group.gpu()));
    line("inferometer:");
    line("  diagnosis: {interval: " + LOOK_INTERVAL + ", window: " + LOOK_WINDOW + "}");
    line("  slos:");
    gpus.keySet().forEach(model -> line("    \"" + model + "\": " + GOALS));
    line("  deployments:");
    gpus.forEach(
        (model, gpu) ->
            line(
                "    \"%s\": {gpu_type: \"%s\", gpu_hour_cost: %s}"
                    .formatted(model, gpu, GPU_HOUR_COST)));
  }
}
