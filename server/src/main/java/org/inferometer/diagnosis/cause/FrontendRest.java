package org.inferometer.diagnosis.cause;

import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * The part of the first token's time that neither queue nor prefill explains.
 *
 * @param seconds now
 * @param before NaN if that isn't known
 * @param ttft seconds, all of it
 */
record FrontendRest(Reading reading, double seconds, double before, double ttft) {
  static FrontendRest of(ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    Reading rest = replica.get("first_token_rest_mean");
    Reading ttft = replica.get("ttft_mean");
    double all = HardwareTime.recent(service, ttft);
    double untold = untoldQueue(service, replica);
    if (rest.isKnown()) {
      return new FrontendRest(
          rest, HardwareTime.recent(service, rest) - untold, before(service, rest), all);
    }
    Reading queue = replica.get("queue_time_mean");
    double queued = HardwareTime.recent(service, queue);
    // Without a time of prefill the first token of a quiet time stands for it, or the peers'.
    double before = ttft.baseline() - queue.baselineOr(0);
    double usual = Double.isNaN(before) ? peers(service, replica, thresholds) : before;
    double seconds = all - (Double.isNaN(queued) ? 0 : queued) - untold;
    boolean isLonger = promptWork(service, replica) >= thresholds.get("request_same");
    return new FrontendRest(ttft, isLonger ? Double.NaN : seconds - usual, 0, all);
  }

  /**
   * What requests wait in the engine by Little's law beyond what those tell that have ended, which
   * began while the queue was shorter.
   */
  private static double untoldQueue(ServiceWorld service, ReplicaWorld replica) {
    double waiting = HardwareTime.recent(service, replica.get("waiting"));
    double rate = HardwareTime.recent(service, replica.get("request_rate"));
    double told = HardwareTime.recent(service, replica.get("queue_time_mean"));
    double little = rate > 0 && waiting > 0 ? waiting / rate : 0;
    return Math.max(0, little - (Double.isNaN(told) ? 0 : told));
  }

  /** Prompt tokens to compute for a request, through those of before; NaN if not known. */
  private static double promptWork(ServiceWorld service, ReplicaWorld replica) {
    return EnginePart.each(service).stream()
        .filter(p -> p.instance() == null || p.instance().equals(replica.instance()))
        .mapToDouble(
            p -> p.computedLength(EnginePart.When.NOW) / p.computedLength(EnginePart.When.BEFORE))
        .findFirst()
        .orElse(Double.NaN);
  }

  /**
   * What it was over the baseline, by its mean or by most of its moments, whichever is more: both
   * mix first tokens with the answers to other requests where these come and go unevenly, as after
   * a start, which makes the rest small or negative and proves nothing.
   */
  private static double before(ServiceWorld service, Reading rest) {
    Period baseline = service.baseline();
    double usual = baseline == null ? Double.NaN : HardwareTime.median(rest, baseline);
    return usual > rest.baseline() || Double.isNaN(rest.baseline()) ? usual : rest.baseline();
  }

  /** What a first token takes at the peers beyond their queues; NaN without peers. */
  private static double peers(ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    List<ReplicaWorld> peers = HardwarePeers.of(service, replica, thresholds);
    double queued = HardwarePeers.median(service, peers, "queue_time_mean");
    return HardwarePeers.median(service, peers, "ttft_mean") - (Double.isNaN(queued) ? 0 : queued);
  }

  double share() {
    return seconds / ttft;
  }
}
