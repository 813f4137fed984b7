package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.diagnosis.cause.HardwareGpus.Clock;
import org.inferometer.diagnosis.cause.HardwareGpus.Reference;
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
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * GPUs run at lower clocks because they may not draw more power, and what computes takes longer.
 * The flag alone is no cause: a GPU at full load touches its limit by right, and decoding that
 * waits for memory doesn't need the clock.
 */
public final class PowerThrottle implements Check {
  @Override
  public String cause() {
    return "power-throttle";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Clock> clocks = HardwareThrottle.clocks(service, thresholds);
    if (clocks.isEmpty()) {
      return List.of(HardwareThrottle.unknown(cause(), service));
    }
    List<Clock> capped = new ArrayList<>();
    for (Clock clock : clocks) {
      if (isCapped(service, clock.gpu(), thresholds)) {
        capped.add(clock);
      }
    }
    if (capped.isEmpty()) {
      String because = "No busy GPU is held down by its power limit or a power brake.";
      return List.of(new Outcome.RuledOut(cause(), because, List.of()));
    }
    return List.of(examine(service, thresholds, capped));
  }

  private Outcome examine(ServiceWorld service, Thresholds thresholds, List<Clock> capped) {
    Clock lowest = capped.stream().min(Comparator.comparingDouble(Clock::ratio)).orElseThrow();
    double low = thresholds.get("throttle_clock_ratio");
    List<GpuWorld> gpus = capped.stream().filter(c -> c.ratio() <= low).map(Clock::gpu).toList();
    Argument argument = new Argument(cause());
    HardwareThrottle.clock(argument, lowest, thresholds);
    if (argument.isOver()) {
      return argument.over();
    }
    GpuWorld gpu = lowest.gpu();
    reason(argument, service, gpu, thresholds);
    limit(argument, service, gpu, thresholds);
    @Nullable ReplicaWorld replica = HardwareGpus.replica(service, gpu);
    HardwareThrottle.Slowdown slowdown =
        HardwareThrottle.slowdown(service, replica, lowest, thresholds);
    effect(argument, service, slowdown, lowest, thresholds);
    return argument.conclude(
        service,
        HardwareGpus.instance(service, gpus),
        gpus.size() == 1 ? gpu.name() : null,
        HardwareThrottle.effect(service, replica, slowdown, lowest),
        says(service, gpus, lowest, slowdown),
        HardwareTime.since(
            service, gpu.get("gpu_sm_clock"), value -> value < low * lowest.reference()));
  }

  private static boolean isCapped(ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    Reading mask = gpu.get("gpu_clock_event_reasons");
    double share = thresholds.get("throttle_share");
    double violation = HardwareTime.recent(service, gpu.get("gpu_power_violation_share"));
    double power = HardwareTime.recent(service, gpu.get("gpu_power_share"));
    return bit(service, mask, HardwareGpus.POWER_CAP) >= share
        || isBraked(service, gpu, thresholds)
        || violation >= share
        || power >= thresholds.get("power_at_limit");
  }

  private static boolean isBraked(ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    Reading mask = gpu.get("gpu_clock_event_reasons");
    return bit(service, mask, HardwareGpus.POWER_BRAKE) >= thresholds.get("throttle_share");
  }

  private static double bit(ServiceWorld service, Reading mask, int bit) {
    return HardwareTime.bitShare(mask, HardwareTime.recent(service), bit);
  }

  private static void reason(
      Argument argument, ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    Reading mask = gpu.get("gpu_clock_event_reasons");
    if (isBraked(service, gpu, thresholds)) {
      String says = "The driver says: the power supply or the rack pulls the power brake.";
      argument.supports(Strength.DECISIVE, Evidence.of(mask, null, says).at(gpu.name()));
      return;
    }
    Reading power = gpu.get("gpu_power");
    if (power.isKnown()) {
      double watts = HardwareTime.recent(service, power);
      String says = "It draws " + Phrases.value("watts", watts) + ", which is all that it may.";
      argument.supports(Strength.MODERATE, Evidence.of(power, null, says).at(gpu.name()));
    } else {
      String says = "The driver says: clocks are held down by the power limit.";
      argument.supports(Strength.MODERATE, Evidence.of(mask, null, says).at(gpu.name()));
    }
    double hot = HardwareThrottle.hotShare(service, gpu);
    if (hot >= thresholds.get("throttle_share")) {
      String says = "The driver gives heat as a reason as well.";
      argument.opposes(Strength.STRONG, Evidence.of(mask, null, says).at(gpu.name()));
    }
  }

  /** A limit that was lowered is somebody's act; one that is as ever is reached by load. */
  private static void limit(
      Argument argument, ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    Reading limit = gpu.get("gpu_power_limit");
    double now = HardwareTime.recent(service, limit);
    Double sheet = gpu.spec() == null ? null : gpu.spec().power();
    String watts = Phrases.value("watts", now);
    if (now < limit.baseline() * thresholds.get("power_limit_lowered")) {
      String before = Phrases.value("watts", limit.baseline());
      String says = "Its power limit is " + watts + " and was " + before + ".";
      argument.supports(Strength.STRONG, Evidence.of(limit, limit.baseline(), says).at(gpu.name()));
      return;
    }
    if (sheet != null && now < sheet * thresholds.get("power_limit_default")) {
      String says =
          "Its power limit is %s; such a GPU has %s by default."
              .formatted(watts, Phrases.value("watts", sheet));
      argument.supports(Strength.MODERATE, Evidence.of(limit, sheet, says).at(gpu.name()));
    }
    more(argument, service, thresholds);
    boolean isBraked = isBraked(service, gpu, thresholds);
    if (service.symptoms().isEmpty() && !isBraked) {
      String says = "Its power limit is as it was and users feel nothing: full load reaches it.";
      argument.opposes(Strength.STRONG, Evidence.of(limit, null, says).at(gpu.name()));
    }
  }

  private static void more(Argument argument, ServiceWorld service, Thresholds thresholds) {
    for (String signal : List.of("prompt_token_rate", "running")) {
      Reading work = service.get(signal);
      double ratio = HardwareTime.ratio(service, work);
      if (ratio >= thresholds.get("work_grew")) {
        String says =
            "%s are %s times what they were: more work draws more power up to the limit by itself."
                .formatted(work.title(), Phrases.number(ratio));
        boolean isAsked = signal.equals("prompt_token_rate");
        argument.opposes(
            isAsked ? Strength.DECISIVE : Strength.WEAK, Evidence.of(work, null, says));
        return;
      }
    }
  }

  private static void effect(
      Argument argument,
      ServiceWorld service,
      HardwareThrottle.Slowdown slowdown,
      Clock clock,
      Thresholds thresholds) {
    if (clock.against() != Reference.SHEET) {
      HardwareThrottle.effect(argument, slowdown, thresholds);
      return;
    }
    GpuWorld gpu = clock.gpu();
    Reading dram = gpu.get("gpu_dram_active");
    if (dram.value() >= thresholds.get("memory_bound_dram")) {
      String says =
          "Memory is read or written %s of the time: decoding waits for it, not for the clock."
              .formatted(Phrases.value("ratio", dram.value()));
      argument.opposes(
          Strength.STRONG,
          Evidence.of(dram, thresholds.get("memory_bound_dram"), says).at(gpu.name()));
    }
    if (!service.symptoms().hasAnywhere(Symptom.Kind.TTFT)) {
      Reading ttft = service.get("ttft_p95");
      String says = "The first token, which needs computing most, comes in time.";
      argument.opposes(Strength.MODERATE, Evidence.of(ttft, null, says));
    }
  }

  private static String says(
      ServiceWorld service, List<GpuWorld> gpus, Clock clock, HardwareThrottle.Slowdown slowdown) {
    String what = HardwareGpus.count(service, gpus);
    String ratio = Phrases.value("ratio", clock.ratio());
    String longer =
        slowdown.isKnown()
            ? ", and prompts take " + Phrases.number(slowdown.prefill()) + " times as long"
            : "";
    return "Power holds %s down to %s of the clock %s%s."
        .formatted(what, ratio, clock.against().words(), longer);
  }
}
