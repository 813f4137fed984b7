package org.inferometer.benchmarks.peers;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the overview and service pages and the usual dashboards ask, by what it tells. */
final class DashboardQueries {
  private DashboardQueries() {}

  static Map<String, String> all() {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(
        "P99 TTFT, all replicas",
        "histogram_quantile(0.99, sum by (le)"
            + " (rate(vllm:time_to_first_token_seconds_bucket[5m])))");
    queries.put(
        "P95 TPOT by replica",
        "histogram_quantile(0.95, sum by (le, instance)"
            + " (rate(vllm:request_time_per_output_token_seconds_bucket[5m])))");
    queries.put("output tokens/s", "sum by (job) (rate(vllm:generation_tokens_total[2m]))");
    queries.put(
        "prefix cache hit rate",
        "sum(rate(vllm:prefix_cache_hits_total[5m]))"
            + " / sum(rate(vllm:prefix_cache_queries_total[5m]))");
    queries.put(
        "mean queue time",
        "sum(rate(vllm:request_queue_time_seconds_sum[5m]))"
            + " / clamp_min(sum(rate(vllm:request_queue_time_seconds_count[5m])), 0.001)");
    queries.put(
        "abort share",
        "sum(rate(vllm:request_success_total{finished_reason=\"abort\"}[5m]))"
            + " / sum(rate(vllm:request_success_total[5m]))");
    queries.put("fullest KV cache", "max(vllm:kv_cache_usage_perc)");
    queries.put("waiting by replica", "sum by (instance) (vllm:num_requests_waiting)");
    queries.put(
        "three slowest replicas",
        "topk(3, sum by (instance) (rate(vllm:e2e_request_latency_seconds_sum[5m]))"
            + " / sum by (instance) (rate(vllm:e2e_request_latency_seconds_count[5m])))");
    queries.put(
        "some replicas by regex",
        "sum by (instance)"
            + " (rate(vllm:prompt_tokens_total{instance=~\"replica-(1|2|3).*\"}[5m]))");
    // A subquery's own times are on the scrape grid, where windows of older versions of Prometheus
    // still include their left edge; hence the offset.
    queries.put(
        "peak of the P95 over an hour",
        "max_over_time(histogram_quantile(0.95, sum by (le)"
            + " (rate(vllm:e2e_request_latency_seconds_bucket[5m] offset 3s)))[1h:1m])");
    return queries;
  }
}
