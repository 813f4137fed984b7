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
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.HostWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * A replica takes more memory than there is, dies of it, starts and dies again. One restart is a
 * rollout.
 */
public final class OomConfig implements Check {
  private static final String SETTING = "gpu_memory_utilization";

  @Override
  public String cause() {
    return "oom-config";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> found = new ArrayList<>();
    for (String instance : instances(service)) {
      List<Happening> ends = ends(service, instance);
      if (ends.size() >= thresholds.get("restarts_min") || isKilled(service, instance)) {
        found.add(outcome(service, instance, ends, thresholds));
      }
    }
    if (!found.isEmpty()) {
      return found;
    }
    String because = "No replica ended more than once.";
    return List.of(new Outcome.RuledOut(cause(), because, List.of()));
  }

  /** Those that are there, and those that something happened to. */
  private static List<String> instances(ServiceWorld service) {
    List<String> instances = new ArrayList<>();
    service.replicas().forEach(replica -> instances.add(replica.instance()));
    for (Happening happening : service.happenings()) {
      if (happening.instance() != null && !instances.contains(happening.instance())) {
        instances.add(happening.instance());
      }
    }
    return instances;
  }

  /** A process that starts is seen to be gone soon after, until it has loaded its model. */
  private static final long GONE_AFTER_START_MS = 120_000;

  /** Each end of a process once: seen by a start, by scrapes that fail, or by both. */
  private static List<Happening> ends(ServiceWorld service, String instance) {
    List<Happening> ends = new ArrayList<>();
    @Nullable Happening open = null;
    for (Happening happening : service.happenings()) {
      if (!instance.equals(happening.instance())) {
        continue;
      }
      switch (happening.kind()) {
        case RESTART, GONE -> {
          if (open == null || !isSameEnd(open, happening)) {
            ends.add(happening);
          }
          open = happening;
        }
        case CAME -> open = null;
        case CONFIG, VERSION -> {}
      }
    }
    return ends;
  }

  private static boolean isSameEnd(Happening first, Happening second) {
    return first.kind() != second.kind()
        && (first.kind() == Happening.Kind.GONE
            || second.timeMs() - first.timeMs() <= GONE_AFTER_START_MS);
  }

  private static boolean isKilled(ServiceWorld service, String instance) {
    ReplicaWorld replica = replica(service, instance);
    HostWorld host = replica == null ? null : HostCpu.host(service, replica);
    return host != null
        && (host.get("host_oom_kill_rate").max() > 0 || host.get("container_oom_rate").max() > 0);
  }

  private static @Nullable ReplicaWorld replica(ServiceWorld service, String instance) {
    return service.replicas().stream()
        .filter(replica -> replica.instance().equals(instance))
        .findFirst()
        .orElse(null);
  }

  private Outcome outcome(
      ServiceWorld service, String instance, List<Happening> ends, Thresholds thresholds) {
    Argument argument = new Argument(cause());
    int count = ends.size();
    if (count > 0) {
      String says = "It ended %s times within what was looked at.".formatted(count);
      boolean isOften = count > thresholds.get("restarts_min");
      argument.supports(
          isOften ? Strength.STRONG : Strength.MODERATE,
          Evidence.computed(
                  "engine", "restarts", count, "count", thresholds.get("restarts_min"), says)
              .at(instance));
    }
    boolean isMemory = killed(argument, service, instance);
    isMemory |= setting(argument, service, instance);
    isMemory |= share(argument, service, instance, thresholds);
    isMemory |= cache(argument, service, instance, thresholds);
    if (!isMemory) {
      String because = instance + " ended " + count + " times, and nothing speaks of memory.";
      return new Outcome.RuledOut(cause(), because, List.of());
    }
    damage(argument, service, instance, thresholds);
    double now = service.get("output_token_rate").value();
    Effect effect =
        new Effect(
            "output_token_rate",
            Double.NaN,
            now,
            Double.NaN,
            "The replica serves nothing while it is down and starts; the others carry its load.");
    return argument.conclude(
        service,
        instance,
        null,
        effect,
        "%s runs out of memory and starts again and again: %s times so far."
            .formatted(instance, count),
        ends.isEmpty() ? null : ends.getFirst().timeMs());
  }

  private static boolean killed(Argument argument, ServiceWorld service, String instance) {
    ReplicaWorld replica = replica(service, instance);
    HostWorld host = replica == null ? null : HostCpu.host(service, replica);
    if (host == null || !isKilled(service, instance)) {
      return false;
    }
    Reading kills = host.get("container_oom_rate");
    Reading shown = kills.max() > 0 ? kills : host.get("host_oom_kill_rate");
    String says = "The kernel killed a process for lack of memory.";
    argument.supports(
        Strength.DECISIVE, Evidence.of(shown, 0.0, says).by("host", host.id(), host.name()));
    return true;
  }

  /** It began after somebody gave the engine more of the memory. */
  private static boolean setting(Argument argument, ServiceWorld service, String instance) {
    for (Happening happening : service.happenings()) {
      if (happening.kind() == Happening.Kind.CONFIG
          && happening.name().contains(SETTING)
          && instance.equals(happening.instance())
          && number(happening.to()) > number(happening.from())) {
        argument.supports(
            Strength.STRONG,
            Evidence.computed(
                    "engine", SETTING, number(happening.to()), "ratio", null, happening.says())
                .at(instance));
        return true;
      }
    }
    return false;
  }

  private static double number(@Nullable String text) {
    try {
      return text == null ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }

  private static boolean share(
      Argument argument, ServiceWorld service, String instance, Thresholds thresholds) {
    double full = thresholds.get("gpu_memory_full");
    for (GpuWorld gpu : service.gpus()) {
      Reading share = gpu.get("gpu_memory_share");
      if (instance.equals(gpu.gpu().engineInstance()) && share.max() >= full) {
        String says =
            "It takes %s of its GPU's memory, which leaves nothing for what it computes."
                .formatted(Phrases.value("ratio", share.max()));
        argument.supports(Strength.STRONG, Evidence.of(share, full, says).at(gpu.name()));
        return true;
      }
    }
    return false;
  }

  private static boolean cache(
      Argument argument, ServiceWorld service, String instance, Thresholds thresholds) {
    ReplicaWorld replica = replica(service, instance);
    if (replica == null) {
      return false;
    }
    Reading usage = replica.get("kv_usage_max");
    double full = thresholds.get("kv_usage_full");
    if (usage.max() >= full) {
      String says =
          "Its KV cache was %s full before.".formatted(Phrases.value("ratio", usage.max()));
      argument.supports(Strength.MODERATE, Evidence.of(usage, full, says).at(instance));
      return true;
    }
    return false;
  }

  /** A GPU that fails takes its engine with it as well. */
  private static void damage(
      Argument argument, ServiceWorld service, String instance, Thresholds thresholds) {
    for (GpuWorld gpu : service.gpus()) {
      HardwareDamage damage = HardwareDamage.of(service, gpu, thresholds);
      if (instance.equals(gpu.gpu().engineInstance()) && !damage.isNone()) {
        argument.opposes(Strength.DECISIVE, damage.signs().getFirst().evidence());
        return;
      }
    }
  }
}
