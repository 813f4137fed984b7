package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.Models;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Makes a world of what signals say, so that it is the same on every source of series. Asks for
 * everything in a few batches. Not thread-safe.
 */
public final class WorldBuilder {
  /** The dialects whose metrics are written by clients, about servers that they asked. */
  private static final Set<String> CLIENT_DIALECTS = Set.of("gen-ai");

  private final Signals signals;
  private final ThresholdSource thresholds;

  public WorldBuilder(Signals signals, ThresholdSource thresholds) {
    this.signals = signals;
    this.thresholds = thresholds;
  }

  /**
   * What is asked for.
   *
   * @param baseline null for one that is found
   * @param historyMs how far back from the window's end one looks
   */
  public record Scope(Period window, @Nullable Period baseline, long historyMs) {}

  /**
   * The world of a window.
   *
   * @throws QueryException if the source of the series can't answer
   */
  public World build(Scope scope) throws QueryException {
    List<Service> all = signals.services().services();
    List<Gpu> gpus = signals.gpus().gpus();
    Period baseline = scope.baseline() == null ? before(scope.window()) : scope.baseline();
    Measured measured = new SignalReader(signals).read(all, scope, baseline);
    List<ServiceWorld> services = new ArrayList<>();
    for (Service service : all) {
      if (service.kind() == ServiceKind.ENGINE) {
        services.add(service(service, all, gpus, measured, scope, baseline));
      }
    }
    return new World(scope.window(), services, List.of());
  }

  private static Period before(Period window) {
    return new Period(window.startMs() - window.lengthMs(), window.startMs());
  }

  private ServiceWorld service(
      Service service,
      List<Service> all,
      List<Gpu> gpus,
      Measured measured,
      Scope scope,
      Period baseline) {
    Set<String> related = new HashSet<>();
    service.related().forEach(one -> related.add(one.id()));
    List<HostWorld> hosts = new ArrayList<>();
    Map<String, Set<String>> hostNames = new LinkedHashMap<>();
    for (Service other : all) {
      if (other.kind() == ServiceKind.HOST && related.contains(other.id())) {
        hosts.add(new HostWorld(other.id(), other.name(), measured.whole(other)));
        hostNames.put(other.id(), names(other));
      }
    }
    List<GpuWorld> gpuWorlds = new ArrayList<>();
    for (Gpu gpu : gpus) {
      boolean others = gpu.engine() != null && !gpu.engine().equals(service.id());
      if (related.contains(gpu.service()) && !others) {
        Hardware.Gpu spec = gpu.model() == null ? null : Hardware.builtIn().find(gpu.model());
        gpuWorlds.add(new GpuWorld(gpu, measured.gpu(gpu), List.of(), spec));
      }
    }
    List<EdgeWorld> edges = new ArrayList<>();
    for (Service other : all) {
      if (other.kind() == ServiceKind.ROUTER) {
        EdgeWorld.Vantage vantage =
            CLIENT_DIALECTS.contains(other.engine().id())
                ? EdgeWorld.Vantage.CLIENT
                : EdgeWorld.Vantage.GATEWAY;
        edges.add(
            new EdgeWorld(
                other.id(),
                other.name(),
                vantage,
                measured.whole(other),
                otherEngines(service, all, measured)));
      }
    }
    Readings whole = measured.whole(service);
    List<ReplicaWorld> replicas = new ArrayList<>();
    for (Service.Replica replica : service.replicas()) {
      replicas.add(
          new ReplicaWorld(
              replica.instance(),
              replica.job(),
              emptyToNull(replica.labels().get("pod")),
              Double.NaN,
              measured.replica(service, replica),
              gpuWorlds.stream()
                  .filter(g -> replica.instance().equals(g.gpu().engineInstance()))
                  .toList(),
              hostOf(replica, hosts, hostNames)));
    }
    return new ServiceWorld(
        service,
        scope.window(),
        baseline,
        whole,
        replicas,
        gpuWorlds,
        hosts,
        edges,
        List.of(),
        List.of(),
        List.of(),
        service.model() == null ? null : Models.builtIn().find(service.model()),
        new SymptomReader(thresholds.of(service.id(), service.model())).read(whole, edges));
  }

  private static List<Readings> otherEngines(
      Service service, List<Service> all, Measured measured) {
    return all.stream()
        .filter(s -> s.kind() == ServiceKind.ENGINE && !s.id().equals(service.id()))
        .map(measured::whole)
        .toList();
  }

  private static @Nullable HostWorld hostOf(
      Service.Replica replica, List<HostWorld> hosts, Map<String, Set<String>> hostNames) {
    Set<String> own = names(replica.labels());
    for (HostWorld host : hosts) {
      if (hostNames.getOrDefault(host.id(), Set.of()).stream().anyMatch(own::contains)) {
        return host;
      }
    }
    return null;
  }

  private static Set<String> names(Service host) {
    Set<String> names = new LinkedHashSet<>(List.of(host.name()));
    host.replicas().forEach(replica -> names.addAll(names(replica.labels())));
    return names;
  }

  /** The machine's names that a target's labels tell. */
  private static Set<String> names(Labels labels) {
    Set<String> names = new LinkedHashSet<>();
    String instance = labels.get("instance");
    int colon = instance.lastIndexOf(':');
    names.add(colon > instance.lastIndexOf(']') ? instance.substring(0, colon) : instance);
    for (String label : List.of("node", "nodename", "hostname", "Hostname")) {
      names.add(labels.get(label));
    }
    names.remove("");
    return names;
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
