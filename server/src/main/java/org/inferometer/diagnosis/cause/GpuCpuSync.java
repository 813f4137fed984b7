package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.HostWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * In each step the GPU waits for the CPU by about the same time, whatever the batch: a sampler that
 * copies back, a grammar, kernels launched one by one. A GPU that is idle since little is asked
 * waits between requests, not within a step.
 */
public final class GpuCpuSync implements Check {
  @Override
  public String cause() {
    return "gpu-cpu-sync";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> waiting = new ArrayList<>();
    @Nullable Outcome other = null;
    boolean isKnown = false;
    for (ReplicaWorld replica : service.replicas()) {
      HardwareSteps steps = HardwareSteps.of(service, replica);
      isKnown |= steps.isKnown();
      if (steps.idleShare() >= thresholds.get("step_idle_share")) {
        Outcome outcome = outcome(service, replica, steps, thresholds);
        if (outcome instanceof Outcome.Found) {
          waiting.add(outcome);
        } else {
          other = outcome;
        }
      }
    }
    if (!waiting.isEmpty()) {
      return List.of(waiting.getFirst());
    }
    if (other != null) {
      return List.of(other);
    }
    return List.of(
        isKnown
            ? new Outcome.RuledOut(cause(), "The GPUs hardly wait within a step.", List.of())
            : new Outcome.Unknown(
                cause(),
                "It can't be told without the GPUs' busy time and the time between tokens.",
                List.of("gpu_util", "step_rate")));
  }

  private Outcome outcome(
      ServiceWorld service, ReplicaWorld replica, HardwareSteps steps, Thresholds thresholds) {
    Argument argument = new Argument(cause());
    String idle = Phrases.value("seconds", steps.idle());
    String step = Phrases.value("seconds", steps.seconds());
    argument.supports(
        Strength.STRONG,
        Evidence.computed(
                "gpu",
                "step_idle_share",
                steps.idleShare(),
                "ratio",
                thresholds.get("step_idle_share"),
                "The GPU waits %s of the %s between two tokens.".formatted(idle, step))
            .at(replica.instance()));
    longer(argument, service, replica, steps, thresholds);
    if (argument.isOver()) {
      return argument.over();
    }
    constant(argument, steps, replica, thresholds);
    host(argument, service, replica, thresholds);
    everywhere(argument, service, replica, thresholds);
    Reading shown = HardwareSteps.step(replica);
    double limit = shown.baseline() * thresholds.get("slowdown_min");
    boolean isEverywhere =
        service.replicas().size() == 1 || !HardwareSteps.isAlone(service, replica, thresholds);
    return argument.conclude(
        service,
        isEverywhere ? null : replica.instance(),
        null,
        HardwareEffects.of(
            shown,
            steps.seconds(),
            steps.seconds()
                - steps.idle()
                + (Double.isNaN(steps.idleBefore()) ? 0 : steps.idleBefore()),
            "the GPU waited no longer than before"),
        "In each step the GPU waits %s for the CPU, of %s between two tokens."
            .formatted(idle, step),
        HardwareTime.since(service, shown, value -> value >= limit));
  }

  /** It costs users something, in the typical step and not in a stall now and then. */
  private static void longer(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      HardwareSteps steps,
      Thresholds thresholds) {
    double ratio = steps.seconds() / steps.secondsBefore();
    boolean isComparable = !Double.isNaN(ratio);
    double least = thresholds.get("slowdown_much");
    Reading step = HardwareSteps.step(replica);
    if (!isComparable || !(ratio >= least)) {
      boolean isLasting = !service.symptoms().isEmpty() && !isComparable;
      String says =
          isComparable
              ? "Time from token to token is %s times what it was.".formatted(Phrases.number(ratio))
              : "There is nothing to compare the time from token to token with.";
      argument.needs(isLasting, Strength.WEAK, Evidence.of(step, least, says));
      return;
    }
    Reading typical = replica.get("itl_p50");
    double typicalRatio = HardwareTime.ratio(service, typical);
    String typicalSays =
        "The typical gap between tokens is %s times what it was."
            .formatted(Phrases.number(typicalRatio));
    argument.needs(
        !(typicalRatio < thresholds.get("slowdown_min")),
        Strength.WEAK,
        Evidence.of(typical, thresholds.get("slowdown_min"), typicalSays));
    double grown = steps.idle() - steps.idleBefore();
    double share = grown / (steps.seconds() - steps.secondsBefore());
    double shareMin = thresholds.get("idle_explains");
    String says =
        "Waiting is %s of what a step takes longer.".formatted(Phrases.value("ratio", share));
    argument.needs(
        !(share < shareMin),
        Strength.MODERATE,
        Evidence.computed("gpu", "idle_of_growth", share, "ratio", shareMin, says)
            .at(replica.instance()));
  }

  private static void constant(
      Argument argument, HardwareSteps steps, ReplicaWorld replica, Thresholds thresholds) {
    double most = thresholds.get("elasticity_of_requests");
    double elasticity = steps.elasticity();
    if (Double.isNaN(elasticity)) {
      String says = "Batches varied too little as yet to tell whether it grows with them.";
      argument.opposes(
          Strength.WEAK, Evidence.of(replica.get("running"), null, says).at(replica.instance()));
      return;
    }
    boolean isConstant = elasticity < most;
    String says =
        isConstant
            ? "It waits about as long whether few or many requests run."
            : "It waits longer the more requests run, as work for each of them does.";
    argument.weighs(
        isConstant,
        Strength.MODERATE,
        Strength.STRONG,
        Evidence.computed("engine", "idle_by_running", elasticity, "ratio", most, says)
            .at(replica.instance()));
  }

  private static void host(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    @Nullable HostWorld host = HostCpu.host(service, replica);
    if (host == null || !host.get("host_cpu").isKnown()) {
      String says = "No host is watched, so a lack of CPU, which looks the same, isn't ruled out.";
      argument.opposes(
          Strength.WEAK, Evidence.computed("host", "host_cpu", Double.NaN, "ratio", null, says));
      return;
    }
    Reading cpu = host.get("host_cpu");
    boolean isShort =
        HardwareTime.recent(service, cpu) >= thresholds.get("host_cpu_full")
            || HardwareTime.recent(service, host.get("host_steal"))
                >= thresholds.get("host_steal_much")
            || HardwareTime.recent(service, host.get("host_cpu_pressure"))
                >= thresholds.get("host_pressure_much");
    String says =
        isShort
            ? "The host has no CPU left, which explains it."
            : "The host has CPU to spare: %s is in use."
                .formatted(Phrases.value("ratio", HardwareTime.recent(service, cpu)));
    argument.weighs(
        !isShort,
        Strength.MODERATE,
        Strength.DECISIVE,
        Evidence.of(cpu, thresholds.get("host_cpu_full"), says).by("host", host.id(), host.name()));
  }

  /** Software that waits does so wherever it runs. */
  private static void everywhere(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    if (service.replicas().size() < 2) {
      return;
    }
    boolean isAlone = HardwareSteps.isAlone(service, replica, thresholds);
    String says =
        isAlone
            ? "Its peers run the same and their GPUs don't wait."
            : "Its peers' GPUs wait as well.";
    argument.weighs(
        !isAlone,
        Strength.MODERATE,
        Strength.DECISIVE,
        Evidence.computed("gpu", "peers_idle", isAlone ? 0 : 1, "ratio", null, says)
            .at(replica.instance()));
  }
}
