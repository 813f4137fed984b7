package org.inferometer.diagnosis;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Identities;
import org.inferometer.diagnosis.world.Identity;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.signals.Phrases;

/** Values for flags that follow from what was measured; empty if they can't be told. */
final class Proposals {
  /** All by the name that advice and profiles call them. */
  static final Map<String, Function<ServiceWorld, String>> ALL = all();

  /** Half as much again: room between what is needed on average and at peaks. */
  private static final double HEADROOM = 1.5;

  /** A fifth more than the longest requests of the window: the next hour has longer ones. */
  private static final double LENGTH_ROOM = 1.2;

  /** Lengths are rounded up to this many tokens. */
  private static final int LENGTH_STEP = 512;

  private Proposals() {}

  private static Map<String, Function<ServiceWorld, String>> all() {
    Map<String, Function<ServiceWorld, String>> all = new LinkedHashMap<>();
    all.put("seqs-that-fit", s -> whole(seqsThatFit(s)));
    all.put("seqs-for-pace", s -> whole(seqsForPace(s)));
    all.put("replicas-needed", s -> whole(replicasNeeded(s)));
    all.put("replicas-for-pace", s -> whole(replicasForPace(s)));
    all.put("queue-in-time", s -> whole(queueInTime(s)));
    all.put("memory-share-raised", s -> today(s, 0.02, 0.95));
    all.put("memory-share-lowered", s -> today(s, -0.06, 0.9));
    all.put("context-needed", s -> whole(contextNeeded(s)));
    all.put("step-tokens-halved", Proposals::stepTokensHalved);
    all.put("drafts-that-pay", s -> s.get("spec_acceptance_length").value() < 1.3 ? "0" : "");
    all.put("front-ends-needed", s -> whole(frontEnds(s)));
    all.put("timeout-needed", Proposals::timeout);
    all.put("connections-needed", s -> whole(connections(s)));
    all.put("max-tokens-needed", s -> whole(rounded(2 * s.get("output_length_p99").value())));
    all.put("adapters-in-use", s -> whole(adapters(s)));
    return all;
  }

  private static String whole(double value) {
    return value > 0 && Double.isFinite(value) ? String.valueOf(Math.round(value)) : "";
  }

  /** Requests of mean length that a replica's cache holds when they end, nothing shared. */
  static double seqsThatFit(ServiceWorld service) {
    double length =
        service.get("prompt_length_mean").value() + service.get("output_length_mean").value();
    double least = Double.NaN;
    for (ReplicaWorld replica : service.replicas()) {
      double tokens = replica.get("kv_capacity_tokens").value();
      least = Double.isNaN(least) ? tokens : Math.min(least, tokens);
    }
    if (Double.isNaN(least)) {
      int replicas = Math.max(1, service.replicas().size());
      least = service.get("kv_capacity_tokens").value() / replicas;
    }
    return Math.floor(least / length);
  }

  private static double goalRatio(ServiceWorld service) {
    Symptom pace = service.symptoms().find(Symptom.Kind.TPOT);
    return pace == null ? Double.NaN : pace.limit() / pace.reading().value();
  }

  /** The batch at which the pace would meet its limit, if it were in proportion. */
  private static double seqsForPace(ServiceWorld service) {
    int replicas = Math.max(1, service.replicas().size());
    return Math.floor(service.get("running").value() / replicas * goalRatio(service));
  }

  private static double replicasForPace(ServiceWorld service) {
    return Math.ceil(service.replicas().size() / goalRatio(service));
  }

  /** As many as serve all arrivals at the rate at which each finishes requests now. */
  static double replicasNeeded(ServiceWorld service) {
    double arrivals = service.get("request_start_rate").value();
    double finished = service.get("completed_rate").value();
    double needed = Math.ceil(service.replicas().size() * arrivals / finished);
    return Math.max(needed, service.replicas().size() + 1.0);
  }

  /** What a replica finishes within the first token's limit. */
  private static double queueInTime(ServiceWorld service) {
    Symptom first = service.symptoms().find(Symptom.Kind.TTFT);
    double limit = first == null ? Double.NaN : first.limit();
    double each = service.get("completed_rate").value() / Math.max(1, service.replicas().size());
    return Math.ceil(limit * each);
  }

  private static double rounded(double tokens) {
    return Math.ceil(tokens / LENGTH_STEP) * LENGTH_STEP;
  }

  private static double contextNeeded(ServiceWorld service) {
    double longest =
        service.get("prompt_length_p99").value() + service.get("output_length_p99").value();
    return rounded(LENGTH_ROOM * longest);
  }

  /** Today's share of GPU memory, changed. */
  private static String today(ServiceWorld service, double by, double most) {
    double changed = Math.min(most, Settings.number(service, "memory-share") + by);
    return Double.isNaN(changed) ? "" : String.valueOf(Math.round(changed * 100) / 100.0);
  }

  private static String stepTokensHalved(ServiceWorld service) {
    return whole(Math.max(LENGTH_STEP, Settings.number(service, "step-tokens") / 2));
  }

  /** Processes that would each be busy for two thirds of the time. */
  private static double frontEnds(ServiceWorld service) {
    double busy = Double.NaN;
    for (ReplicaWorld replica : service.replicas()) {
      double cores = replica.get("process_cpu").value();
      busy = Double.isNaN(busy) ? cores : Math.max(busy, cores);
    }
    return Math.max(2, Math.ceil(busy * HEADROOM));
  }

  private static String timeout(ServiceWorld service) {
    Reading longest = service.get("e2e_p99");
    return longest.isKnown() ? Phrases.value("seconds", Math.ceil(longest.value() * HEADROOM)) : "";
  }

  private static double connections(ServiceWorld service) {
    double most = Double.NaN;
    for (EdgeWorld edge : service.gateways()) {
      Identity within = Identities.of(service, "in_flight:" + edge.id());
      most = Double.isNaN(most) ? within.whole() : Math.max(most, within.whole());
    }
    return Math.ceil(most * HEADROOM);
  }

  private static double adapters(ServiceWorld service) {
    return Math.max(service.get("lora_running").value(), service.get("lora_waiting").value());
  }
}
