package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.inferometer.simulator.scenario.Watch.Stretch;

/** Prints what scenarios do before and after their start, for those who write them. */
public final class Probe {
  private static final List<String> SHOWN =
      List.of(
          "client.ttft",
          "client.e2e",
          "client.in_flight",
          "gateway.in_flight",
          "gateway.waiting_for_connection",
          "engine.running",
          "engine.waiting",
          "engine.waiting_deferred",
          "engine.kv_usage",
          "engine.kv_usage_max",
          "engine.preemptions",
          "engine.prefix_hit_tokens:engine.prefix_query_tokens",
          "engine.ttft",
          "engine.ttft_p95",
          "engine.ttft_p99",
          "engine.queue",
          "engine.tpot",
          "engine.itl_p99",
          "engine.itl_max",
          "engine.e2e",
          "engine.request_generation_tokens",
          "engine.spec_accepted_tokens:engine.spec_draft_tokens",
          "engine.adapter_loads",
          "engine.kv_transfer_seconds",
          "engine.prefill_tokens_computed",
          "engine.generation_tokens",
          "gpu.sm_clock",
          "gpu.power",
          "gpu.temperature_max",
          "gpu.tensor_active",
          "gpu.dram_active",
          "gpu.kernel_time",
          "gpu.power_capped",
          "gpu.hot",
          "server.requests_here",
          "server.cpu_seconds",
          "server.resident_bytes_last",
          "host.pressure_cpu",
          "up",
          "gpu.lost");

  private Probe() {}

  public static void main(String[] names) {
    Scenarios all = Scenarios.builtIn();
    for (String name : names.length == 0 ? all.names().toArray(new String[0]) : names) {
      try {
        print(all.get(name));
      } catch (RuntimeException e) {
        System.out.println("## " + name + ": FAILED " + e);
        e.printStackTrace(System.out);
      }
    }
  }

  private static void print(Scenario scenario) {
    long t = System.nanoTime();
    long start = scenario.truth().startNs();
    if (start == 0) {
      start = scenario.durationNs() / 2;
    }
    List<Stretch> stretches = new ArrayList<>();
    stretches.add(new Stretch(3 * Bounds.MINUTE, start - 5 * Bounds.SECOND));
    stretches.add(
        new Stretch(
            start + 2 * Bounds.MINUTE, Math.min(start + 8 * Bounds.MINUTE, scenario.durationNs())));
    List<Tally> tallies = Watch.run(scenario, 1, stretches);
    System.out.printf(
        Locale.ROOT,
        "## %s (%s) %.1f s%n",
        scenario.name(),
        scenario.truth().cause(),
        (System.nanoTime() - t) / 1e9);
    List<String> shown = new ArrayList<>(SHOWN);
    TreeSet<String> labelled = new TreeSet<>();
    tallies.forEach(tally -> labelled.addAll(tally.labelled()));
    shown.addAll(labelled);
    for (String what : shown) {
      StringBuilder line = new StringBuilder();
      boolean isAny = false;
      for (Tally tally : tallies) {
        double v = tally.value("", what);
        isAny |= v != 0 && !Double.isNaN(v);
        line.append(String.format(Locale.ROOT, "%14s", number(v)));
      }
      if (isAny) {
        System.out.printf(Locale.ROOT, "  %-50s%s%n", what, line);
      }
    }
  }

  private static String number(double v) {
    return String.format(Locale.ROOT, Math.abs(v) >= 1000 ? "%.0f" : "%.4g", v);
  }
}
