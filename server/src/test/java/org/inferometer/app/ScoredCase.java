package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.inferometer.model.Version;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Replicas;
import org.inferometer.simulator.scenario.Scenario.Workload;
import org.jspecify.annotations.Nullable;

/**
 * A scenario as it is simulated for the score: with a seed, a load, hardware, and what is scraped
 * of it.
 *
 * @param variant what makes it differ from the scenario as it stands, in a word
 * @param load times the arrivals that the scenario has
 * @param gpu the GPUs that take the place of the scenario's, or null
 * @param release that vLLM's replicas get, or null
 * @param without jobs that aren't scraped: gpu, host, gateway, client
 * @param missed share of scrapes that fail
 */
record ScoredCase(
    Scenario scenario,
    String variant,
    long seed,
    long intervalMs,
    double load,
    @Nullable String gpu,
    @Nullable String release,
    Set<String> without,
    double missed) {
  /** As it stands. */
  static ScoredCase of(Scenario scenario, long seed, long intervalMs) {
    return new ScoredCase(scenario, "as it stands", seed, intervalMs, 1, null, null, Set.of(), 0);
  }

  ScoredCase called(String name) {
    return new ScoredCase(scenario, name, seed, intervalMs, load, gpu, release, without, missed);
  }

  ScoredCase loaded(double factor) {
    return new ScoredCase(
        scenario, variant, seed, intervalMs, factor, gpu, release, without, missed);
  }

  ScoredCase on(String otherGpu) {
    return new ScoredCase(
        scenario, variant, seed, intervalMs, load, otherGpu, release, without, missed);
  }

  ScoredCase released(String other) {
    return new ScoredCase(scenario, variant, seed, intervalMs, load, gpu, other, without, missed);
  }

  ScoredCase without(Set<String> jobs) {
    return new ScoredCase(scenario, variant, seed, intervalMs, load, gpu, release, jobs, missed);
  }

  ScoredCase missing(double share) {
    return new ScoredCase(scenario, variant, seed, intervalMs, load, gpu, release, without, share);
  }

  /** The scenario with its load and hardware changed. */
  Scenario changed() {
    List<Replicas> replicas = new ArrayList<>();
    for (Replicas one : scenario.fleet().replicas()) {
      replicas.add(changed(one));
    }
    List<Workload> workloads = new ArrayList<>();
    for (Workload one : scenario.workloads()) {
      workloads.add(changed(one));
    }
    return new Scenario(
        scenario.name(),
        scenario.title(),
        scenario.durationNs(),
        new Scenario.Fleet(replicas, scenario.fleet().gateway(), scenario.fleet().hosts()),
        workloads,
        scenario.events(),
        scenario.truth());
  }

  private Replicas changed(Replicas one) {
    boolean isVllm = one.engine() == Scenario.EngineKind.VLLM;
    return new Replicas(
        one.name(),
        one.count(),
        one.engine(),
        release != null && isVllm ? Version.parse(release) : one.release(),
        one.frontend(),
        one.apiServers(),
        one.model(),
        one.servedName(),
        gpu == null ? one.gpu() : gpu,
        one.tensorParallel(),
        one.dataParallel(),
        one.role(),
        one.host(),
        one.startNs(),
        one.flags());
  }

  private Workload changed(Workload one) {
    return new Workload(
        one.name(),
        changed(one.arrivals()),
        one.prompt(),
        one.output(),
        one.maxTokens(),
        one.prefixes(),
        one.sessions(),
        one.adapters(),
        one.cancelShare(),
        one.cancelAfterSeconds(),
        one.timeoutNs(),
        one.temperature(),
        one.penaltiesShare(),
        one.preprocessNs(),
        one.priority(),
        one.streamingShare());
  }

  private Arrivals changed(Arrivals arrivals) {
    return switch (arrivals) {
      case Arrivals.Constant one -> new Arrivals.Constant(one.rate() * load);
      case Arrivals.Poisson one -> new Arrivals.Poisson(one.rate() * load);
      case Arrivals.Bursty one -> new Arrivals.Bursty(one.rate() * load, one.variation());
      case Arrivals.Diurnal one ->
          new Arrivals.Diurnal(one.rate() * load, one.amplitude(), one.periodNs(), one.peakNs());
      case Arrivals.Trace one -> one;
      case Arrivals.Closed one ->
          new Arrivals.Closed(
              (int) Math.max(1, Math.round(one.users() * load)), one.thinkSeconds());
    };
  }
}
