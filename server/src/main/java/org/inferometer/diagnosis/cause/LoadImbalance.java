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
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;

/**
 * One replica gets far more requests than its peers and makes them wait, while the others have
 * room. Loads that differ and harm nobody are what routing by prefix or session is for.
 */
public final class LoadImbalance implements Check {
  /** What tells how much a replica gets, the best first: arrivals don't depend on its speed. */
  private static final List<String> ARRIVALS = List.of("request_start_rate", "request_rate");

  @Override
  public String cause() {
    return "load-imbalance";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    List<Outcome> found = new ArrayList<>();
    double most = 0;
    for (ReplicaWorld replica : service.replicas()) {
      List<ReplicaWorld> peers = HardwarePeers.of(service, replica, thresholds);
      for (String signal : ARRIVALS) {
        double ratio = HardwarePeers.ratio(service, replica, peers, signal);
        if (!Double.isNaN(ratio)) {
          most = Math.max(most, ratio);
          if (ratio >= thresholds.get("imbalance_ratio")) {
            found.add(
                outcome(
                    service, replica, peers, new Share(replica.get(signal), ratio), thresholds));
          }
          break;
        }
      }
    }
    if (!found.isEmpty()) {
      return found;
    }
    String because =
        most == 0
            ? "There are no two replicas to compare."
            : "The busiest replica gets %s times the requests of the others."
                .formatted(Phrases.number(most));
    return List.of(new Outcome.RuledOut(cause(), because, List.of()));
  }

  /** How many times its peers' requests a replica gets. */
  private record Share(Reading reading, double ratio) {}

  private Outcome outcome(
      ServiceWorld service,
      ReplicaWorld replica,
      List<ReplicaWorld> peers,
      Share share,
      Thresholds thresholds) {
    Argument argument = new Argument(cause());
    String at = replica.instance();
    String times = Phrases.number(share.ratio());
    argument.supports(
        Strength.MODERATE,
        Evidence.of(
                share.reading(),
                thresholds.get("imbalance_ratio"),
                "It gets " + times + " times the requests of its peers.")
            .at(at));
    works(argument, service, replica, peers);
    harm(argument, service, replica, peers, thresholds);
    room(argument, service, replica, peers, thresholds);
    double before = HardwarePeers.ratioBefore(replica, peers, share.reading().signal());
    if (before * thresholds.get("work_grew") <= share.ratio()) {
      String says = "Before it got %s times theirs.".formatted(Phrases.number(before));
      argument.supports(
          Strength.MODERATE,
          Evidence.computed("request", "requests_of_peers_before", before, "ratio", null, says)
              .at(at));
    }
    double limit =
        HardwarePeers.median(service, peers, share.reading().signal())
            * thresholds.get("imbalance_ratio");
    return argument.conclude(
        service,
        at,
        null,
        effect(service, peers),
        "%s gets %s times the requests of its peers and makes them wait, while those have room."
            .formatted(at, times),
        HardwareTime.since(service, share.reading(), value -> value >= limit));
  }

  /** One that is stuck or slow isn't overloaded: what gets most makes most. */
  private static void works(
      Argument argument, ServiceWorld service, ReplicaWorld replica, List<ReplicaWorld> peers) {
    double ratio = HardwarePeers.ratio(service, replica, peers, "output_token_rate");
    if (!Double.isNaN(ratio)) {
      String says = "It makes %s times the tokens of its peers.".formatted(Phrases.number(ratio));
      argument.needs(
          ratio >= 1,
          Strength.WEAK,
          Evidence.of(replica.get("output_token_rate"), 1.0, says).at(replica.instance()));
    }
  }

  private static void harm(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      List<ReplicaWorld> peers,
      Thresholds thresholds) {
    Reading waiting = replica.get("waiting");
    double queued = HardwareTime.recent(service, waiting);
    double ttft = HardwarePeers.ratio(service, replica, peers, "ttft_mean");
    double tpot = HardwarePeers.ratio(service, replica, peers, "tpot_mean");
    double least = thresholds.get("slow_replica_ratio");
    boolean isQueued = queued >= 1 && !(ttft < least);
    boolean isLate = ttft >= thresholds.get("slow_replica_much");
    boolean isSlow = tpot >= least;
    boolean isFelt = !service.symptoms().isEmpty();
    String says =
        isQueued || Double.isNaN(ttft)
            ? Phrases.value("requests", queued) + " wait there."
            : "A first token takes %s times as long there as at its peers, a further one %s times."
                .formatted(Phrases.number(ttft), Phrases.number(tpot));
    Reading shown = isQueued || Double.isNaN(ttft) ? waiting : replica.get("ttft_mean");
    argument.needs(
        isQueued || ((isLate || isSlow) && isFelt),
        isQueued ? Strength.STRONG : Strength.MODERATE,
        Evidence.of(shown, null, says).at(replica.instance()));
  }

  private static void room(
      Argument argument,
      ServiceWorld service,
      ReplicaWorld replica,
      List<ReplicaWorld> peers,
      Thresholds thresholds) {
    double waiting = HardwarePeers.median(service, peers, "waiting");
    double running = HardwarePeers.ratio(service, replica, peers, "running");
    boolean hasRoom = !(waiting >= 1) && running >= thresholds.get("imbalance_ratio");
    String says =
        hasRoom
            ? "Its peers run %s times fewer requests, and nothing waits there."
                .formatted(Phrases.number(running))
            : "Its peers aren't idle either.";
    argument.weighs(
        hasRoom,
        Strength.STRONG,
        Strength.STRONG,
        Evidence.of(replica.get("running"), null, says).at(replica.instance()));
  }

  /** Spread evenly, a request would wait as it does at the others. */
  private static Effect effect(ServiceWorld service, List<ReplicaWorld> peers) {
    Reading ttft = service.get("ttft_mean");
    double others = HardwarePeers.median(service, peers, "ttft_mean");
    return HardwareEffects.of(
        ttft, ttft.value(), others, "all replicas were as busy as the others are now");
  }
}
