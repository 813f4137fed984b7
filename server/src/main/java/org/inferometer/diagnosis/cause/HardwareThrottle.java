package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.cause.HardwareGpus.Clock;
import org.inferometer.diagnosis.cause.HardwareGpus.Reference;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/** What throttling by power and by heat have in common: lower clocks, and what they cost. */
final class HardwareThrottle {
  private HardwareThrottle() {}

  /**
   * How many times longer work takes than before or at peers, whichever is more.
   *
   * @param prefill of a prompt's token, NaN if it can't be told
   * @param decode from token to token, NaN if it can't be told
   */
  record Slowdown(double prefill, double decode, Reading reading) {
    boolean isKnown() {
      return !Double.isNaN(prefill);
    }
  }

  /** The clocks of all busy GPUs, each against the best reference that there is. */
  static List<Clock> clocks(ServiceWorld service, Thresholds thresholds) {
    List<Clock> clocks = new ArrayList<>();
    boolean isLasting = isLasting(service);
    for (GpuWorld gpu : service.gpus()) {
      if (HardwareGpus.isBusy(service, gpu, thresholds)) {
        Clock clock = HardwareGpus.clock(service, gpu);
        boolean isUsual = clock == null || clock.ratio() > thresholds.get("throttle_clock_ratio");
        Clock sheet = isUsual && isLasting ? HardwareGpus.sheetClock(service, gpu) : null;
        if (sheet != null || clock != null) {
          clocks.add(sheet == null ? clock : sheet);
        }
      }
    }
    return clocks;
  }

  /**
   * Whether what is wrong may have been so all along, so that the baseline is no measure: there is
   * none, or users feel something by a goal or a common limit that was broken before as well.
   */
  private static boolean isLasting(ServiceWorld service) {
    return service.baseline() == null
        || service.symptoms().all().stream()
            .anyMatch(s -> s.reading().baseline() > s.limit() || !s.reading().isComparable());
  }

  static Outcome unknown(String cause, ServiceWorld service) {
    if (service.gpus().stream().anyMatch(g -> g.get("gpu_sm_clock").isKnown())) {
      return new Outcome.RuledOut(cause, "No GPU is busy enough to be held down.", List.of());
    }
    return new Outcome.Unknown(
        cause, "It can't be told without the clocks of the GPUs.", List.of("gpu_sm_clock"));
  }

  static void clock(Argument argument, Clock clock, Thresholds thresholds) {
    double low = thresholds.get("throttle_clock_ratio");
    boolean isDeep = clock.ratio() <= thresholds.get("throttle_clock_deep");
    Reading reading = clock.gpu().get("gpu_sm_clock");
    String says =
        "The clock of %s is %s; %s %s."
            .formatted(
                clock.gpu().name(),
                Phrases.value("hertz", clock.now()),
                clock.against().sentence(),
                Phrases.value("hertz", clock.reference()));
    argument.needs(
        clock.ratio() <= low,
        isDeep ? Strength.STRONG : Strength.MODERATE,
        Evidence.of(reading, clock.reference() * low, says).at(clock.gpu().name()));
  }

  /** The share of the newest part of the window in which heat held clocks down. */
  static double hotShare(ServiceWorld service, GpuWorld gpu) {
    Reading mask = gpu.get("gpu_clock_event_reasons");
    Period recent = HardwareTime.recent(service);
    return HardwareTime.share(
        mask,
        recent,
        value ->
            (((long) value >> HardwareGpus.SOFTWARE_THERMAL) & 1) == 1
                || (((long) value >> HardwareGpus.HARDWARE_THERMAL) & 1) == 1);
  }

  static Slowdown slowdown(
      ServiceWorld service, @Nullable ReplicaWorld replica, Clock clock, Thresholds thresholds) {
    if (replica == null || clock.against() == Reference.SHEET) {
      return new Slowdown(Double.NaN, Double.NaN, service.get("prefill_time_mean"));
    }
    List<ReplicaWorld> peers = HardwarePeers.of(service, replica, thresholds);
    boolean isOfPeers = clock.against() == Reference.PEERS;
    double prefill =
        max(
            HardwarePeers.prefillSlowdown(service, replica),
            isOfPeers ? HardwarePeers.prefillSlowdown(service, replica, peers) : Double.NaN);
    double decode =
        max(
            HardwareTime.ratio(service, replica.get("tpot_mean")),
            isOfPeers ? HardwarePeers.ratio(service, replica, peers, "tpot_mean") : Double.NaN);
    return new Slowdown(prefill, decode, replica.get("prefill_time_mean"));
  }

  private static double max(double one, double other) {
    return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
  }

  static void effect(Argument argument, Slowdown slowdown, Thresholds thresholds) {
    if (!slowdown.isKnown()) {
      return;
    }
    double least = thresholds.get("throttle_slowdown");
    boolean isSlow = slowdown.prefill() >= least;
    String says =
        "Computing a token of a prompt takes %s times as long."
            .formatted(Phrases.number(slowdown.prefill()));
    argument.weighs(
        isSlow,
        Strength.STRONG,
        Strength.DECISIVE,
        Evidence.computed("engine", "prefill_slowdown", slowdown.prefill(), "ratio", least, says));
  }

  /**
   * Prompts are computed as fast as the clock runs, so that a first token would come sooner by the
   * share of it that is prefill.
   */
  static Effect effect(
      ServiceWorld service, @Nullable ReplicaWorld replica, Slowdown slowdown, Clock clock) {
    double factor = slowdown.isKnown() ? slowdown.prefill() : 1 / clock.ratio();
    Reading ttft = of(service, replica, "ttft_mean");
    double lost = prefill(service, replica, ttft) * (1 - 1 / Math.max(factor, 1));
    double without = ttft.value() - lost;
    String text =
        Double.isNaN(without)
            ? null
            : "The first token would take %s instead of %s, if prompts were computed as before."
                .formatted(
                    Phrases.value("seconds", without), Phrases.value("seconds", ttft.value()));
    return new Effect("ttft_mean", lost / ttft.value(), ttft.value(), without, text);
  }

  /** Seconds; where prefill isn't measured, the first token less the queue. */
  private static double prefill(
      ServiceWorld service, @Nullable ReplicaWorld replica, Reading ttft) {
    Reading prefill = of(service, replica, "prefill_time_mean");
    Reading queue = of(service, replica, "queue_time_mean");
    return prefill.isKnown() ? prefill.value() : ttft.value() - queue.or(0);
  }

  private static Reading of(ServiceWorld service, @Nullable ReplicaWorld replica, String signal) {
    return replica == null ? service.get(signal) : replica.get(signal);
  }
}
