package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
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
 * The engine's loop doesn't get the CPU that it needs: the host's cores are taken, or its work for
 * each request fills one. The GPU waits between steps. A busy host with cores to spare is well.
 */
public final class HostCpu implements Check {
  @Override
  public String cause() {
    return "host-cpu";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> outcomes = new ArrayList<>();
    for (ReplicaWorld replica : service.replicas()) {
      outcomes.add(examine(service, replica, thresholds));
    }
    List<Outcome> found =
        outcomes.stream().filter(one -> one instanceof Outcome.Found).limit(OUTCOMES_MAX).toList();
    if (!found.isEmpty()) {
      return sameHost(service, found);
    }
    return outcomes.isEmpty()
        ? List.of(
            new Outcome.Unknown(
                cause(), "It can't be told without a replica.", List.of("host_cpu")))
        : List.of(outcomes.getFirst());
  }

  /** One that is the matter everywhere is told once. */
  private static List<Outcome> sameHost(ServiceWorld service, List<Outcome> found) {
    boolean isEverywhere = found.size() == service.replicas().size();
    return isEverywhere ? List.of(found.getFirst()) : found;
  }

  private static final int OUTCOMES_MAX = 10;

  private Outcome examine(ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Argument argument = new Argument(cause());
    @Nullable HostWorld host = host(service, replica);
    HardwareSteps steps = HardwareSteps.of(service, replica);
    boolean isFull = host != null && shortage(argument, service, host, thresholds);
    boolean isShort = isFull || (host != null && core(argument, service, host, thresholds));
    boolean isPerRequest = perRequest(argument, steps, replica, thresholds);
    if (!isShort && !isPerRequest) {
      return without(host);
    }
    slower(argument, service, replica, steps, thresholds);
    if (!isFull) {
      alone(argument, service, replica, thresholds);
    }
    Reading step = HardwareSteps.step(replica);
    double limit = step.baseline() * thresholds.get("slowdown_min");
    return argument.conclude(
        service,
        host == null ? replica.instance() : host.name(),
        null,
        effect(step, steps),
        says(host, replica, isShort, steps),
        HardwareTime.since(service, step, value -> value >= limit));
  }

  private Outcome without(@Nullable HostWorld host) {
    if (host == null) {
      return new Outcome.Unknown(
          cause(),
          "It can't be told without the host's CPU.",
          List.of("host_cpu", "host_cpu_core_max", "host_steal", "container_cpu_throttled_share"));
    }
    Reading cpu = host.get("host_cpu");
    String because =
        "It doesn't wait for a CPU; %s of the host's cores are in use."
            .formatted(Phrases.value("ratio", cpu.value()));
    return new Outcome.RuledOut(cause(), because, List.of());
  }

  static @Nullable HostWorld host(ServiceWorld service, ReplicaWorld replica) {
    if (replica.host() != null) {
      return replica.host();
    }
    return service.hosts().size() == 1 ? service.hosts().getFirst() : null;
  }

  /** What says that the host has no CPU left for the engine. */
  private static boolean shortage(
      Argument argument, ServiceWorld service, HostWorld host, Thresholds thresholds) {
    boolean isShort = false;
    isShort |= is(argument, service, host, "host_cpu", "host_cpu_full", thresholds);
    isShort |= is(argument, service, host, "host_steal", "host_steal_much", thresholds);
    isShort |= is(argument, service, host, "host_cpu_pressure", "host_pressure_much", thresholds);
    isShort |=
        is(
            argument,
            service,
            host,
            "container_cpu_throttled_share",
            "container_throttled_much",
            thresholds);
    return isShort;
  }

  /** One full core says little by itself: a loop that spins while it waits fills one, too. */
  private static boolean core(
      Argument argument, ServiceWorld service, HostWorld host, Thresholds thresholds) {
    return is(argument, service, host, "host_cpu_core_max", "host_core_busy", thresholds);
  }

  private static boolean is(
      Argument argument,
      ServiceWorld service,
      HostWorld host,
      String signal,
      String threshold,
      Thresholds thresholds) {
    Reading reading = host.get(signal);
    double now = HardwareTime.recent(service, reading);
    double limit = thresholds.get(threshold);
    if (!(now >= limit)) {
      return false;
    }
    boolean isCore = signal.equals("host_cpu_core_max");
    String says =
        "%s of the host: %s."
            .formatted(Phrases.inSentence(reading.title()), Phrases.value(reading.unit(), now));
    Evidence fact = Evidence.of(reading, limit, capital(says)).by("host", host.id(), host.name());
    argument.supports(isCore ? Strength.MODERATE : Strength.STRONG, fact);
    return true;
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** Idle time that grows with the batch is CPU work for each request: penalties, sampling. */
  private static boolean perRequest(
      Argument argument, HardwareSteps steps, ReplicaWorld replica, Thresholds thresholds) {
    boolean isIdle = steps.idleShare() >= thresholds.get("step_idle_share");
    double least = thresholds.get("elasticity_of_requests");
    if (!isIdle || !(steps.elasticity() >= least)) {
      return false;
    }
    String says =
        "The GPU waits longer in each step the more requests run: that is CPU work for each of"
            + " them.";
    argument.supports(
        Strength.STRONG,
        Evidence.computed("engine", "idle_by_running", steps.elasticity(), "ratio", least, says)
            .at(replica.instance()));
    return true;
  }

  private static void slower(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      HardwareSteps steps,
      Thresholds thresholds) {
    double least = thresholds.get("step_idle_share");
    if (steps.isKnown()) {
      String says =
          "The GPU waits %s of the %s between two tokens."
              .formatted(
                  Phrases.value("seconds", steps.idle()),
                  Phrases.value("seconds", steps.seconds()));
      boolean isMore = !(steps.idle() < steps.idleBefore() * thresholds.get("step_idle_grew"));
      Evidence fact =
          Evidence.computed("gpu", "step_idle_share", steps.idleShare(), "ratio", least, says)
              .at(replica.instance());
      argument.weighs(
          steps.idleShare() >= least && isMore, Strength.STRONG, Strength.DECISIVE, fact);
      return;
    }
    Reading step = HardwareSteps.step(replica);
    double ratio = HardwareTime.ratio(service, step);
    String says =
        "Time from token to token is %s times what it was.".formatted(Phrases.number(ratio));
    argument.weighs(
        ratio >= thresholds.get("slowdown_much"),
        Strength.MODERATE,
        Strength.DECISIVE,
        Evidence.of(step, null, says).at(replica.instance()));
  }

  /** Peers that do the same on the same machines need no more than they have. */
  private static void alone(
      Argument argument, ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    if (HardwareSteps.isAlone(service, replica, thresholds)) {
      String says = "Its peers run the same software and don't wait for their CPUs.";
      argument.opposes(
          Strength.DECISIVE,
          Evidence.computed("engine", "peers_idle", 0, "ratio", null, says).at(replica.instance()));
    }
  }

  private static Effect effect(Reading step, HardwareSteps steps) {
    double more =
        steps.isKnown()
            ? steps.idle() - (Double.isNaN(steps.idleBefore()) ? 0 : steps.idleBefore())
            : steps.seconds() - steps.secondsBefore();
    return HardwareEffects.of(
        step, steps.seconds(), steps.seconds() - more, "the GPU waited no longer than before");
  }

  private static String says(
      @Nullable HostWorld host, ReplicaWorld replica, boolean isShort, HardwareSteps steps) {
    String waits =
        steps.isKnown()
            ? ": the GPU waits %s of each step".formatted(Phrases.value("ratio", steps.idleShare()))
            : "";
    return isShort && host != null
        ? "%s has no CPU left for the engine's loop%s.".formatted(host.name(), waits)
        : "The engine's loop on %s has more CPU work for each request than its core can do%s."
            .formatted(replica.instance(), waits);
  }
}
