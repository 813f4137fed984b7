package org.inferometer.benchmarks.peers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.model.Labels;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.jspecify.annotations.Nullable;

/**
 * A page of metrics that looks like a vLLM replica with two data-parallel engines, about 1,000
 * series. Its values are a function of the replica's number and a tick, so that every scraper sees
 * the same history.
 */
final class SyntheticReplica {
  /** A histogram family: log-normal observations over fixed edges. */
  private record Histogram(
      String name, double[] edges, double median, double sigma, double perTick) {}

  private record Counter(String name, String extraLabels, double perTick) {}

  private static final double[] SECONDS = {
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40,
    80, 160, 640, 2560
  };
  private static final double[] LONG_SECONDS = {
    0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680
  };
  private static final double[] GAPS = {
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
  };
  private static final double[] TOKENS = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000
  };

  private static final List<Histogram> HISTOGRAMS =
      List.of(
          new Histogram("vllm:time_to_first_token_seconds", SECONDS, 0.2, 1.0, 15),
          new Histogram("vllm:inter_token_latency_seconds", GAPS, 0.03, 0.45, 3000),
          new Histogram("vllm:request_time_per_output_token_seconds", GAPS, 0.03, 0.35, 15),
          new Histogram("vllm:e2e_request_latency_seconds", LONG_SECONDS, 8, 0.9, 15),
          new Histogram("vllm:request_queue_time_seconds", LONG_SECONDS, 0.05, 2.0, 15),
          new Histogram("vllm:request_inference_time_seconds", LONG_SECONDS, 7, 0.9, 15),
          new Histogram("vllm:request_prefill_time_seconds", LONG_SECONDS, 0.16, 0.9, 15),
          new Histogram("vllm:request_decode_time_seconds", LONG_SECONDS, 6.5, 0.9, 15),
          new Histogram("vllm:kv_block_lifetime_seconds", SECONDS, 20, 1.2, 400),
          new Histogram("vllm:kv_block_idle_before_evict_seconds", SECONDS, 5, 1.2, 400),
          new Histogram("vllm:kv_block_reuse_gap_seconds", SECONDS, 2, 1.2, 800),
          new Histogram("vllm:request_prompt_tokens", TOKENS, 1000, 1.1, 15),
          new Histogram("vllm:request_generation_tokens", TOKENS, 200, 0.9, 15),
          new Histogram("vllm:request_max_num_generation_tokens", TOKENS, 200, 0.9, 15),
          new Histogram("vllm:request_params_max_tokens", TOKENS, 1000, 0.7, 15),
          new Histogram("vllm:request_prefill_kv_computed_tokens", TOKENS, 420, 1.1, 15),
          new Histogram("vllm:iteration_tokens_total", TOKENS, 40, 0.9, 150),
          new Histogram("vllm:nixl_xfer_time_seconds", SECONDS, 0.01, 0.8, 15),
          new Histogram("vllm:nixl_post_time_seconds", SECONDS, 0.002, 0.8, 15),
          new Histogram("vllm:kv_offload_load_seconds", SECONDS, 0.03, 0.9, 30),
          new Histogram("vllm:kv_offload_store_seconds", SECONDS, 0.02, 0.9, 30),
          new Histogram("http_request_duration_seconds", LONG_SECONDS, 8, 0.9, 30));

  private static final List<Counter> COUNTERS =
      List.of(
          new Counter("vllm:prefix_cache_queries_total", "", 18000),
          new Counter("vllm:prefix_cache_hits_total", "", 10500),
          new Counter("vllm:num_preemptions_total", "", 0.05),
          new Counter("vllm:prompt_tokens_total", "", 18000),
          new Counter("vllm:generation_tokens_total", "", 3200),
          new Counter("vllm:request_success_total", ",finished_reason=\"stop\"", 13),
          new Counter("vllm:request_success_total", ",finished_reason=\"length\"", 1.75),
          new Counter("vllm:request_success_total", ",finished_reason=\"abort\"", 0.25));

  private static final List<String> GAUGES =
      List.of("vllm:num_requests_running", "vllm:num_requests_waiting", "vllm:kv_cache_usage_perc");

  private static final String[] MODELS = {
    "example/Large-70B-Instruct", "example/Medium-32B-Instruct", "example/Mixture-8x7B"
  };

  private final int number;

  /** Pieces of the page between values, and what makes each value. */
  private final List<String> heads = new ArrayList<>();

  private final List<Value> values = new ArrayList<>();

  /** What each series is called once it is scraped; made when asked for. */
  private final List<Labels> labels = new ArrayList<>();

  @FunctionalInterface
  private interface Value {
    double at(long tick);
  }

  SyntheticReplica(int number) {
    this.number = number;
    HISTOGRAMS.forEach(this::addHistogram);
    String family = "";
    for (Counter counter : COUNTERS) {
      String head = counter.name.equals(family) ? "" : type(counter.name, "counter");
      family = counter.name;
      for (int engine = 0; engine < 2; engine++) {
        int seed = engine;
        add(
            (engine == 0 ? head : "") + counter.name + braces(engine, counter.extraLabels),
            tick -> Math.floor(progress(tick, counter.perTick, seed)));
      }
    }
    for (String gauge : GAUGES) {
      for (int engine = 0; engine < 2; engine++) {
        int seed = engine;
        add(
            (engine == 0 ? type(gauge, "gauge") : "") + gauge + braces(engine, ""),
            tick -> gauge(gauge, tick, seed));
      }
    }
  }

  private void addHistogram(Histogram histogram) {
    for (int engine = 0; engine < 2; engine++) {
      String head = engine == 0 ? type(histogram.name, "histogram") : "";
      int seed = engine;
      for (int i = 0; i <= histogram.edges.length; i++) {
        boolean last = i == histogram.edges.length;
        double share = last ? 1 : share(histogram, histogram.edges[i]);
        String le = last ? "+Inf" : Double.toString(histogram.edges[i]);
        add(
            head + histogram.name + "_bucket" + braces(engine, ",le=\"" + le + "\""),
            tick -> Math.floor(share * Math.floor(progress(tick, histogram.perTick, seed))));
        head = "";
      }
      double mean = histogram.median * Math.exp(histogram.sigma * histogram.sigma / 2);
      add(
          histogram.name + "_sum" + braces(engine, ""),
          tick -> mean * progress(tick, histogram.perTick, seed) * 1.0000001);
      add(
          histogram.name + "_count" + braces(engine, ""),
          tick -> Math.floor(progress(tick, histogram.perTick, seed)));
    }
  }

  private static String type(String family, String type) {
    return "# HELP " + family + " Synthetic.\n# TYPE " + family + " " + type + "\n";
  }

  private String braces(int engine, String extraLabels) {
    return "{engine=\""
        + engine
        + "\",model_name=\""
        + MODELS[number % MODELS.length]
        + "\""
        + extraLabels
        + "}";
  }

  private void add(String head, Value value) {
    heads.add(head);
    values.add(value);
  }

  /** How far a counter of this mean rate is at a tick: rising, uneven from tick to tick. */
  private double progress(long tick, double perTick, int engine) {
    double load = 0.5 + ((number * 37 + engine * 11) % 100) / 100.0;
    return perTick * load * (tick + 0.9 * Math.sin(tick * 0.7 + number) + 10);
  }

  private double gauge(String name, long tick, int engine) {
    double wave = 0.5 + 0.4 * Math.sin(tick * 0.05 + number + engine);
    return switch (name) {
      case "vllm:kv_cache_usage_perc" -> Math.round(wave * 1e6) / 1e6;
      case "vllm:num_requests_running" -> Math.floor(48 * wave);
      default -> Math.floor(Math.max(0, 20 * (wave - 0.7)));
    };
  }

  /** The share of log-normal observations at or below an edge (logistic stand-in for erf). */
  private static double share(Histogram histogram, double edge) {
    double z = Math.log(edge / histogram.median) / histogram.sigma;
    return 1 / (1 + Math.exp(-1.702 * z));
  }

  int seriesCount() {
    return heads.size();
  }

  /** How many series have a name. */
  int seriesCount(String name) {
    return (int) heads.stream().filter(head -> head.contains(name + "{")).count();
  }

  /** The values of one series over some ticks. */
  double[] column(int series, int firstTick, int ticks) {
    double[] column = new double[ticks];
    for (int i = 0; i < ticks; i++) {
      column[i] = values.get(series).at(firstTick + i);
    }
    return column;
  }

  /** Some ticks as a request of remote write, with the labels that scraping would add. */
  RemoteWrite write(int firstTick, int ticks, long tickMs, long firstMs) {
    long[] timesMs = new long[ticks];
    for (int i = 0; i < ticks; i++) {
      timesMs[i] = firstMs + i * tickMs;
    }
    if (labels.isEmpty()) {
      heads.forEach(head -> labels.add(labels(head)));
    }
    RemoteWrite write = new RemoteWrite();
    for (int s = 0; s < values.size(); s++) {
      write.add(labels.get(s), timesMs, column(s, firstTick, ticks));
    }
    return write;
  }

  private Labels labels(String head) {
    try {
      return Parser.parseMetric(head.substring(head.lastIndexOf('\n') + 1))
          .with("job", "vllm")
          .with("instance", "replica-" + number);
    } catch (ParseException e) {
      throw new IllegalStateException(head, e);
    }
  }

  /**
   * The page at a tick.
   *
   * @param timestampMs written behind each sample if given
   */
  byte[] page(long tick, @Nullable Long timestampMs) {
    StringBuilder page = new StringBuilder(heads.size() * 110);
    String tail = timestampMs == null ? "\n" : " " + timestampMs + "\n";
    for (int i = 0; i < heads.size(); i++) {
      double value = values.get(i).at(tick);
      page.append(heads.get(i)).append(' ');
      if (value == Math.rint(value) && Math.abs(value) < 1e15) {
        page.append((long) value).append(".0");
      } else {
        page.append(String.format(Locale.ROOT, "%s", value));
      }
      page.append(tail);
    }
    return page.toString().getBytes(StandardCharsets.UTF_8);
  }
}
