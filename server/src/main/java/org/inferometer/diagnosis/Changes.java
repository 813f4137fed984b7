package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * What differs between window and baseline: in what is asked for, and in what serves it; ranked by
 * how much of the change of the mean total time each can carry.
 *
 * <p>What can be carried follows from where the time went. Longer answers carry the tokens that
 * they add at the old pace. Prompts, longer or less from cache, carry as much more prefill as there
 * is more to compute. What queueing and a slower pace add is shared by whatever raised the load, by
 * the logarithms of their factors, since loads multiply. What is left can be carried by what
 * happened to the system: a restart, another release, another setting.
 */
final class Changes {
  private final ServiceWorld service;
  private final Thresholds thresholds;
  private final Map<String, Double> carried = new LinkedHashMap<>();
  private final double rise;

  Changes(ServiceWorld service, Thresholds thresholds) {
    this.service = service;
    this.thresholds = thresholds;
    this.rise = service.get("e2e_mean").rise();
  }

  /** What can carry most first. */
  List<Change> ranked() {
    List<Change> changes = new ArrayList<>();
    if (service.baseline() == null) {
      return changes;
    }
    carry();
    workload(changes, "output_length_mean", "Answers");
    workload(changes, "prompt_length_mean", "Prompts");
    workload(changes, rateSignal(), "Requests");
    prefixes(changes);
    workload(changes, "lora_running", "Adapters in use");
    happenings(changes, Math.clamp(1 - sumCarried(), 0, 1));
    changes.sort(
        Comparator.comparingDouble(change -> Double.isNaN(change.share()) ? 1 : -change.share()));
    return changes;
  }

  private String rateSignal() {
    return service.get("request_start_rate").isComparable() ? "request_start_rate" : "request_rate";
  }

  private double sumCarried() {
    return carried.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** The factor by which a signal grew; 1 if it can't be told. */
  private double factor(String signal) {
    double ratio = service.get(signal).ratio();
    return Double.isNaN(ratio) || ratio <= 0 ? 1 : ratio;
  }

  private double computedFactor() {
    Reading cached = service.get("cached_prompt_share");
    return cached.isComparable() && cached.baseline() < 1
        ? (1 - cached.value()) / (1 - cached.baseline())
        : 1;
  }

  /** Fills in how much of the rise each change of the workload can carry. */
  private void carry() {
    if (!(rise > 0)) {
      return;
    }
    double tokens = service.get("output_length_mean").rise();
    double pace = service.get("tpot_mean").baselineOr(Double.NaN);
    double byTokens = positive(tokens * pace);
    Map<String, Double> growth = new LinkedHashMap<>();
    growth.put("output_length_mean", Math.log(factor("output_length_mean")));
    growth.put("prompt_length_mean", Math.log(factor("prompt_length_mean")));
    growth.put("cached_prompt_share", Math.log(Math.max(1e-3, computedFactor())));
    growth.put(rateSignal(), Math.log(factor(rateSignal())));
    growth.replaceAll((_, log) -> Math.max(0, log));
    double byPrompt = positive(service.get("prefill_time_mean").rise());
    double byLoad =
        positive(service.get("queue_time_mean").rise())
            + positive(service.get("decode_time_mean").rise() - byTokens);
    double all = growth.values().stream().mapToDouble(Double::doubleValue).sum();
    double prompt = growth.get("prompt_length_mean") + growth.get("cached_prompt_share");
    boolean isMoreLoad = all > Math.log(thresholds.get("change_ratio_min"));
    growth.forEach(
        (signal, log) -> {
          double share = isMoreLoad ? byLoad * log / all : 0;
          share += signal.equals("output_length_mean") ? byTokens : 0;
          boolean isPrompt = !signal.equals("output_length_mean") && !signal.equals(rateSignal());
          share += isPrompt && prompt > 0 ? byPrompt * log / prompt : 0;
          carried.put(signal, Math.clamp(share / rise, 0, 1));
        });
  }

  private static double positive(double value) {
    return value > 0 ? value : 0;
  }

  private double share(String signal) {
    return rise > 0 ? carried.getOrDefault(signal, Double.NaN) : Double.NaN;
  }

  private void workload(List<Change> changes, String signal, String what) {
    Reading reading = service.get(signal);
    double ratio = reading.ratio();
    double least = thresholds.get("change_ratio_min");
    if (ratio > least || ratio < 1 / least) {
      String says =
          "%s: %s, were %s."
              .formatted(
                  what,
                  Phrases.value(reading.unit(), reading.value()),
                  Phrases.value(reading.unit(), reading.baseline()));
      changes.add(new Change("workload", null, says, share(signal), moved(signal)));
    }
  }

  private void prefixes(List<Change> changes) {
    Reading cached = service.get("cached_prompt_share");
    if (Math.abs(cached.rise()) > thresholds.get("change_share_min")) {
      String says =
          "Prompt tokens from cache: %s, were %s."
              .formatted(
                  Phrases.value("ratio", cached.value()),
                  Phrases.value("ratio", cached.baseline()));
      changes.add(
          new Change("workload", null, says, share(cached.signal()), moved(cached.signal())));
    }
  }

  /** When a signal was first seen at its new level. */
  private @Nullable Long moved(String signal) {
    return service.changes().stream()
        .filter(change -> change.signal().equals(signal) && change.instance() == null)
        .map(change -> (Long) change.timeMs())
        .findFirst()
        .orElse(null);
  }

  private void happenings(List<Change> changes, double rest) {
    Period baseline = service.baseline();
    long from = baseline == null ? service.window().startMs() : baseline.startMs();
    for (Happening happening : service.happenings()) {
      if (happening.timeMs() > from) {
        changes.add(
            new Change(
                kind(happening.kind()),
                happening.instance(),
                happening.says(),
                rise > 0 ? rest : Double.NaN,
                happening.timeMs()));
      }
    }
  }

  private static String kind(Happening.Kind kind) {
    return switch (kind) {
      case RESTART -> "restart";
      case GONE, CAME -> "replicas";
      case CONFIG -> "config";
      case VERSION -> "version";
    };
  }
}
