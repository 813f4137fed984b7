package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.diagnosis.cause.HardwareGpus.Clock;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/** GPUs are too hot and lower their clocks. A warm GPU that keeps its clock is well. */
public final class ThermalThrottle implements Check {
  @Override
  public String cause() {
    return "thermal-throttle";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Clock> clocks = HardwareThrottle.clocks(service, thresholds);
    if (clocks.isEmpty()) {
      return List.of(HardwareThrottle.unknown(cause(), service));
    }
    List<Clock> hot = new ArrayList<>();
    for (Clock clock : clocks) {
      if (heat(service, clock.gpu(), thresholds) != null) {
        hot.add(clock);
      }
    }
    if (hot.isEmpty()) {
      return List.of(cool(service, clocks));
    }
    return List.of(examine(service, thresholds, hot));
  }

  private Outcome cool(ServiceWorld service, List<Clock> clocks) {
    double hottest =
        clocks.stream()
            .mapToDouble(c -> HardwareTime.recent(service, c.gpu().get("gpu_temperature")))
            .max()
            .orElse(Double.NaN);
    String because =
        "No busy GPU is slowed down by heat; the hottest has %s."
            .formatted(Phrases.value("celsius", hottest));
    return new Outcome.RuledOut(cause(), because, List.of());
  }

  private Outcome examine(ServiceWorld service, Thresholds thresholds, List<Clock> hot) {
    Clock lowest = hot.stream().min(Comparator.comparingDouble(Clock::ratio)).orElseThrow();
    double low = thresholds.get("throttle_clock_ratio");
    GpuWorld gpu = lowest.gpu();
    Argument argument = new Argument(cause());
    HardwareThrottle.clock(argument, lowest, thresholds);
    if (argument.isOver()) {
      return argument.over();
    }
    argument.supports(Strength.DECISIVE, heatOf(service, gpu, thresholds));
    temperature(argument, service, gpu, thresholds);
    @Nullable ReplicaWorld replica = HardwareGpus.replica(service, gpu);
    HardwareThrottle.Slowdown slowdown =
        HardwareThrottle.slowdown(service, replica, lowest, thresholds);
    HardwareThrottle.effect(argument, slowdown, thresholds);
    List<GpuWorld> gpus = hot.stream().filter(c -> c.ratio() <= low).map(Clock::gpu).toList();
    return argument.conclude(
        service,
        HardwareGpus.instance(service, gpus),
        gpus.size() == 1 ? gpu.name() : null,
        HardwareThrottle.effect(service, replica, slowdown, lowest),
        "Heat holds %s down to %s of the clock %s, at %s."
            .formatted(
                HardwareGpus.count(service, gpus),
                Phrases.value("ratio", lowest.ratio()),
                lowest.against().words(),
                Phrases.value("celsius", HardwareTime.recent(service, gpu.get("gpu_temperature")))),
        HardwareTime.since(
            service, gpu.get("gpu_sm_clock"), value -> value < low * lowest.reference()));
  }

  private static Evidence heatOf(ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    Evidence heat = heat(service, gpu, thresholds);
    if (heat == null) {
      throw new IllegalStateException("expected a GPU that is slowed down by heat");
    }
    return heat;
  }

  /** What says that heat holds the clocks down; null if nothing does. */
  private static @Nullable Evidence heat(
      ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    double bits = HardwareThrottle.hotShare(service, gpu);
    double bitsMin = thresholds.get("thermal_share");
    if (bits >= bitsMin) {
      String says =
          "The driver gives heat as the reason for low clocks, %s of the time."
              .formatted(Phrases.value("ratio", bits));
      Reading mask = gpu.get("gpu_clock_event_reasons");
      return Evidence.of(mask, bitsMin, says).at(gpu.name());
    }
    Reading violation = gpu.get("gpu_thermal_violation_share");
    double share = HardwareTime.recent(service, violation);
    if (share >= bitsMin) {
      String says = "Heat held its clock down %s of the time.".formatted(percent(share));
      return Evidence.of(violation, bitsMin, says).at(gpu.name());
    }
    Reading margin = gpu.get("gpu_temperature_margin");
    double degrees = HardwareTime.recent(service, margin);
    double least = thresholds.get("thermal_margin");
    if (degrees <= least) {
      String says =
          "It is %s from where it slows down.".formatted(Phrases.value("celsius", degrees));
      return Evidence.of(margin, least, says).at(gpu.name());
    }
    return null;
  }

  private static String percent(double share) {
    return Phrases.value("ratio", share);
  }

  private static void temperature(
      Argument argument, ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    Reading reading = gpu.get("gpu_temperature");
    double now = HardwareTime.recent(service, reading);
    double peers =
        HardwareGpus.median(service, HardwareGpus.peers(service, gpu), "gpu_temperature");
    double usual = Double.isNaN(peers) ? reading.baseline() : peers;
    if (now >= usual + thresholds.get("thermal_rise")) {
      String says =
          "It has %s; %s %s."
              .formatted(
                  Phrases.value("celsius", now),
                  Double.isNaN(peers) ? "before it had" : "its peers have",
                  Phrases.value("celsius", usual));
      argument.supports(Strength.MODERATE, Evidence.of(reading, null, says).at(gpu.name()));
    }
  }
}
