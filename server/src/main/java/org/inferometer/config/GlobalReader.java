package org.inferometer.config;

import java.util.List;
import java.util.Map;

/** What {@code global} says: the defaults of every job. */
final class GlobalReader {
  final long intervalMs;
  final long timeoutMs;
  final long evaluationIntervalMs;
  final Map<String, String> externalLabels;
  final ScrapeLimits limits;
  final HistogramConfig histograms;

  /** In their order; empty if nothing is said. */
  final List<String> protocols;

  GlobalReader(Section global) {
    intervalMs =
        global.durationMs("scrape_interval").filter(ms -> ms > 0).orElse(ConfigFile.INTERVAL_MS);
    long timeout = global.durationMs("scrape_timeout").orElse(0L);
    if (timeout > intervalMs) {
      global.expected(
          "scrape_timeout",
          "a scrape_timeout of at most the scrape_interval, " + Durations.format(intervalMs));
    }
    timeoutMs = timeout > 0 ? timeout : Math.min(ConfigFile.TIMEOUT_MS, intervalMs);
    evaluationIntervalMs =
        global
            .durationMs("evaluation_interval")
            .filter(ms -> ms > 0)
            .orElse(ConfigFile.INTERVAL_MS);
    externalLabels = global.stringMap("external_labels");
    limits = ScrapeReader.limits(global, ScrapeLimits.NONE);
    histograms = ScrapeReader.histograms(global, HistogramConfig.CLASSIC);
    protocols = ScrapeReader.protocols(global);
    ScrapeReader.common(global);
    global.withoutEffect("rule_query_offset", "rules aren't evaluated yet");
    global.unsupported(List.of("query_log_file", "otlp"));
    global.unsupportedIfOn("extra_scrape_metrics");
    global.finish();
  }
}
