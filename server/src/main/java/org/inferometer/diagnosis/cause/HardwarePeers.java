package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;

/** A replica against itself before and against the others that do the same work. */
final class HardwarePeers {
  private HardwarePeers() {}

  /**
   * The others that do the same work: lengths within a factor. Prefill and decode instances of one
   * service aren't peers.
   */
  static List<ReplicaWorld> of(ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    double factor = thresholds.get("peer_length_factor");
    List<ReplicaWorld> peers = new ArrayList<>();
    for (ReplicaWorld other : service.replicas()) {
      if (!other.instance().equals(replica.instance())
          && other.get("tpot_mean").isKnown()
          && isNear(replica, other, "output_length_mean", factor)
          && isNear(replica, other, "prompt_length_mean", factor)) {
        peers.add(other);
      }
    }
    return peers;
  }

  private static boolean isNear(
      ReplicaWorld one, ReplicaWorld other, String signal, double factor) {
    double ratio = one.get(signal).value() / other.get(signal).value();
    return Double.isNaN(ratio) || (ratio <= factor && ratio >= 1 / factor);
  }

  static double median(ServiceWorld service, List<ReplicaWorld> replicas, String signal) {
    return HardwareGpus.median(
        replicas.stream().mapToDouble(r -> HardwareTime.recent(service, r.get(signal))).toArray());
  }

  static double medianBefore(List<ReplicaWorld> replicas, String signal) {
    return HardwareGpus.median(
        replicas.stream().mapToDouble(r -> r.get(signal).baseline()).toArray());
  }

  /** How much a replica's value is of its peers' median; NaN if it can't be told. */
  static double ratio(
      ServiceWorld service, ReplicaWorld replica, List<ReplicaWorld> peers, String signal) {
    double median = median(service, peers, signal);
    return median > 0 ? HardwareTime.recent(service, replica.get(signal)) / median : Double.NaN;
  }

  static double ratioBefore(ReplicaWorld replica, List<ReplicaWorld> peers, String signal) {
    double median = medianBefore(peers, signal);
    return median > 0 ? replica.get(signal).baseline() / median : Double.NaN;
  }

  /**
   * How many times longer a token of a prompt takes to compute than before; NaN if it can't be
   * told. Where prefill isn't measured, the first token less the queue stands for it.
   */
  static double prefillSlowdown(ServiceWorld service, ReplicaWorld replica) {
    double now = prefillPerToken(service, replica, false);
    double before = prefillPerToken(service, replica, true);
    return before > 0 ? now / before : Double.NaN;
  }

  /** How many times longer than at its peers. */
  static double prefillSlowdown(
      ServiceWorld service, ReplicaWorld replica, List<ReplicaWorld> peers) {
    return prefillSlowdown(service, replica, peers, false);
  }

  /** How many times longer than at its peers it was before. */
  static double prefillSlowdownBefore(
      ServiceWorld service, ReplicaWorld replica, List<ReplicaWorld> peers) {
    return prefillSlowdown(service, replica, peers, true);
  }

  private static double prefillSlowdown(
      ServiceWorld service, ReplicaWorld replica, List<ReplicaWorld> peers, boolean isBefore) {
    double others =
        HardwareGpus.median(
            peers.stream().mapToDouble(p -> prefillPerToken(service, p, isBefore)).toArray());
    return others > 0 ? prefillPerToken(service, replica, isBefore) / others : Double.NaN;
  }

  private static double prefillPerToken(
      ServiceWorld service, ReplicaWorld replica, boolean isBefore) {
    double prefill = at(service, replica.get("prefill_time_mean"), isBefore);
    if (Double.isNaN(prefill)) {
      double queue = at(service, replica.get("queue_time_mean"), isBefore);
      double ttft = at(service, replica.get("ttft_mean"), isBefore);
      prefill = ttft - (Double.isNaN(queue) ? 0 : queue);
    }
    double cached = at(service, replica.get("cached_prompt_share"), isBefore);
    double computed = Double.isNaN(cached) ? 1 : Math.max(1 - cached, 0.01);
    return prefill / (at(service, replica.get("prompt_length_mean"), isBefore) * computed);
  }

  private static double at(ServiceWorld service, Reading reading, boolean isBefore) {
    return isBefore ? reading.baseline() : HardwareTime.recent(service, reading);
  }
}
