package org.inferometer.diagnosis.retold;

import java.util.Map;

/** A gateway (LiteLLM's page) or clients (OpenTelemetry's metrics of GenAI clients). */
final class RetoldEdge {
  private static final double[] LATENCY = {
    0.005, 0.0125, 0.025, 0.05, 0.1, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8,
    9, 10, 20, 30, 40, 50, 60, 120, 180, 240, 300
  };
  private static final double[] SECONDS = {
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92
  };

  final String instance;
  final String model;
  final boolean isClient;

  double rate = 2;
  double ttft = 0.2;
  double e2e = 4;
  double upstream = Double.NaN;
  double sigma = 0.6;
  double failures;
  double cut = Double.POSITIVE_INFINITY;

  private double total;
  private double failed;
  private final Observed ttftSeen;
  private final Observed e2eSeen;
  private final Observed upstreamSeen;

  RetoldEdge(String instance, String model, boolean isClient) {
    this.instance = instance;
    this.model = model;
    this.isClient = isClient;
    ttftSeen =
        isClient
            ? new Observed("gen_ai_client_operation_time_to_first_chunk_seconds", SECONDS)
            : new Observed("litellm_llm_api_time_to_first_token_metric", LATENCY);
    e2eSeen =
        isClient
            ? new Observed("gen_ai_client_operation_duration_seconds", SECONDS)
            : new Observed("litellm_request_total_latency_metric", LATENCY);
    upstreamSeen = new Observed("litellm_llm_api_latency_metric", LATENCY);
  }

  void pass(double seconds) {
    double n = rate * seconds;
    total += n;
    failed += n * failures;
    ttftSeen.add(n, ttft, sigma, cut);
    e2eSeen.add(n, e2e, sigma, cut);
    upstreamSeen.add(n, Double.isNaN(upstream) ? e2e : upstream, sigma, cut);
  }

  void write(RetoldSeries.Page page) {
    if (isClient) {
      Map<String, String> own =
          Map.of(
              "gen_ai_operation_name", "chat",
              "gen_ai_provider_name", "openai",
              "gen_ai_request_model", model);
      page.put(ttftSeen, own);
      page.put(e2eSeen, own);
      return;
    }
    Map<String, String> own = Map.of("requested_model", model, "model", model);
    page.put(
        "litellm_proxy_total_requests_metric_total",
        Map.of("requested_model", model, "model", model, "status_code", "200"),
        total - failed);
    page.put(
        "litellm_proxy_total_requests_metric_total",
        Map.of("requested_model", model, "model", model, "status_code", "504"),
        failed);
    page.put(
        "litellm_proxy_failed_requests_metric_total",
        Map.of(
            "requested_model",
            model,
            "model",
            model,
            "exception_status",
            "504",
            "exception_class",
            "Timeout"),
        failed);
    page.put(ttftSeen, own);
    page.put(e2eSeen, own);
    page.put(upstreamSeen, own);
  }
}
