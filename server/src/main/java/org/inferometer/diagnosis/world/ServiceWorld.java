package org.inferometer.diagnosis.world;

import java.util.List;
import org.inferometer.hardware.ModelShape;
import org.inferometer.signals.Service;
import org.jspecify.annotations.Nullable;

/**
 * An engine service with all that serves it and stands before it.
 *
 * @param window that was asked for
 * @param readings of the service as a whole
 * @param gpus all that are related to it, those of its replicas included
 * @param hosts all that are related to it
 * @param edges gateways and clients before it
 * @param happenings oldest first
 * @param changes the signals that moved, who moved first in front
 * @param shape what the model asks of hardware, null if it isn't known
 * @param telemetry what of it can't be trusted
 * @param basis which part of the window values are of, and why this baseline
 */
public record ServiceWorld(
    Service service,
    Period window,
    @Nullable Period baseline,
    Readings readings,
    List<ReplicaWorld> replicas,
    List<GpuWorld> gpus,
    List<HostWorld> hosts,
    List<EdgeWorld> edges,
    List<Happening> happenings,
    List<ChangePoint> changes,
    List<TelemetryProblem> telemetry,
    @Nullable ModelShape shape,
    Symptoms symptoms,
    Basis basis) {
  /** A world whose whole window is judged. */
  public ServiceWorld(
      Service service,
      Period window,
      @Nullable Period baseline,
      Readings readings,
      List<ReplicaWorld> replicas,
      List<GpuWorld> gpus,
      List<HostWorld> hosts,
      List<EdgeWorld> edges,
      List<Happening> happenings,
      List<ChangePoint> changes,
      List<TelemetryProblem> telemetry,
      @Nullable ModelShape shape,
      Symptoms symptoms) {
    this(
        service,
        window,
        baseline,
        readings,
        replicas,
        gpus,
        hosts,
        edges,
        happenings,
        changes,
        telemetry,
        shape,
        symptoms,
        Basis.of(window, baseline));
  }

  public ServiceWorld {
    replicas = List.copyOf(replicas);
    gpus = List.copyOf(gpus);
    hosts = List.copyOf(hosts);
    edges = List.copyOf(edges);
    happenings = List.copyOf(happenings);
    changes = List.copyOf(changes);
    telemetry = List.copyOf(telemetry);
  }

  public Reading get(String signal) {
    return readings.get(signal);
  }

  /** The gateways before it, without the clients. */
  public List<EdgeWorld> gateways() {
    return edges.stream().filter(e -> e.vantage() == EdgeWorld.Vantage.GATEWAY).toList();
  }

  /** What clients measured. */
  public List<EdgeWorld> clients() {
    return edges.stream().filter(e -> e.vantage() == EdgeWorld.Vantage.CLIENT).toList();
  }

  /** Replicas that began or ended within the window, so that requests went elsewhere. */
  public List<Happening> replicaChanges() {
    return happenings.stream()
        .filter(one -> one.isOfReplica() && one.timeMs() > window.startMs())
        .toList();
  }
}
