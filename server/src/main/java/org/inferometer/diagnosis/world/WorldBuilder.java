package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Comparator;
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
import org.inferometer.signals.Signal;
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
    Map<String, Signal> vocabulary = Measured.byName(signals.vocabulary());
    SignalReader reader = new SignalReader(signals, vocabulary);
    long interval = signals.scrapeIntervalMs();
    Timelines timelines = reader.timelines(all, scope, interval);
    BasisReader basisReader = new BasisReader(reader, timelines, thresholds);
    Map<Stretches, List<Part>> parts = new LinkedHashMap<>();
    for (Service service : all) {
      if (service.kind() == ServiceKind.ENGINE) {
        Surroundings around = Surroundings.of(service, all, gpus);
        Basis basis = basisReader.read(around, scope, interval, List.of());
        parts
            .computeIfAbsent(
                new Stretches(basis.judged(), basis.baseline()), _ -> new ArrayList<>())
            .add(new Part(around, basis));
      }
    }
    List<ServiceWorld> services = new ArrayList<>();
    for (Map.Entry<Stretches, List<Part>> some : parts.entrySet()) {
      Set<Service> asked = new LinkedHashSet<>();
      some.getValue().forEach(part -> asked.addAll(part.around().all()));
      Period base = some.getKey().baseline();
      Moments window = reader.moments(asked, some.getKey().judged());
      Moments baseline = base == null ? Moments.NONE : reader.moments(asked, base);
      for (Part part : some.getValue()) {
        Measured measured = new Measured(part.basis(), timelines, window, baseline, vocabulary);
        services.add(service(part, measured, scope));
      }
    }
    services.sort(Comparator.comparing(one -> one.service().id()));
    return new World(scope.window(), services, List.of());
  }

  /** What is asked for at once. */
  private record Stretches(Period judged, @Nullable Period baseline) {}

  /** A service with what it is measured over. */
  private record Part(Surroundings around, Basis basis) {}

  private ServiceWorld service(Part part, Measured measured, Scope scope) {
    Surroundings around = part.around();
    Service service = around.service();
    List<HostWorld> hosts = new ArrayList<>();
    Map<String, Set<String>> hostNames = new LinkedHashMap<>();
    for (Service host : around.hosts()) {
      hosts.add(new HostWorld(host.id(), host.name(), measured.whole(host)));
      hostNames.put(host.id(), names(host));
    }
    List<GpuWorld> gpuWorlds = new ArrayList<>();
    for (Gpu gpu : around.gpus()) {
      Hardware.Gpu spec = gpu.model() == null ? null : Hardware.builtIn().find(gpu.model());
      gpuWorlds.add(new GpuWorld(gpu, measured.gpu(gpu), List.of(), spec));
    }
    List<EdgeWorld> edges = new ArrayList<>();
    for (Service edge : around.edges()) {
      EdgeWorld.Vantage vantage =
          CLIENT_DIALECTS.contains(edge.engine().id())
              ? EdgeWorld.Vantage.CLIENT
              : EdgeWorld.Vantage.GATEWAY;
      edges.add(
          new EdgeWorld(
              edge.id(),
              edge.name(),
              vantage,
              measured.whole(edge),
              around.others().stream().map(measured::whole).toList()));
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
        part.basis().baseline(),
        whole,
        replicas,
        gpuWorlds,
        hosts,
        edges,
        List.of(),
        List.of(),
        List.of(),
        service.model() == null ? null : Models.builtIn().find(service.model()),
        new SymptomReader(
                thresholds.of(service.id(), service.model()), part.basis().judged().lengthMs())
            .read(whole, edges),
        part.basis());
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
