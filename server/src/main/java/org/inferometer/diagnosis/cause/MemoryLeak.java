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
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.HostWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a process grows in a straight line, whatever the load does. A cache that fills, a
 * start that warms up and a load that rises level off.
 */
public final class MemoryLeak implements Check {
  @Override
  public String cause() {
    return "memory-leak";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> found = new ArrayList<>();
    boolean isKnown = false;
    for (ReplicaWorld replica : service.replicas()) {
      Reading memory = replica.get("process_memory");
      isKnown |= memory.isKnown();
      HardwareGrowth growth = HardwareGrowth.of(service, memory, thresholds);
      if (growth != null) {
        found.add(outcome(service, replica, memory, growth, thresholds));
      }
    }
    for (HostWorld host : service.hosts()) {
      Reading memory = memory(host);
      boolean isTold = found.stream().anyMatch(one -> one instanceof Outcome.Found);
      HardwareGrowth growth = isTold ? null : HardwareGrowth.of(service, memory, thresholds);
      isKnown |= memory.isKnown();
      if (growth != null) {
        found.add(outcome(service, host, memory, growth, thresholds));
      }
    }
    if (!found.isEmpty()) {
      return found;
    }
    return List.of(
        isKnown
            ? new Outcome.RuledOut(cause(), "No memory grows in a straight line.", List.of())
            : new Outcome.Unknown(
                cause(),
                "It can't be told without the memory of processes or hosts.",
                List.of("process_memory", "container_memory", "host_memory_used")));
  }

  private static Reading memory(HostWorld host) {
    Reading container = host.get("container_memory");
    return container.isKnown() ? container : host.get("host_memory_used");
  }

  private Outcome outcome(
      ServiceWorld service,
      ReplicaWorld replica,
      Reading memory,
      HardwareGrowth growth,
      Thresholds thresholds) {
    Argument argument = new Argument(cause());
    line(argument, memory, growth, replica.instance(), thresholds);
    @Nullable HostWorld host = HostCpu.host(service, replica);
    end(argument, host, growth, thresholds);
    warmUp(argument, service, replica.instance(), growth, thresholds);
    return conclude(argument, service, replica.instance(), memory, growth, host, thresholds);
  }

  private Outcome outcome(
      ServiceWorld service,
      HostWorld host,
      Reading memory,
      HardwareGrowth growth,
      Thresholds thresholds) {
    Argument argument = new Argument(cause());
    line(argument, memory, growth, host.name(), thresholds);
    end(argument, host, growth, thresholds);
    warmUp(argument, service, null, growth, thresholds);
    return conclude(argument, service, host.name(), memory, growth, host, thresholds);
  }

  private static Outcome conclude(
      Argument argument,
      ServiceWorld service,
      String of,
      Reading memory,
      HardwareGrowth growth,
      @Nullable HostWorld host,
      Thresholds thresholds) {
    double ratio = HardwareTime.ratio(service, service.get("request_rate"));
    if (ratio >= thresholds.get("work_grew")) {
      String says = "%s times as many requests come.".formatted(Phrases.number(ratio));
      argument.opposes(Strength.MODERATE, Evidence.of(service.get("request_rate"), null, says));
    }
    String rate = Phrases.value("bytes/s", growth.bytesPerSecond());
    double left = secondsLeft(host, growth);
    String until = Double.isNaN(left) ? "" : ", enough to fill its host in " + duration(left);
    Effect effect =
        new Effect(
            memory.signal(),
            Double.NaN,
            memory.value(),
            memory.baseline(),
            "Nothing is slower by it until memory runs out and the kernel kills something.");
    return argument.conclude(
        service,
        of,
        null,
        effect,
        "Memory of %s grows by %s in a straight line%s.".formatted(of, rate, until),
        growth.startMs());
  }

  private static String duration(double seconds) {
    return seconds < 2 * 3600
        ? Phrases.number(seconds / 60) + " min"
        : Phrases.number(seconds / 3600) + " h";
  }

  private static void line(
      Argument argument, Reading memory, HardwareGrowth growth, String of, Thresholds thresholds) {
    boolean isLong = growth.seconds() >= thresholds.get("leak_long");
    String says =
        "It grew by %s over %s, as straight as a line (R² %s)."
            .formatted(
                Phrases.value("bytes", growth.bytes()),
                duration(growth.seconds()),
                Phrases.number(growth.straightness()));
    argument.supports(
        isLong ? Strength.DECISIVE : Strength.STRONG, Evidence.of(memory, null, says).at(of));
    double grew = growth.bytes() / memory.baseline();
    if (grew >= thresholds.get("leak_much")) {
      String much = "That is %s of what it took before.".formatted(Phrases.value("ratio", grew));
      argument.supports(
          Strength.MODERATE, Evidence.of(memory, thresholds.get("leak_much"), much).at(of));
    }
  }

  private static double secondsLeft(@Nullable HostWorld host, HardwareGrowth growth) {
    double free = host == null ? Double.NaN : host.get("host_memory_available").value();
    return free / growth.bytesPerSecond();
  }

  private static void end(
      Argument argument, @Nullable HostWorld host, HardwareGrowth growth, Thresholds thresholds) {
    double left = secondsLeft(host, growth);
    if (host == null || Double.isNaN(left)) {
      return;
    }
    double soon = thresholds.get("leak_hours") * 3600;
    String says =
        "%s are left, which lasts for %s."
            .formatted(
                Phrases.value("bytes", host.get("host_memory_available").value()), duration(left));
    argument.weighs(
        left <= soon,
        Strength.MODERATE,
        Strength.MODERATE,
        Evidence.of(host.get("host_memory_available"), null, says)
            .by("host", host.id(), host.name()));
  }

  private static void warmUp(
      Argument argument,
      ServiceWorld service,
      @Nullable String instance,
      HardwareGrowth growth,
      Thresholds thresholds) {
    long warm = Math.round(thresholds.get("warm_up") * 1000);
    for (Happening happening : service.happenings()) {
      boolean isStart =
          happening.kind() == Happening.Kind.RESTART || happening.kind() == Happening.Kind.CAME;
      boolean isIt = instance == null || instance.equals(happening.instance());
      if (isStart && isIt && happening.timeMs() > growth.startMs() - warm) {
        Evidence fact =
            Evidence.computed(
                "engine", "restarts", 1, "count", null, happening.says() + " It warms up.");
        argument.opposes(Strength.DECISIVE, fact);
        return;
      }
    }
  }
}
