package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

/**
 * One replica takes a multiple of the time of its peers for the same work, with no more to do than
 * they have. Why is the matter of other checks; this one says where to look.
 */
public final class SlowReplica implements Check {
  @Override
  public String cause() {
    return "slow-replica";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> found = new ArrayList<>();
    boolean hasPeers = false;
    for (ReplicaWorld replica : service.replicas()) {
      List<ReplicaWorld> peers = HardwarePeers.of(service, replica, thresholds);
      hasPeers |= !peers.isEmpty() && replica.get("tpot_mean").isKnown();
      Slowness slowness = Slowness.of(service, replica, peers);
      if (slowness.ratio() >= thresholds.get("slow_replica_ratio")) {
        found.add(outcome(service, replica, peers, slowness, thresholds));
      }
    }
    if (!found.isEmpty()) {
      return found;
    }
    if (!hasPeers) {
      return List.of(
          new Outcome.RuledOut(cause(), "There are no two replicas to compare.", List.of()));
    }
    return List.of(
        new Outcome.RuledOut(cause(), "All replicas take about the same time.", List.of()));
  }

  /**
   * By how much a replica is slower than its peers' median.
   *
   * @param ratio NaN if it can't be told
   * @param before the same over the baseline
   */
  private record Slowness(Reading reading, double ratio, double before) {
    static Slowness of(ServiceWorld service, ReplicaWorld replica, List<ReplicaWorld> peers) {
      String step = replica.get("itl_mean").isKnown() ? "itl_mean" : "tpot_mean";
      Slowness decode =
          new Slowness(
              replica.get(step),
              HardwarePeers.ratio(service, replica, peers, step),
              HardwarePeers.ratioBefore(replica, peers, step));
      boolean isMeasured = replica.get("prefill_time_mean").isKnown();
      String first = isMeasured ? "prefill_time_mean" : "ttft_mean";
      Slowness prefill =
          new Slowness(
              replica.get(first),
              HardwarePeers.prefillSlowdown(service, replica, peers),
              HardwarePeers.prefillSlowdownBefore(service, replica, peers));
      return prefill.ratio > decode.ratio * CLEARLY ? prefill : decode;
    }

    /**
     * GPUs of one memory size differ by a generation's computing, threefold (H100 to A100), and by
     * far less in what they read, 1.7-fold; so decode tells a fault from an older GPU.
     */
    boolean isOfPrefill() {
      return !reading.signal().equals("itl_mean") && !reading.signal().equals("tpot_mean");
    }

    /** Decode is measured best, so that prefill is told of only where it says much more. */
    private static final double CLEARLY = 1.5;
  }

  private Outcome outcome(
      ServiceWorld service,
      ReplicaWorld replica,
      List<ReplicaWorld> peers,
      Slowness slowness,
      Thresholds thresholds) {
    Argument argument = new Argument(cause());
    boolean isMuch = slowness.ratio() >= thresholds.get("slow_replica_much");
    String times = Phrases.number(slowness.ratio());
    String title = Phrases.inSentence(slowness.reading().title());
    String says = "Its %s is %s times its peers'.".formatted(title, times);
    argument.supports(
        isMuch ? Strength.STRONG : Strength.MODERATE,
        Evidence.of(
                slowness.reading(),
                HardwarePeers.median(service, peers, slowness.reading().signal())
                    * thresholds.get("slow_replica_ratio"),
                says)
            .at(replica.instance()));
    load(argument, service, replica, peers, thresholds);
    if (argument.isOver()) {
      return argument.over();
    }
    hardware(argument, service, replica, slowness, thresholds);
    peers(argument, peers);
    watched(argument, replica);
    recomputed(argument, service, replica, slowness, thresholds);
    if (service.symptoms().isEmpty()) {
      String well = "Users of the service as a whole feel nothing of it.";
      argument.opposes(
          isMuch ? Strength.WEAK : Strength.MODERATE,
          Evidence.of(service.get("tpot_p95"), null, well));
    }
    double others = HardwarePeers.median(service, peers, slowness.reading().signal());
    double limit = others * thresholds.get("slow_replica_ratio");
    return argument.conclude(
        service,
        replica.instance(),
        null,
        HardwareEffects.against(service, slowness.reading(), others),
        "%s takes %s times as long as its peers with no more to do than they have%s."
            .formatted(
                name(replica),
                times,
                replica.gpus().isEmpty() ? "; why can't be told without metrics of its GPUs" : ""),
        HardwareTime.since(service, slowness.reading(), value -> value >= limit));
  }

  private static String name(ReplicaWorld replica) {
    return replica.name() == null ? replica.instance() : replica.name();
  }

  /** What gets more requests or longer ones is slower by right. */
  private static void load(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      List<ReplicaWorld> peers,
      Thresholds thresholds) {
    for (String signal : List.of("request_start_rate", "request_rate", "output_token_rate")) {
      Reading reading = replica.get(signal);
      double ratio = HardwarePeers.ratio(service, replica, peers, signal);
      if (!Double.isNaN(ratio)) {
        double most = thresholds.get("peer_load_factor");
        String says =
            "It gets %s times the load of its peers (%s)."
                .formatted(Phrases.number(ratio), Phrases.inSentence(reading.title()));
        argument.needs(
            ratio <= most,
            Strength.MODERATE,
            Evidence.of(reading, most * HardwarePeers.median(service, peers, signal), says)
                .at(replica.instance()));
        return;
      }
    }
  }

  /** It was as fast as they are, or it never was since its hardware is another. */
  private static void hardware(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      Slowness slowness,
      Thresholds thresholds) {
    double least = thresholds.get("explained_share") * (slowness.ratio() - 1);
    if (slowness.before() > 0) {
      boolean isNew = slowness.ratio() - slowness.before() >= least;
      String says =
          "Before it took %s times as long as its peers."
              .formatted(Phrases.number(slowness.before()));
      Evidence fact =
          Evidence.computed(
              "request",
              "slower_than_peers_before",
              slowness.before(),
              "ratio",
              slowness.ratio() - least,
              says);
      if (isNew) {
        argument.supports(Strength.STRONG, fact.at(replica.instance()));
        return;
      }
    }
    String own = model(replica);
    boolean isSame = own != null;
    for (ReplicaWorld other : service.replicas()) {
      String theirs = model(other);
      isSame &= Objects.equals(own, theirs);
      if (own != null && theirs != null && !Objects.equals(own, theirs)) {
        String says = "It runs on %s, %s on %s.".formatted(own, other.instance(), theirs);
        argument.opposes(
            Strength.DECISIVE,
            Evidence.computed("gpu", "gpu_model", 1, "count", null, says).at(replica.instance()));
        return;
      }
    }
    same(argument, service, replica, isSame ? own : null, slowness, thresholds);
  }

  /** What was slow all along is a fault only if it has what the others have. */
  private static void same(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      @Nullable String model,
      Slowness slowness,
      Thresholds thresholds) {
    if (model != null) {
      String says = "All replicas run on %s.".formatted(model);
      argument.supports(
          Strength.WEAK,
          Evidence.computed("gpu", "gpu_model", 1, "count", null, says).at(replica.instance()));
      return;
    }
    Reading capacity = replica.get("kv_capacity_tokens");
    double others = HardwareGpus.median(others(service, replica));
    double spread = Math.max(capacity.value() / others, others / capacity.value());
    double most = thresholds.get("same_capacity");
    boolean isOfAge =
        slowness.isOfPrefill() || slowness.ratio() < thresholds.get("slow_replica_much");
    boolean isDoubted = isOfAge && service.symptoms().isEmpty();
    if (spread <= most && !isDoubted) {
      String says = "Its KV cache holds as many tokens as its peers': it seems to run on the same.";
      argument.supports(Strength.WEAK, Evidence.of(capacity, most, says).at(replica.instance()));
      return;
    }
    boolean isOther = spread > most;
    String says =
        isOther
            ? "Its KV cache holds %s times as many tokens as its peers': it runs on something else."
                .formatted(Phrases.number(capacity.value() / others))
            : "It was never seen to be faster, and what it runs on isn't told: GPUs of an older"
                + " generation may have as much memory.";
    argument.opposes(
        isOther ? Strength.DECISIVE : isDoubted ? Strength.MODERATE : Strength.WEAK,
        Evidence.of(capacity, most, says).at(replica.instance()));
  }

  private static double[] others(ServiceWorld service, ReplicaWorld replica) {
    return service.replicas().stream()
        .filter(other -> !other.instance().equals(replica.instance()))
        .mapToDouble(other -> other.get("kv_capacity_tokens").value())
        .toArray();
  }

  private static @Nullable String model(ReplicaWorld replica) {
    for (GpuWorld gpu : replica.gpus()) {
      return gpu.gpu().model();
    }
    return null;
  }

  /** Prompts that lose their blocks are computed again: that is more to do than peers have. */
  private static void recomputed(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      Slowness slowness,
      Thresholds thresholds) {
    if (!slowness.isOfPrefill()) {
      return;
    }
    boolean isPreempting =
        EnginePart.each(service).stream()
            .anyMatch(
                one -> replica.instance().equals(one.instance()) && one.isPreempting(thresholds));
    if (isPreempting) {
      Reading preempted = replica.get("preemption_rate");
      String says =
          "%s requests a second lose their blocks in it, whose prompts are computed again."
              .formatted(Phrases.number(preempted.value()));
      argument.opposes(
          Strength.DECISIVE, Evidence.of(preempted, null, says).at(replica.instance()));
    }
  }

  /** Where it is stays true; that nothing stands behind it is less sure. */
  private static void watched(Argument argument, ReplicaWorld replica) {
    if (replica.gpus().isEmpty()) {
      String says =
          "None of its GPUs is watched: heat, a power limit or a fault of theirs would look the"
              + " same.";
      argument.opposes(
          Strength.WEAK,
          Evidence.computed("gpu", "gpu_sm_clock", 0, "count", null, says).at(replica.instance()));
    }
  }

  private static void peers(Argument argument, List<ReplicaWorld> peers) {
    if (peers.size() > 1) {
      String says = peers.size() + " others do the same work and agree with one another.";
      argument.supports(
          Strength.WEAK, Evidence.computed("request", "peers", peers.size(), "count", 2.0, says));
    }
  }
}
