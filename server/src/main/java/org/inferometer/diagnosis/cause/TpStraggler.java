package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;

/**
 * One of the GPUs that share a model is slower than the others, which wait for it in every layer:
 * at full utilisation, since waiting is a kernel too, and with little power.
 */
public final class TpStraggler implements Check {
  @Override
  public String cause() {
    return "tp-straggler";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> found = new ArrayList<>();
    boolean isSplit = false;
    for (ReplicaWorld replica : service.replicas()) {
      List<GpuWorld> group = HardwareGpus.group(service, replica);
      isSplit |= group.size() > 1;
      for (GpuWorld gpu : group) {
        Lag lag = Lag.of(service, gpu, group, thresholds);
        if (group.size() > 1 && lag.ratio() <= thresholds.get("straggler_ratio")) {
          found.add(outcome(service, replica, lag, thresholds));
        }
      }
    }
    if (!found.isEmpty()) {
      return found;
    }
    if (service.gpus().isEmpty()) {
      return List.of(
          new Outcome.Unknown(
              cause(),
              "It can't be told without the GPUs of the replicas.",
              List.of("gpu_sm_clock", "gpu_power", "gpu_sm_active")));
    }
    String because =
        isSplit
            ? "The GPUs of each replica run alike."
            : "No replica is known to run on several GPUs.";
    return List.of(new Outcome.RuledOut(cause(), because, List.of()));
  }

  /**
   * How far a GPU lags behind the others of its group.
   *
   * @param reading by which it lags most
   * @param ratio of its value to the others' median; for activity the others' to its own, since
   *     those that wait are less active
   */
  private record Lag(GpuWorld gpu, Reading reading, double now, double others, double ratio) {
    static Lag of(ServiceWorld service, GpuWorld gpu, List<GpuWorld> group, Thresholds thresholds) {
      List<GpuWorld> rest = group.stream().filter(g -> !HardwareGpus.isSame(g, gpu)).toList();
      Lag lag = lag(service, gpu, rest, "gpu_sm_clock", false);
      Lag memory = lag(service, gpu, rest, "gpu_memory_clock", false);
      lag = memory.ratio < lag.ratio ? memory : lag;
      Lag active = lag(service, gpu, rest, "gpu_sm_active", true);
      boolean isBusy = HardwareGpus.isBusy(service, gpu, thresholds);
      boolean isAlone = rest.size() > 1;
      return isBusy && isAlone && active.ratio < lag.ratio ? active : isBusy ? lag : lag.none();
    }

    private static Lag lag(
        ServiceWorld service, GpuWorld gpu, List<GpuWorld> rest, String signal, boolean isInverse) {
      double now = HardwareTime.recent(service, gpu.get(signal));
      double others = HardwareGpus.median(service, rest, signal);
      double ratio = isInverse ? others / now : now / others;
      return new Lag(gpu, gpu.get(signal), now, others, ratio > 0 ? ratio : 1);
    }

    private Lag none() {
      return new Lag(gpu, reading, now, others, 1);
    }
  }

  private Outcome outcome(
      ServiceWorld service, ReplicaWorld replica, Lag lag, Thresholds thresholds) {
    GpuWorld gpu = lag.gpu();
    Argument argument = new Argument(cause());
    argument.supports(strength(lag, thresholds), lagFact(lag, thresholds));
    power(argument, service, replica, gpu, thresholds);
    slowness(argument, service, replica, thresholds);
    if (HardwareThrottle.hotShare(service, gpu) >= thresholds.get("thermal_share")) {
      String says = "The driver gives heat as the reason for its low clock.";
      Reading mask = gpu.get("gpu_clock_event_reasons");
      argument.opposes(Strength.STRONG, Evidence.of(mask, null, says).at(gpu.name()));
    }
    double limit = lag.reading().signal().equals("gpu_sm_active") ? 0 : lag.others();
    return argument.conclude(
        service,
        replica.instance(),
        gpu.name(),
        effect(service, replica, thresholds),
        "%s holds up the GPUs that share the model with it: its %s is %s, theirs %s."
            .formatted(
                gpu.name(),
                Phrases.inSentence(lag.reading().title()),
                Phrases.value(lag.reading().unit(), lag.now()),
                Phrases.value(lag.reading().unit(), lag.others())),
        HardwareTime.since(
            service, lag.reading(), value -> value < limit * thresholds.get("straggler_ratio")));
  }

  private static Strength strength(Lag lag, Thresholds thresholds) {
    if (lag.reading().signal().equals("gpu_sm_active")) {
      return Strength.MODERATE;
    }
    boolean isFar = lag.ratio() <= thresholds.get("straggler_ratio_far");
    return isFar ? Strength.DECISIVE : Strength.STRONG;
  }

  private static Evidence lagFact(Lag lag, Thresholds thresholds) {
    String says =
        "Its %s is %s, the others of its replica have %s."
            .formatted(
                Phrases.inSentence(lag.reading().title()),
                Phrases.value(lag.reading().unit(), lag.now()),
                Phrases.value(lag.reading().unit(), lag.others()));
    double limit = lag.others() * thresholds.get("straggler_ratio");
    return Evidence.of(lag.reading(), limit, says).at(lag.gpu().name());
  }

  /** Those that wait draw less than before though they seem as busy. */
  private static void power(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      GpuWorld gpu,
      Thresholds thresholds) {
    for (GpuWorld other : HardwareGpus.group(service, replica)) {
      Reading power = other.get("gpu_power");
      double ratio = HardwareTime.ratio(service, power);
      boolean isBusy = HardwareTime.recent(service, other.get("gpu_util")) >= WAITING_UTIL;
      if (!HardwareGpus.isSame(other, gpu) && isBusy && ratio <= thresholds.get("waiting_power")) {
        String says =
            "%s is busy all the time and draws %s instead of %s: it waits."
                .formatted(
                    other.name(),
                    Phrases.value("watts", HardwareTime.recent(service, power)),
                    Phrases.value("watts", power.baseline()));
        argument.supports(Strength.MODERATE, Evidence.of(power, null, says).at(other.name()));
        return;
      }
    }
  }

  /** Waiting for another GPU is a kernel that runs. */
  private static final double WAITING_UTIL = 0.9;

  private static void slowness(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    double least = thresholds.get("slowdown_min");
    List<ReplicaWorld> peers = HardwarePeers.of(service, replica, thresholds);
    Reading tpot = replica.get("tpot_mean");
    double before = HardwareTime.ratio(service, tpot);
    double ratio =
        Double.isNaN(before) ? HardwarePeers.ratio(service, replica, peers, "tpot_mean") : before;
    if (Double.isNaN(ratio)) {
      return;
    }
    String says =
        "A token takes %s times as long %s."
            .formatted(
                Phrases.number(ratio), Double.isNaN(before) ? "as at its peers" : "as before");
    argument.weighs(
        ratio >= least,
        Strength.STRONG,
        Strength.STRONG,
        Evidence.of(tpot, least, says).at(replica.instance()));
  }

  private static Effect effect(ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Reading tpot = replica.get("tpot_mean");
    List<ReplicaWorld> peers = HardwarePeers.of(service, replica, thresholds);
    double others = HardwarePeers.median(service, peers, "tpot_mean");
    return HardwareEffects.against(service, tpot, others);
  }
}
