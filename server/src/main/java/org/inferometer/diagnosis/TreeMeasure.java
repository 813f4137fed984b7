package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Identities;
import org.inferometer.diagnosis.world.Identity;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.inferometer.signals.GpuEvent;
import org.jspecify.annotations.Nullable;

/**
 * What answers a question of the decision tree.
 *
 * @param signal that tells it, or null if it is made of several
 * @param value NaN if it can't be told
 * @param limit what it is held against, null if the question's threshold is
 */
record TreeMeasure(@Nullable String signal, double value, String unit, @Nullable Double limit) {
  /** Finds what answers a question. */
  interface Measuring {
    TreeMeasure of(ServiceWorld service, Thresholds thresholds);
  }

  /** All by the name that the tree calls them. */
  static final Map<String, Measuring> ALL = all();

  private static Map<String, Measuring> all() {
    Map<String, Measuring> all = new LinkedHashMap<>();
    all.put("telemetry-faults", (s, _) -> telemetryFaults(s));
    all.put("symptoms", (s, _) -> count(null, s.symptoms().all().size()));
    all.put("hardware-faults", (s, _) -> hardwareFaults(s));
    all.put("stalled", (s, _) -> stalled(s));
    all.put("arrivals", (s, _) -> arrivals(s));
    all.put("restarts", (s, _) -> restarts(s));
    all.put("memory-growth", (s, _) -> memoryGrowth(s));
    all.put("length-share", (s, _) -> of(s.get("length_share")));
    all.put("started-share", (s, _) -> startedShare(s));
    all.put("edge-only", (s, _) -> edgeOnly(s));
    all.put("gateway-in-flight", (s, _) -> gatewayInFlight(s));
    all.put("gateway-first-token", (s, _) -> firstToken(s, s.gateways()));
    all.put("client-first-token", (s, _) -> firstToken(s, s.clients()));
    all.put("failures", (s, _) -> symptom(s, Symptom.Kind.FAILURES));
    all.put("ttft", (s, _) -> symptom(s, Symptom.Kind.TTFT));
    all.put("tpot", (s, _) -> symptom(s, Symptom.Kind.TPOT));
    all.put("itl", (s, _) -> symptom(s, Symptom.Kind.ITL_TAIL));
    all.put("queue-share", (s, _) -> of(s.get("queue_share")));
    all.put("queue-weight", TreeMeasure::queueWeight);
    all.put("slowest-replica", (s, _) -> of(s.get("slowest_replica")));
    all.put("load-imbalance", (s, _) -> loadImbalance(s));
    all.put("waiting-imbalance", (s, _) -> waitingImbalance(s));
    all.put("first-token-rest", (s, _) -> firstTokenRest(s));
    all.put("kv-transfer-share", (s, _) -> kvTransferShare(s));
    all.put("kv-full", (s, _) -> kvFull(s));
    all.put("preemptions", (s, _) -> of(s.get("preemption_rate")));
    all.put("hit-loss", (s, _) -> hitLoss(s));
    all.put("adapters-without-slot", (s, _) -> adaptersWithoutSlot(s));
    all.put("prefill-token-share", (s, _) -> of(s.get("prefill_token_share")));
    all.put("prompt-weight", TreeMeasure::promptWeight);
    all.put("drafts-rejected", (s, _) -> draftsRejected(s));
    all.put("batch-growth", (s, _) -> ratio(s.get("running")));
    all.put("output-growth", (s, _) -> ratio(s.get("output_length_mean")));
    all.put("thermal-share", (s, _) -> TreeHardware.thermalShare(s));
    all.put("power-clock-loss", (s, _) -> TreeHardware.powerClockLoss(s));
    all.put("rank-spread", (s, _) -> TreeHardware.rankSpread(s));
    all.put("host-cpu", (s, _) -> TreeHardware.hostCpu(s));
    all.put("gpu-idle", (s, _) -> TreeHardware.gpuIdle(s));
    all.put("memory-bound", (s, _) -> TreeHardware.memoryBound(s));
    return all;
  }

  static TreeMeasure of(Reading reading) {
    return new TreeMeasure(reading.signal(), reading.value(), reading.unit(), null);
  }

  static TreeMeasure ratio(Reading reading) {
    return new TreeMeasure(reading.signal(), reading.ratio(), "count", null);
  }

  static TreeMeasure count(@Nullable String signal, double value) {
    return new TreeMeasure(signal, value, "count", null);
  }

  static TreeMeasure share(@Nullable String signal, double value) {
    return new TreeMeasure(signal, value, "ratio", null);
  }

  /** The largest of the known; NaN if none is. */
  static <T> double largest(List<T> things, ToDoubleFunction<T> value) {
    return things.stream()
        .mapToDouble(value)
        .filter(one -> !Double.isNaN(one))
        .max()
        .orElse(Double.NaN);
  }

  /** A symptom's value against its limit; the engine's own comes first. */
  private static TreeMeasure symptom(ServiceWorld service, Symptom.Kind kind) {
    Symptom found = service.symptoms().find(kind);
    if (found != null) {
      Reading reading = found.reading();
      return new TreeMeasure(reading.signal(), reading.value(), reading.unit(), found.limit());
    }
    Reading reading =
        switch (kind) {
          case TTFT -> service.get("ttft_p95");
          case TPOT -> service.get("tpot_p95");
          case ITL_TAIL -> service.get("itl_p99");
          case E2E -> service.get("e2e_p95");
          case FAILURES -> service.get("error_share");
          case TRAFFIC -> service.get("request_start_rate");
        };
    return new TreeMeasure(
        reading.signal(), reading.value(), reading.unit(), Double.POSITIVE_INFINITY);
  }

  private static TreeMeasure telemetryFaults(ServiceWorld service) {
    List<TelemetryProblem> faults =
        service.telemetry().stream().filter(TelemetryProblem::isFault).toList();
    return count(null, faults.size());
  }

  private static TreeMeasure hardwareFaults(ServiceWorld service) {
    int faults = 0;
    for (GpuWorld gpu : service.gpus()) {
      boolean isBad =
          gpu.events().stream().anyMatch(e -> e.kind() != GpuEvent.Kind.RESET && e.action() != null)
              || gpu.get("gpu_ecc_uncorrected").rise() > 0
              || gpu.get("gpu_remap_failed").value() > 0;
      faults += isBad ? 1 : 0;
    }
    return count("gpu_xid", service.gpus().isEmpty() ? Double.NaN : faults);
  }

  private static TreeMeasure stalled(ServiceWorld service) {
    double whole = service.get("stalled").max();
    double one = largest(service.replicas(), r -> r.get("stalled").value());
    return count("stalled", Double.isNaN(one) ? whole : one);
  }

  private static TreeMeasure arrivals(ServiceWorld service) {
    double sum = 0;
    boolean isKnown = false;
    for (String signal : List.of("request_start_rate", "request_rate", "running", "waiting")) {
      double value = service.get(signal).value();
      isKnown |= !Double.isNaN(value);
      sum += Double.isNaN(value) ? 0 : value;
    }
    return count("request_start_rate", isKnown ? sum : Double.NaN);
  }

  private static long restartsOf(ServiceWorld service, String instance) {
    return service.happenings().stream()
        .filter(h -> h.kind() == Happening.Kind.RESTART && instance.equals(h.instance()))
        .count();
  }

  private static TreeMeasure restarts(ServiceWorld service) {
    return count(null, largest(service.replicas(), r -> restartsOf(service, r.instance())));
  }

  private static TreeMeasure startedShare(ServiceWorld service) {
    long started =
        service.replicas().stream()
            .filter(
                replica ->
                    service.happenings().stream()
                        .anyMatch(
                            h ->
                                h.kind() == Happening.Kind.RESTART
                                    && replica.instance().equals(h.instance())
                                    && service.window().contains(h.timeMs())))
            .count();
    int all = service.replicas().size();
    return share(null, all == 0 ? Double.NaN : (double) started / all);
  }

  private static double growth(Reading growth, Reading memory) {
    return growth.value() / memory.value();
  }

  private static TreeMeasure memoryGrowth(ServiceWorld service) {
    return share(
        "process_memory_growth",
        largest(
            service.replicas(),
            r -> growth(r.get("process_memory_growth"), r.get("process_memory"))));
  }

  private static TreeMeasure edgeOnly(ServiceWorld service) {
    boolean isBefore = service.symptoms().all().stream().anyMatch(s -> s.edge() != null);
    boolean isEngine = service.symptoms().all().stream().anyMatch(s -> s.edge() == null);
    return count(null, isBefore && !isEngine ? 1 : 0);
  }

  private static TreeMeasure gatewayInFlight(ServiceWorld service) {
    List<Identity> gateways = new ArrayList<>();
    for (Identity identity : Identities.of(service)) {
      if (identity.layer().equals("gateway")) {
        gateways.add(identity);
      }
    }
    return count("running", largest(gateways, i -> i.whole() / Math.max(1, i.parts())));
  }

  private static TreeMeasure firstToken(ServiceWorld service, List<EdgeWorld> edges) {
    double engine = service.get("ttft_mean").value();
    return count("ttft_mean", largest(edges, e -> e.get("ttft_mean").value()) / engine);
  }

  private static TreeMeasure queueWeight(ServiceWorld service, Thresholds thresholds) {
    double ofTotal = service.get("queue_share").value();
    double ofFirst = service.get("queue_time_mean").value() / service.get("ttft_mean").value();
    boolean isMost = ofFirst > thresholds.get("tree_rest_share") && Double.isFinite(ofFirst);
    return share("queue_share", isMost ? Math.max(ofFirst, ofTotal) : ofTotal);
  }

  private static TreeMeasure loadImbalance(ServiceWorld service) {
    return count(
        "load_imbalance_requests",
        largest(
            List.of("load_imbalance_requests", "load_imbalance_tokens"),
            signal -> service.get(signal).value()));
  }

  private static TreeMeasure waitingImbalance(ServiceWorld service) {
    double sum = 0;
    for (ReplicaWorld replica : service.replicas()) {
      sum += replica.get("waiting").or(0);
    }
    double mean = sum / service.replicas().size();
    double most = largest(service.replicas(), r -> r.get("waiting").value());
    return count("waiting", mean > 0 ? most / mean : Double.NaN);
  }

  private static TreeMeasure firstTokenRest(ServiceWorld service) {
    Identity first = Identities.of(service, "ttft");
    Identity total = Identities.of(service, "e2e");
    double rest = first.residualShare();
    double gap = total.residual() / service.get("ttft_mean").value();
    return share("first_token_rest_mean", Double.isNaN(rest) ? Math.min(1, gap) : rest);
  }

  private static TreeMeasure kvTransferShare(ServiceWorld service) {
    double transfer = service.get("kv_transfer_time_mean").value();
    return share("kv_transfer_time_mean", transfer / service.get("ttft_mean").value());
  }

  private static TreeMeasure kvFull(ServiceWorld service) {
    Reading usage = service.get("kv_usage_max");
    double preempted = service.get("preemption_rate").or(0);
    return share(usage.signal(), preempted > 0 ? Math.max(1, usage.max()) : usage.max());
  }

  /** How much of all prompt tokens comes from the cache no more, preemptions apart. */
  private static TreeMeasure hitLoss(ServiceWorld service) {
    double preempted = service.get("preemption_rate").or(0);
    Reading cached = service.get("cached_prompt_share");
    Reading hits = cached.isComparable() ? cached : service.get("prefix_hit_share");
    return share(hits.signal(), preempted > 0 ? 0 : -hits.rise());
  }

  /** An adapter may be named both as running and as waited for. */
  private static TreeMeasure adaptersWithoutSlot(ServiceWorld service) {
    double waited = service.get("lora_waiting").value();
    return count("lora_waiting", Math.max(0, waited - service.get("lora_slots").or(0)));
  }

  /**
   * Computed prompt tokens of a request against before, or by their share of all that is computed.
   */
  private static TreeMeasure promptWeight(ServiceWorld service, Thresholds thresholds) {
    Reading length = service.get("prompt_length_mean");
    if (length.isComparable()) {
      return ratio(length);
    }
    Reading prefill = service.get("prefill_token_share");
    double most = thresholds.get("tree_prefill_tokens");
    return new TreeMeasure(prefill.signal(), prefill.value(), prefill.unit(), most);
  }

  private static TreeMeasure draftsRejected(ServiceWorld service) {
    Reading kept = service.get("spec_acceptance_share");
    return share(kept.signal(), 1 - kept.value());
  }
}
