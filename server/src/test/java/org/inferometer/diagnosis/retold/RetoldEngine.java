package org.inferometer.diagnosis.retold;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A vLLM replica whose page tells what a report told. What isn't set follows by the identities:
 * TTFT = queue + prefill + 10 ms, E2E = TTFT + (output - 1) TPOT, running = rate x (E2E - queue).
 */
final class RetoldEngine {
  private static final double[] TTFT = {
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40,
    80, 160, 640, 2560
  };
  private static final double[] ITL = {
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
  };
  private static final double[] LATENCY = {
    0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680
  };
  private static final double[] TOKENS = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000
  };
  private static final double[] STEPS = {
    1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384
  };

  final String instance;
  final String model;

  // What the report told; seconds, tokens, requests a second, shares of 1.
  double rate = 2;
  double prompt = 1000;
  double output = 200;
  double queue = 0.01;
  double prefill = 0.15;
  double front = 0.01;
  double tpot = 0.02;
  double sigma = 0.6;
  double itlSigma = 0.25;
  double kv = 0.3;
  double hits = 0.3;
  double recomputed;
  double preemptions;
  double waiting;
  double running = Double.NaN;
  double abortShare;
  double lengthShare = 0.01;
  double cut = Double.POSITIVE_INFINITY;
  double blocks = 20_000;
  boolean caching = true;
  boolean up = true;
  double memoryUtilisation = 0.9;
  double startedMs = Double.NaN;

  /** CPU cores that its process uses. */
  double cores = 0.3;

  /** Output tokens a second where they aren't those of the requests that end. */
  double generates = Double.NaN;

  private double cpuSeconds;
  private double promptTokens;
  private double cachedTokens;
  private double outputTokens;
  private double queries;
  private double hitTokens;
  private double preempted;
  private double stopped;
  private double lengths;
  private double aborted;
  private final Observed ttftSeen = new Observed("vllm:time_to_first_token_seconds", TTFT);
  private final Observed itlSeen = new Observed("vllm:inter_token_latency_seconds", ITL);
  private final Observed tpotSeen = new Observed("vllm:request_time_per_output_token_seconds", ITL);
  private final Observed e2eSeen = new Observed("vllm:e2e_request_latency_seconds", LATENCY);
  private final Observed queueSeen = new Observed("vllm:request_queue_time_seconds", LATENCY);
  private final Observed prefillSeen = new Observed("vllm:request_prefill_time_seconds", LATENCY);
  private final Observed decodeSeen = new Observed("vllm:request_decode_time_seconds", LATENCY);
  private final Observed inferenceSeen =
      new Observed("vllm:request_inference_time_seconds", LATENCY);
  private final Observed promptSeen = new Observed("vllm:request_prompt_tokens", TOKENS);
  private final Observed outputSeen = new Observed("vllm:request_generation_tokens", TOKENS);
  private final Observed stepSeen = new Observed("vllm:iteration_tokens_total", STEPS);

  RetoldEngine(String instance, String model) {
    this.instance = instance;
    this.model = model;
  }

  double ttft() {
    return queue + prefill + front;
  }

  double e2e() {
    return Math.min(cut, ttft() + (output - 1) * tpot);
  }

  double runs() {
    return Double.isNaN(running) ? rate * Math.max(0, e2e() - queue) : running;
  }

  /** What was seen is forgotten, as by a new process. */
  void restart(double nowMs) {
    startedMs = nowMs;
    promptTokens = 0;
    cachedTokens = 0;
    outputTokens = 0;
    queries = 0;
    hitTokens = 0;
    preempted = 0;
    stopped = 0;
    lengths = 0;
    aborted = 0;
    for (Observed one : all()) {
      Arrays.fill(one.counts, 0);
      one.sum = 0;
      one.count = 0;
    }
  }

  void pass(double seconds) {
    double n = rate * seconds;
    double done = n * (1 - abortShare);
    cpuSeconds += cores * seconds;
    promptTokens += n * prompt;
    queries += caching ? n * prompt * (1 + recomputed) : 0;
    hitTokens += caching ? n * prompt * hits : 0;
    cachedTokens += caching ? n * prompt * hits : 0;
    outputTokens += Double.isNaN(generates) ? done * output : generates * seconds;
    preempted += preemptions * seconds;
    stopped += done * (1 - lengthShare);
    lengths += done * lengthShare;
    aborted += n * abortShare;
    ttftSeen.add(n, ttft(), sigma, cut);
    itlSeen.add(done * output, tpot, itlSigma, Double.POSITIVE_INFINITY);
    tpotSeen.add(done, tpot, 0.1, Double.POSITIVE_INFINITY);
    e2eSeen.add(n, e2e(), sigma, cut);
    queueSeen.add(n, queue, sigma, cut);
    prefillSeen.add(n, prefill, sigma, cut);
    decodeSeen.add(n, Math.max(0, e2e() - ttft()), sigma, cut);
    inferenceSeen.add(n, Math.max(0, e2e() - queue), sigma, cut);
    promptSeen.add(n, prompt, 0.5, Double.POSITIVE_INFINITY);
    outputSeen.add(done, output, 0.5, Double.POSITIVE_INFINITY);
    double steps = tpot > 0 && runs() > 0 && rate > 0 ? seconds / tpot : 0;
    double perStep = steps == 0 ? 0 : (n * prompt * (1 - hits) + done * output) / steps;
    stepSeen.add(steps, Math.max(1, perStep), 0.8, Double.POSITIVE_INFINITY);
  }

  private List<Observed> all() {
    return List.of(
        ttftSeen,
        itlSeen,
        tpotSeen,
        e2eSeen,
        queueSeen,
        prefillSeen,
        decodeSeen,
        inferenceSeen,
        promptSeen,
        outputSeen,
        stepSeen);
  }

  void write(RetoldSeries.Page page) {
    Map<String, String> own = Map.of("model_name", model, "engine", "0");
    page.put("vllm:num_requests_running", own, runs());
    page.put("vllm:num_requests_waiting", own, waiting);
    page.put("vllm:kv_cache_usage_perc", own, kv);
    page.put("vllm:num_preemptions_total", own, preempted);
    page.put("vllm:prompt_tokens_total", own, promptTokens);
    page.put("vllm:prompt_tokens_cached_total", own, cachedTokens);
    page.put("vllm:generation_tokens_total", own, outputTokens);
    page.put("vllm:prefix_cache_queries_total", own, queries);
    page.put("vllm:prefix_cache_hits_total", own, hitTokens);
    for (Map.Entry<String, Double> one :
        Map.of("stop", stopped, "length", lengths, "abort", aborted).entrySet()) {
      page.put(
          "vllm:request_success_total",
          Map.of("model_name", model, "engine", "0", "finished_reason", one.getKey()),
          one.getValue());
    }
    page.put(
        "vllm:cache_config_info",
        Map.of(
            "engine",
            "0",
            "block_size",
            "16",
            "cache_dtype",
            "auto",
            "enable_prefix_caching",
            caching ? "True" : "False",
            "gpu_memory_utilization",
            Double.toString(memoryUtilisation),
            "num_gpu_blocks",
            Long.toString(Math.round(blocks))),
        1);
    all().forEach(one -> page.put(one, own));
    page.put("process_cpu_seconds_total", Map.of(), cpuSeconds);
    if (!Double.isNaN(startedMs)) {
      page.put("process_start_time_seconds", Map.of(), startedMs / 1000);
    }
  }
}
