package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.simulator.edge.FrontEnd;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.gpu.GpuDevice;
import org.inferometer.simulator.host.Host;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.Distribution;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.measure.HostQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Quantity;
import org.inferometer.simulator.measure.Quantity.Kind;
import org.inferometer.simulator.measure.ServerQuantity;
import org.inferometer.simulator.workload.Clients;

/**
 * Runs a scenario and tallies what all its parts measure in stretches of it: names are {@code
 * engine.ttft}, {@code gpu.sm_clock}, {@code client.ended.timeout}.
 */
final class Watch {
  private static final long TICK = 5 * Bounds.SECOND;

  private final Fleet fleet;
  private final Map<Object, Map<String, Double>> before = new HashMap<>();
  private final Map<Distribution, double[]> spreads = new HashMap<>();

  /** A stretch of a run, in nanoseconds since its beginning. */
  record Stretch(long fromNs, long toNs) {}

  private Watch(Scenario scenario, long seed) {
    fleet = Fleet.of(scenario, seed, 1_760_000_000_000L);
  }

  /** Runs until the last stretch ends, one after the other; a tally for each. */
  static List<Tally> run(Scenario scenario, long seed, List<Stretch> stretches) {
    Watch watch = new Watch(scenario, seed);
    List<Tally> tallies = new ArrayList<>();
    for (Stretch stretch : stretches) {
      watch.fleet.runUntil(stretch.fromNs());
      watch.tick(new Tally());
      Tally tally = new Tally();
      while (watch.fleet.now() < stretch.toNs()) {
        watch.fleet.runUntil(Math.min(stretch.toNs(), watch.fleet.now() + TICK));
        watch.tick(tally);
      }
      tallies.add(tally);
    }
    return tallies;
  }

  private void tick(Tally tally) {
    for (Replica replica : fleet.replicas()) {
      tick(tally, replica);
    }
    for (Host host : fleet.hosts()) {
      read(tally, host.name(), "host", HostQuantity.values(), host.measures());
    }
    for (Clients clients : fleet.clients()) {
      read(tally, clients.name(), "client", ClientQuantity.values(), clients.measures());
    }
    if (fleet.gateway() != null) {
      read(tally, "", "gateway", GatewayQuantity.values(), fleet.gateway().measures());
    }
  }

  private void tick(Tally tally, Replica replica) {
    String name = replica.name();
    tally.gauge(name, "up", replica.isUp() ? 1 : 0);
    for (Engine engine : replica.engines()) {
      read(tally, name, "engine", EngineQuantity.values(), engine.measures());
    }
    FrontEnd frontEnd = replica.frontEnd();
    if (frontEnd != null) {
      for (Measures process : frontEnd.processes()) {
        read(tally, name, "server", ServerQuantity.values(), process);
      }
    }
    for (int i = 0; i < replica.gpus().size(); i++) {
      GpuDevice gpu = replica.gpus().get(i);
      String part = name + "/gpu" + i;
      tally.gauge(part, "gpu.lost", gpu.isLost() ? 1 : 0);
      Measures measures = gpu.measures();
      read(tally, part, "gpu", GpuQuantity.values(), measures);
      int reasons = (int) measures.value(GpuQuantity.CLOCK_EVENT_REASONS);
      tally.gauge(part, "gpu.power_capped", (reasons & 0x4) == 0 ? 0 : 1);
      tally.gauge(part, "gpu.hot", (reasons & 0x60) == 0 ? 0 : 1);
    }
  }

  private void read(Tally tally, String part, String of, Quantity[] quantities, Measures measures) {
    for (Quantity quantity : quantities) {
      String what = of + "." + quantity.name().toLowerCase(Locale.ROOT);
      Kind kind = quantity.kind();
      if (kind == Kind.COUNTER) {
        count(tally, part, what, measures, measures.value(quantity));
      } else if (kind == Kind.GAUGE) {
        tally.gauge(part, what, measures.value(quantity));
      } else if (kind == Kind.COUNTERS) {
        measures
            .labelled(quantity)
            .forEach(
                (label, value) ->
                    count(tally, part, what + "." + label.replace('\n', '.'), measures, value[0]));
      } else if (kind == Kind.DISTRIBUTION) {
        spread(tally, part, what, measures.distribution(quantity));
      }
    }
  }

  private void count(Tally tally, String part, String what, Object of, double now) {
    Double was = before.computeIfAbsent(of, key -> new HashMap<>()).put(what, now);
    tally.count(part, what, now - (was == null ? 0 : was));
  }

  private void spread(Tally tally, String part, String what, Distribution now) {
    double[] counts = Tally.counts(now);
    double[] was = spreads.put(now, counts);
    tally.spread(part, what, now, counts, was == null ? new double[counts.length] : was);
  }
}
