package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.hardware.Models;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.GpuEvent;
import org.inferometer.signals.GpuSnapshot;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.Signal;
import org.inferometer.signals.Signals;
import org.inferometer.signals.TargetHistory;
import org.jspecify.annotations.Nullable;

/**
 * Makes a world of what signals say, so that it is the same on every source of series. Asks for
 * everything in a few batches. Not thread-safe.
 */
public final class WorldBuilder {
  /** The dialects whose metrics are written by clients, about servers that they asked. */
  private static final Set<String> CLIENT_DIALECTS = Set.of("gen-ai");

  /** How exactly restarts and the like are told, and in short windows by parts of them. */
  private static final long HISTORY_STEP_MS_MAX = 30_000;

  private static final int HISTORY_STEPS_IN_WINDOW = 10;

  /** Of long histories at most so many moments are looked at. */
  private static final long HISTORY_POINTS = 5_000;

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
    GpuSnapshot gpuSnapshot = signals.gpus();
    List<Gpu> gpus = gpuSnapshot.gpus();
    List<GpuEvent> gpuEvents = gpuSnapshot.events();
    Map<String, Set<String>> modelsBehind = signals.modelsBehind();
    Map<String, Signal> vocabulary = Measured.byName(signals.vocabulary());
    SignalReader reader = new SignalReader(signals, vocabulary);
    long interval = signals.scrapeIntervalMs();
    Timelines timelines = reader.timelines(all, scope, interval);
    long widest = scope.historyMs() / HISTORY_POINTS;
    long exact = Math.min(HISTORY_STEP_MS_MAX, scope.window().lengthMs() / HISTORY_STEPS_IN_WINDOW);
    long step = Math.max(Math.max(exact, interval), widest);
    List<TargetHistory> targets =
        signals.targets(scope.window().endMs() - scope.historyMs(), scope.window().endMs(), step);
    BasisReader basisReader = new BasisReader(reader, timelines, thresholds);
    Map<Stretches, List<Part>> parts = new LinkedHashMap<>();
    for (Service service : all) {
      if (service.kind() == ServiceKind.ENGINE) {
        Surroundings around = Surroundings.of(service, all, gpus, modelsBehind);
        Basis basis =
            basisReader.read(around, scope, interval, restarts(around.service(), targets));
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
      List<Period> periods = new ArrayList<>(List.of(some.getKey().judged()));
      if (base != null) {
        periods.add(base);
      }
      List<Moments> moments = reader.moments(asked, periods, timelines);
      Moments window = moments.getFirst();
      Moments baseline = base == null ? Moments.NONE : moments.getLast();
      for (Part part : some.getValue()) {
        Measured measured = new Measured(part.basis(), timelines, window, baseline, vocabulary);
        services.add(service(part, measured, scope, new Told(targets, gpuEvents, interval)));
      }
    }
    services.sort(Comparator.comparing(one -> one.service().id()));
    return new World(scope.window(), services, List.of());
  }

  /** What is asked for at once. */
  private record Stretches(Period judged, @Nullable Period baseline) {}

  /** A service with what it is measured over. */
  private record Part(Surroundings around, Basis basis) {}

  /** What is told beside signals. */
  private record Told(List<TargetHistory> targets, List<GpuEvent> gpuEvents, long intervalMs) {
    List<TargetHistory> of(Service service) {
      return targets.stream().filter(one -> one.service().equals(service.id())).toList();
    }
  }

  private static List<Long> restarts(Service service, List<TargetHistory> targets) {
    List<TargetHistory> own =
        targets.stream().filter(one -> one.service().equals(service.id())).toList();
    return HappeningReader.read(own, targets).stream()
        .filter(one -> one.kind() == Happening.Kind.RESTART)
        .map(Happening::timeMs)
        .toList();
  }

  private ServiceWorld service(Part part, Measured measured, Scope scope, Told told) {
    Surroundings around = part.around();
    Service service = around.service();
    Thresholds own = thresholds.of(service.id(), service.model());
    Basis basis = part.basis();
    TelemetryReader telemetry = new TelemetryReader(own, basis, told.intervalMs());
    List<HostWorld> hosts = new ArrayList<>();
    Map<String, Set<String>> hostNames = new LinkedHashMap<>();
    for (Service host : around.hosts()) {
      hosts.add(new HostWorld(host.id(), host.name(), measured.whole(host)));
      hostNames.put(host.id(), names(host));
    }
    List<GpuWorld> gpus = new ArrayList<>();
    for (Gpu gpu : around.gpus()) {
      List<GpuEvent> events = events(gpu, told.gpuEvents(), basis);
      gpus.add(telemetry.profiling(GpuWorld.of(gpu, measured.gpu(gpu), events)));
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
    List<TargetHistory> histories = told.of(service);
    List<ReplicaWorld> replicas = new ArrayList<>();
    for (Service.Replica replica : service.replicas()) {
      TargetHistory history = history(histories, replica);
      replicas.add(
          new ReplicaWorld(
              replica.instance(),
              replica.job(),
              emptyToNull(replica.labels().get("pod")),
              history == null ? Double.NaN : HappeningReader.upShare(history, basis.judged()),
              measured.replica(service, replica),
              gpus.stream()
                  .filter(g -> replica.instance().equals(g.gpu().engineInstance()))
                  .toList(),
              hostOf(replica, hosts, hostNames),
              history == null ? Map.of() : history.now()));
    }
    List<ReplicaWorld> trusted =
        replicas.stream().map(one -> telemetry.frozen(one, edges, replicas.size())).toList();
    boolean isAllFrozen = !trusted.isEmpty();
    for (int i = 0; i < trusted.size(); i++) {
      isAllFrozen &= !trusted.get(i).equals(replicas.get(i));
    }
    Readings measuredWhole = measured.whole(service);
    Readings whole =
        isAllFrozen
            ? TelemetryReader.without(
                measuredWhole,
                measuredWhole.all().stream().map(Reading::signal).collect(Collectors.toSet()),
                "All replicas answer scrapes with an old page.")
            : measuredWhole;
    List<TargetHistory> targets = new ArrayList<>(histories);
    around.exporters().forEach(one -> targets.addAll(told.of(one)));
    around.hosts().forEach(one -> targets.addAll(told.of(one)));
    around.edges().forEach(one -> targets.addAll(told.of(one)));
    telemetry.targets(targets);
    telemetry.vanished(histories, replicas);
    telemetry.limits(whole);
    telemetry.missed(targets);
    telemetry.layers(gpus, hosts, edges);
    Period base = basis.baseline();
    long from = base == null ? scope.window().startMs() : base.startMs();
    Period reach = new Period(Math.min(from, scope.window().startMs()), scope.window().endMs());
    return new ServiceWorld(
        service,
        scope.window(),
        base,
        whole,
        trusted,
        gpus,
        hosts,
        edges,
        HappeningReader.read(histories, told.targets()),
        new ChangeFinder(own, reach).find(whole, trusted, gpus, hosts, edges),
        telemetry.problems(),
        service.model() == null ? null : Models.builtIn().find(service.model()),
        new SymptomReader(own, basis.judged().lengthMs(), base).read(whole, edges),
        basis);
  }

  private static @Nullable TargetHistory history(
      List<TargetHistory> histories, Service.Replica replica) {
    return histories.stream()
        .filter(one -> one.instance().equals(replica.instance()) && one.job().equals(replica.job()))
        .findFirst()
        .orElse(null);
  }

  /** What happened to a GPU since the baseline began, oldest first. */
  private static List<GpuEvent> events(Gpu gpu, List<GpuEvent> all, Basis basis) {
    Period base = basis.baseline();
    long from = base == null ? basis.judged().startMs() : base.startMs();
    return all.stream()
        .filter(event -> event.service().equals(gpu.service()) && event.timeMs() > from)
        .filter(
            event ->
                (gpu.uuid() == null || event.uuid() == null)
                    ? event.gpu().equals(gpu.index())
                    : event.uuid().equals(gpu.uuid()))
        .sorted(Comparator.comparingLong(GpuEvent::timeMs))
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
