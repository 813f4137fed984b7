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
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * A GPU or its connection is broken: severe Xids, memory errors that couldn't be corrected, a GPU
 * that vanished, links with errors. What a program did wrong (Xid 13, 31, 43) is no fault of the
 * hardware, nor is a memory error that was corrected; an old Xid is history.
 */
public final class HardwareFault implements Check {
  @Override
  public String cause() {
    return "hardware-fault";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    if (service.gpus().isEmpty()) {
      return List.of(
          new Outcome.Unknown(
              cause(),
              "It can't be told without an exporter of the GPUs.",
              List.of("gpu_xid", "gpu_ecc_uncorrected", "gpu_remap_pending")));
    }
    List<Outcome> found = new ArrayList<>();
    @Nullable String old = null;
    for (GpuWorld gpu : service.gpus()) {
      HardwareDamage damage = HardwareDamage.of(service, gpu, thresholds);
      old = old == null ? damage.old() : old;
      if (!damage.isNone()) {
        found.add(outcome(service, gpu, damage, thresholds));
      }
    }
    if (!found.isEmpty()) {
      return found;
    }
    String because =
        old == null ? "No GPU reports an error that is more than a program's own." : old;
    return List.of(new Outcome.RuledOut(cause(), because, List.of()));
  }

  private Outcome outcome(
      ServiceWorld service, GpuWorld gpu, HardwareDamage damage, Thresholds thresholds) {
    Argument argument = new Argument(cause());
    damage.signs().forEach(sign -> argument.supports(sign.strength(), sign.evidence()));
    @Nullable ReplicaWorld replica = HardwareGpus.replica(service, gpu);
    @Nullable String instance = replica == null ? gpu.gpu().engineInstance() : replica.instance();
    boolean isHurt = harm(argument, service, replica, instance, thresholds);
    String does = isHurt ? ", and the replica on it suffers" : "";
    String says =
        "%s is broken: %s%s."
            .formatted(gpu.name(), strip(damage.signs().getFirst().evidence().says()), does);
    return argument.conclude(
        service, instance, gpu.name(), effect(service), says, damage.sinceMs());
  }

  private static String strip(String sentence) {
    String plain = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    return plain.startsWith("Xid") || plain.length() < 2
        ? plain
        : plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1);
  }

  /** A replica that is gone, stuck or restarted bears out what its GPU reports. */
  private static boolean harm(
      Argument argument,
      ServiceWorld service,
      @Nullable ReplicaWorld replica,
      @Nullable String instance,
      Thresholds thresholds) {
    for (Happening happening : service.happenings()) {
      boolean isEnd =
          happening.kind() == Happening.Kind.GONE || happening.kind() == Happening.Kind.RESTART;
      if (isEnd && instance != null && instance.equals(happening.instance())) {
        Evidence fact =
            Evidence.computed("engine", "restarts", 1, "count", null, happening.says())
                .at(instance);
        argument.supports(Strength.MODERATE, fact);
        return true;
      }
    }
    if (replica == null) {
      return false;
    }
    if (replica.get("stalled").max() > 0) {
      String says = "Its engine has requests and makes no token.";
      argument.supports(
          Strength.MODERATE, Evidence.of(replica.get("stalled"), 0.0, says).at(replica.instance()));
      return true;
    }
    if (replica.upShare() < thresholds.get("replica_up_share")) {
      String says = "Its replica doesn't answer most of its scrapes.";
      Evidence fact =
          Evidence.computed(
              "engine", "up", replica.upShare(), "ratio", thresholds.get("replica_up_share"), says);
      argument.supports(Strength.MODERATE, fact.at(replica.instance()));
      return true;
    }
    return false;
  }

  private static Effect effect(ServiceWorld service) {
    double now = service.get("output_token_rate").value();
    double before = service.get("output_token_rate").baseline();
    double lost = before > now ? 1 - now / before : Double.NaN;
    return new Effect(
        "output_token_rate",
        lost,
        now,
        Double.NaN,
        "What runs on the GPU can fail or hang at any time, whatever it costs now.");
  }
}
