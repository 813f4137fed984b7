package org.inferometer.app;

import static org.inferometer.app.SelfMetrics.counter;
import static org.inferometer.app.SelfMetrics.gauge;

import java.util.Locale;
import org.inferometer.exposition.ExpositionWriter;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.inferometer.store.AppendOutcome;
import org.inferometer.tsdb.HeadStats;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;
import org.inferometer.tsdb.StoreStats;

/**
 * The metrics of the store: under names of ours, and under those of Prometheus where it has the
 * same, so that dashboards and alerts made for it work.
 */
final class StoreMetrics {
  private StoreMetrics() {}

  static void write(ExpositionWriter page, Store store, StoreOptions options) {
    HeadStats head = store.headStats();
    StoreStats stats = store.stats();
    writeHead(page, head);
    writeTrouble(page, stats);
    writePrometheusHead(page, head);
    writePrometheusStore(page, stats);
    writeLimits(page, options);
  }

  private static void writeTrouble(ExpositionWriter page, StoreStats stats) {
    gauge(
        page,
        "inferometer_store_trouble",
        "Whether something is wrong with the store now, such as a full disk.",
        "",
        stats.trouble().isEmpty() ? 0 : 1);
    counter(
        page,
        "inferometer_store_failed_commits",
        "Batches of samples that couldn't be written to the log.",
        "",
        stats.walFailures());
    counter(
        page,
        "inferometer_store_blocks_reclaimed",
        "Blocks removed for their age or for want of room.",
        "",
        stats.reclaimed());
  }

  private static void writePrometheusHead(ExpositionWriter page, HeadStats head) {
    gauge(page, "prometheus_tsdb_head_series", "Series in the head.", "", head.series());
    counter(
        page,
        "prometheus_tsdb_head_series_created",
        "Series made in the head.",
        "",
        head.seriesCreated());
    counter(
        page,
        "prometheus_tsdb_head_series_removed",
        "Series removed from the head.",
        "",
        head.seriesRemoved());
    gauge(page, "prometheus_tsdb_head_chunks", "Chunks in the head.", "", head.chunks());
    counter(
        page,
        "prometheus_tsdb_head_samples_appended",
        "Samples taken.",
        "",
        head.samples(AppendOutcome.ACCEPTED));
    counter(
        page,
        "prometheus_tsdb_out_of_order_samples",
        "Samples refused for being older than the newest of their series.",
        "",
        head.samples(AppendOutcome.OUT_OF_ORDER));
    counter(
        page,
        "prometheus_tsdb_too_old_samples",
        "Samples refused for being older than the window for late ones.",
        "",
        head.samples(AppendOutcome.TOO_OLD));
    counter(
        page,
        "prometheus_tsdb_out_of_bound_samples",
        "Samples refused for a time that the store doesn't take.",
        "",
        head.samples(AppendOutcome.OUT_OF_BOUNDS));
    if (head.minMs() <= head.maxMs()) {
      gauge(
          page,
          "prometheus_tsdb_head_min_time_seconds",
          "Time of the oldest sample of the head.",
          "seconds",
          head.minMs() / 1000.0);
      gauge(
          page,
          "prometheus_tsdb_head_max_time_seconds",
          "Time of the newest sample of the head.",
          "seconds",
          head.maxMs() / 1000.0);
    }
  }

  private static void writePrometheusStore(ExpositionWriter page, StoreStats stats) {
    gauge(page, "prometheus_tsdb_blocks_loaded", "Blocks that are open.", "", stats.blocks());
    counter(
        page,
        "prometheus_tsdb_compactions",
        "Blocks made, from the head and from others.",
        "",
        stats.compactions());
    counter(
        page,
        "prometheus_tsdb_compactions_failed",
        "Blocks that couldn't be made.",
        "",
        stats.compactionsFailed());
    gauge(
        page,
        "prometheus_tsdb_storage_blocks_bytes",
        "What blocks take on disk.",
        "bytes",
        stats.blockBytes());
    gauge(
        page,
        "prometheus_tsdb_wal_storage_size_bytes",
        "What the logs take on disk.",
        "bytes",
        stats.walBytes());
    gauge(
        page,
        "prometheus_tsdb_head_chunks_storage_size_bytes",
        "What mapped chunks of the head take on disk.",
        "bytes",
        stats.headChunkBytes());
    counter(
        page,
        "prometheus_tsdb_wal_corruptions",
        "Damaged places found in files of the store.",
        "",
        stats.corruptions());
    counter(
        page,
        "prometheus_tsdb_wal_writes_failed",
        "Writes to the log that failed.",
        "",
        stats.walFailures());
    if (stats.minMs() <= stats.maxMs()) {
      gauge(
          page,
          "prometheus_tsdb_lowest_timestamp_seconds",
          "Time of the oldest sample.",
          "seconds",
          stats.minMs() / 1000.0);
      gauge(
          page,
          "prometheus_tsdb_lowest_timestamp",
          "Time of the oldest sample in milliseconds.",
          "",
          stats.minMs());
    }
  }

  private static void writeLimits(ExpositionWriter page, StoreOptions options) {
    gauge(
        page,
        "prometheus_tsdb_retention_limit_seconds",
        "How long samples are kept.",
        "seconds",
        options.retentionMs() / 1000.0);
    gauge(
        page,
        "prometheus_tsdb_retention_limit_bytes",
        "What the data may take on disk; 0 for any.",
        "bytes",
        options.retentionBytes());
  }

  private static void writeHead(ExpositionWriter page, HeadStats stats) {
    gauge(page, "inferometer_store_series", "Series held in memory.", "", stats.series());
    counter(
        page,
        "inferometer_store_series_created",
        "Series that were new since the start.",
        "",
        stats.seriesCreated());
    counter(
        page,
        "inferometer_store_series_removed",
        "Series dropped since the start, having no samples left.",
        "",
        stats.seriesRemoved());
    counter(
        page,
        "inferometer_store_series_refused",
        "New series refused since the start for want of room.",
        "",
        stats.seriesRefused());
    gauge(page, "inferometer_store_chunks", "Chunks of samples in memory.", "", stats.chunks());
    gauge(
        page,
        "inferometer_store_memory_bytes",
        "What chunks and index take, reckoned from their layout.",
        "bytes",
        stats.bytes());
    gauge(
        page,
        "inferometer_store_memory_limit_bytes",
        "What chunks and index may take before the oldest samples are dropped.",
        "bytes",
        stats.bytesMax());
    counter(
        page,
        "inferometer_store_room_drops",
        "How often the oldest samples were dropped early for want of room.",
        "",
        stats.roomDrops());
    if (stats.minMs() <= stats.maxMs()) {
      gauge(
          page,
          "inferometer_store_oldest_timestamp_seconds",
          "Time of the oldest sample.",
          "seconds",
          stats.minMs() / 1000.0);
      gauge(
          page,
          "inferometer_store_newest_timestamp_seconds",
          "Time of the newest sample.",
          "seconds",
          stats.maxMs() / 1000.0);
    }
    page.family(
        "inferometer_store_samples",
        MetricType.COUNTER,
        "Samples offered to the store, by what became of them.");
    for (AppendOutcome outcome : AppendOutcome.values()) {
      page.sample(
          Labels.of("outcome", word(outcome.name())),
          (double) stats.samples().getOrDefault(outcome, 0L));
    }
  }

  private static String word(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
