package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.HostWorld;
import org.inferometer.diagnosis.world.Identities;
import org.inferometer.diagnosis.world.Identity;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * Sets the layers against one another, from the client down to the host: one line for each quantity
 * that tells where time is lost, with its value and what it means, and the accounts that must
 * balance.
 */
final class Layers {
  /** What takes more than half of a time is where it goes. */
  private static final double MOST = 0.5;

  /** Above it a GPU looks busy: some kernel ran for most of the time. */
  private static final double LOOKS_BUSY = 0.8;

  /** Below it arithmetic is nearly idle: decoding small batches keeps tensor cores so. */
  private static final double ARITHMETIC_IDLE = 0.2;

  private final ServiceWorld service;
  private final Thresholds thresholds;
  private final List<LayerLine> lines = new ArrayList<>();

  Layers(ServiceWorld service, Thresholds thresholds) {
    this.service = service;
    this.thresholds = thresholds;
  }

  /** The lines whose values are known, from the top. */
  List<LayerLine> lines() {
    service.clients().forEach(edge -> edge(edge, "client"));
    service.gateways().forEach(edge -> edge(edge, "gateway"));
    requests();
    engine();
    gpus();
    hosts();
    for (Identity identity : Identities.of(service)) {
      lines.add(line(identity));
    }
    return lines;
  }

  private void add(String layer, Reading reading, @Nullable String of, String says) {
    if (reading.isKnown()) {
      lines.add(
          new LayerLine(
              layer,
              reading.signal(),
              of,
              reading.value(),
              reading.unit(),
              Double.isNaN(reading.baseline()) ? null : reading.baseline(),
              reading.query(),
              says));
    }
  }

  private void add(String layer, String signal, String says) {
    add(layer, service.get(signal), null, says);
  }

  private void edge(EdgeWorld edge, String layer) {
    String who = layer.equals("client") ? "Clients" : "The gateway";
    for (String signal : List.of("e2e_p99", "ttft_p99")) {
      Reading outside = edge.get(signal);
      Reading inside = service.get(signal);
      add(layer, outside, edge.name(), against(who, outside, inside));
    }
    add(layer, edge.get("error_share"), edge.name(), "The share of requests that fail here.");
  }

  /** Whether what is seen outside is the engine's, or is added on the way. */
  private String against(String who, Reading outside, Reading inside) {
    double rest = outside.value() - inside.value();
    if (Double.isNaN(rest)) {
      return who + " can't be compared with the engine.";
    }
    boolean isInside = outside.value() <= inside.value() * thresholds.get("tree_edge_factor");
    return isInside
        ? "Nearly all of it is inside the engine."
        : Phrases.value(outside.unit(), rest) + " of it are outside the engine.";
  }

  private void requests() {
    Reading total = service.get("e2e_p99");
    add("request", total, null, "From arrival to the last token, inside the engine.");
    Reading first = service.get("ttft_p99");
    double share = first.value() / total.value();
    add(
        "request",
        first,
        null,
        share > MOST ? "Most of the time goes before the first token." : "Most goes after it.");
    add("request", "tpot_p99", "Each token after the first.");
    Reading queue = service.get("queue_time_mean");
    double waits = queue.value() / service.get("ttft_mean").value();
    add("request", queue, null, queueSays(waits));
    add("request", "prefill_time_mean", "Computing the prompt.");
    add("request", "error_share", "Requests that end in errors or aborts.");
  }

  private static String queueSays(double share) {
    if (Double.isNaN(share)) {
      return "Waiting to be scheduled.";
    }
    String percent = Phrases.value("ratio", Math.min(1, share));
    return share > MOST
        ? "Waiting is " + percent + " of the first token: the queue is where time goes."
        : "Waiting is " + percent + " of the first token.";
  }

  private void engine() {
    Reading waiting = service.get("waiting");
    add(
        "engine",
        waiting,
        null,
        waiting.min() > 0 ? "A queue stands all the time." : "The queue empties at times.");
    add("engine", "running", "Requests in the batch, all replicas.");
    Reading kv = service.get("kv_usage_max");
    boolean isFull = kv.max() >= thresholds.get("tree_kv_full");
    add("engine", kv, null, isFull ? "The KV cache is full." : "The KV cache has room.");
    Reading preemptions = service.get("preemption_rate");
    add(
        "engine",
        preemptions,
        null,
        preemptions.value() > 0
            ? "Running requests are thrown out and computed again."
            : "Nothing is computed twice.");
    add("engine", "cached_prompt_share", "Prompt tokens that need no computing.");
    add("engine", "output_token_rate", "What it makes.");
  }

  private void gpus() {
    if (service.gpus().isEmpty()) {
      return;
    }
    Reading busy = mean("gpu_util");
    Reading tensor = mean("gpu_tensor_active");
    add("gpu", busy, null, "A kernel ran; not how much of the GPU it used.");
    boolean isIdle = tensor.value() < ARITHMETIC_IDLE && busy.value() > LOOKS_BUSY;
    add(
        "gpu",
        tensor,
        null,
        isIdle ? "Arithmetic is nearly idle though it looks busy." : "Arithmetic.");
    add("gpu", mean("gpu_dram_active"), null, "Memory traffic; decoding lives on it.");
    add("gpu", mean("gpu_sm_clock"), null, "The clock of what computes.");
    add("gpu", mean("gpu_power_share"), null, "Of what it may draw.");
    for (GpuWorld gpu : service.gpus()) {
      gpu.events().forEach(event -> event(gpu, event.says()));
    }
  }

  private void event(GpuWorld gpu, String says) {
    Reading xid = gpu.get("gpu_xid");
    lines.add(
        new LayerLine("gpu", "gpu_xid", gpu.name(), xid.value(), "count", null, xid.query(), says));
  }

  /** A GPU signal's mean over the service's GPUs, as a reading of the whole. */
  private Reading mean(String signal) {
    Reading first = service.gpus().getFirst().get(signal);
    return new Reading(
        signal,
        first.title(),
        first.unit(),
        first.layer(),
        first.quality(),
        first.reason(),
        first.query(),
        mean(signal, Reading::value),
        Double.NaN,
        Double.NaN,
        mean(signal, Reading::baseline),
        mean(signal, Reading::min),
        mean(signal, Reading::max),
        new long[0],
        new double[0],
        null);
  }

  private double mean(String signal, ToDoubleFunction<Reading> of) {
    return service.gpus().stream()
        .mapToDouble(gpu -> of.applyAsDouble(gpu.get(signal)))
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(Double.NaN);
  }

  private void hosts() {
    for (HostWorld host : service.hosts()) {
      add("host", host.get("host_cpu"), host.name(), "All cores.");
      add("host", host.get("host_cpu_core_max"), host.name(), "The busiest core.");
      add("host", host.get("host_steal"), host.name(), "CPU that neighbours take.");
    }
  }

  private static LayerLine line(Identity identity) {
    double left = identity.residual();
    // Parts are counted at other moments, or over other requests, than the whole.
    String rest =
        left < 0
            ? "Nothing is missing; its parts add up to more, by "
            : "What its parts don't explain: ";
    String says =
        identity.says().substring(0, 1).toUpperCase(Locale.ROOT)
            + identity.says().substring(1)
            + ". "
            + rest
            + Phrases.value(identity.unit(), Math.abs(left))
            + " of "
            + Phrases.value(identity.unit(), identity.whole())
            + ".";
    return new LayerLine(
        identity.layer(),
        identity.name() + "_residual",
        null,
        left,
        identity.unit(),
        Double.isNaN(identity.residualBefore()) ? null : identity.residualBefore(),
        null,
        says);
  }
}
