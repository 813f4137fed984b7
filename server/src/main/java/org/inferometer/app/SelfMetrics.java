package org.inferometer.app;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.inferometer.api.MetricsPage;
import org.inferometer.api.RequestStats;
import org.inferometer.exposition.ExpositionWriter;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.inferometer.query.QueryException;
import org.inferometer.scrape.FailureReason;
import org.inferometer.scrape.ScrapeStats;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;
import org.jspecify.annotations.Nullable;

/** The program's own metrics: what it scraped, holds, was asked, and what the process takes. */
final class SelfMetrics implements MetricsPage {
  private static final double BYTES_PER_PAGE = 4096;

  private final long startMs;
  private final Supplier<@Nullable Store> store;
  private final StoreOptions storeOptions;
  private final ScrapeStats scrapes;
  private final MeasuredQueryService queries;
  private final RequestStats requests;
  private final ReloadStats reloads;
  private final Consumer<ExpositionWriter> diagnosis;

  /**
   * @param store gives null while it isn't open
   * @param diagnosis writes what there is about looking for causes
   */
  SelfMetrics(
      long startMs,
      Supplier<@Nullable Store> store,
      StoreOptions storeOptions,
      ScrapeStats scrapes,
      MeasuredQueryService queries,
      RequestStats requests,
      ReloadStats reloads,
      Consumer<ExpositionWriter> diagnosis) {
    this.startMs = startMs;
    this.store = store;
    this.storeOptions = storeOptions;
    this.scrapes = scrapes;
    this.queries = queries;
    this.requests = requests;
    this.reloads = reloads;
    this.diagnosis = diagnosis;
  }

  @Override
  public void write(ExpositionWriter page) {
    page.family("inferometer_build", MetricType.INFO, "The build that runs.")
        .sample(
            Labels.of("version", Version.text(), "java_version", Runtime.version().toString()), 1);
    writeScrapes(page);
    Store open = store.get();
    if (open != null) {
      StoreMetrics.write(page, open, storeOptions);
    }
    writeQueries(page);
    diagnosis.accept(page);
    writeRequests(page);
    writeConfig(page);
    writeJvm(page);
    writeProcess(page);
  }

  private void writeScrapes(ExpositionWriter page) {
    counter(
        page, "inferometer_scrapes", "Scrapes whose samples were taken.", "", scrapes.scrapes());
    page.family(
        "inferometer_scrape_failures", MetricType.COUNTER, "Scrapes that failed, by reason.");
    for (FailureReason reason : FailureReason.values()) {
      page.sample(Labels.of("reason", word(reason.name())), (double) scrapes.failures(reason));
    }
    counter(page, "inferometer_scrape_samples", "Samples read.", "", scrapes.samples());
    counter(
        page,
        "inferometer_scrape_unstored",
        "Scrapes whose samples the store couldn't keep.",
        "",
        scrapes.unstored());
    counter(
        page,
        "inferometer_scrape_bad_lines",
        "Lines of targets that couldn't be read.",
        "",
        scrapes.badLines());
    counter(
        page,
        "inferometer_scrape_body_bytes",
        "Uncompressed bytes of what targets answered.",
        "bytes",
        scrapes.bodyBytes());
  }

  private void writeQueries(ExpositionWriter page) {
    page.family(
        "inferometer_query_duration_seconds",
        MetricType.HISTOGRAM,
        "How long questions to the store took, by kind.",
        "seconds");
    for (MeasuredQueryService.Kind kind : MeasuredQueryService.Kind.values()) {
      MeasuredQueryService.Measure measure = queries.measure(kind);
      page.histogram(
          Labels.of("kind", kind.word()),
          MeasuredQueryService.BOUNDS,
          measure.counts(),
          measure.seconds());
    }
    page.family(
        "inferometer_query_failures",
        MetricType.COUNTER,
        "Questions to the store without an answer, by kind and reason.");
    for (MeasuredQueryService.Kind kind : MeasuredQueryService.Kind.values()) {
      for (QueryException.Kind reason : QueryException.Kind.values()) {
        page.sample(
            Labels.of("kind", kind.word(), "reason", word(reason.name())),
            (double) queries.measure(kind).failures(reason));
      }
    }
  }

  private void writeRequests(ExpositionWriter page) {
    page.family(
        "inferometer_http_requests", MetricType.COUNTER, "HTTP requests answered, by status.");
    requests
        .byStatus()
        .forEach(
            (code, count) -> page.sample(Labels.of("code", String.valueOf(code)), (double) count));
    counter(
        page,
        "inferometer_http_request_duration_seconds",
        "Time spent on HTTP requests.",
        "seconds",
        requests.seconds());
  }

  private void writeConfig(ExpositionWriter page) {
    gauge(
        page,
        "inferometer_config_last_reload_successful",
        "Whether the config was good when it was last read.",
        "",
        reloads.lastGood() ? 1 : 0);
    gauge(
        page,
        "inferometer_config_last_reload_success_timestamp_seconds",
        "When the config in force was read.",
        "seconds",
        reloads.lastGoodMs() / 1000.0);
  }

  private static void writeJvm(ExpositionWriter page) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    page.family("jvm_memory_used_bytes", MetricType.GAUGE, "Memory in use, by area.", "bytes")
        .sample(Labels.of("area", "heap"), (double) heap.getUsed())
        .sample(
            Labels.of("area", "nonheap"),
            (double) ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed());
    page.family(
            "jvm_memory_committed_bytes", MetricType.GAUGE, "Memory reserved, by area.", "bytes")
        .sample(Labels.of("area", "heap"), (double) heap.getCommitted());
    page.family("jvm_memory_max_bytes", MetricType.GAUGE, "Memory allowed, by area.", "bytes")
        .sample(Labels.of("area", "heap"), (double) heap.getMax());
    List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    page.family("jvm_gc_collections", MetricType.COUNTER, "Garbage collections.");
    for (GarbageCollectorMXBean gc : collectors) {
      page.sample(Labels.of("gc", gc.getName()), (double) gc.getCollectionCount());
    }
    page.family(
        "jvm_gc_collection_seconds",
        MetricType.COUNTER,
        "Time spent collecting garbage.",
        "seconds");
    for (GarbageCollectorMXBean gc : collectors) {
      page.sample(Labels.of("gc", gc.getName()), gc.getCollectionTime() / 1000.0);
    }
    gauge(
        page,
        "jvm_threads_current",
        "Threads of the operating system's kind; virtual ones aren't counted.",
        "",
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private void writeProcess(ExpositionWriter page) {
    gauge(
        page,
        "process_start_time_seconds",
        "When the process began, since the Unix epoch.",
        "seconds",
        startMs / 1000.0);
    counter(
        page,
        "process_cpu_seconds",
        "CPU time of the process.",
        "seconds",
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9);
    writeProcessFiles(page);
  }

  /** What only Linux tells. */
  private static void writeProcessFiles(ExpositionWriter page) {
    try {
      String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
      gauge(
          page,
          "process_virtual_memory_bytes",
          "Address space of the process.",
          "bytes",
          Double.parseDouble(pages[0]) * BYTES_PER_PAGE);
      gauge(
          page,
          "process_resident_memory_bytes",
          "Memory of the process that is in RAM.",
          "bytes",
          Double.parseDouble(pages[1]) * BYTES_PER_PAGE);
      try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
        gauge(page, "process_open_fds", "Open file descriptors.", "", files.count());
      }
    } catch (IOException | NumberFormatException e) {
      // Another operating system: these metrics are left out.
    }
  }

  static void gauge(ExpositionWriter page, String name, String help, String unit, double value) {
    page.family(name, MetricType.GAUGE, help, unit).sample(value);
  }

  static void counter(ExpositionWriter page, String name, String help, String unit, double value) {
    page.family(name, MetricType.COUNTER, help, unit).sample(value);
  }

  static void gauge(ExpositionWriter page, String name, String help, String unit, long value) {
    gauge(page, name, help, unit, (double) value);
  }

  static void counter(ExpositionWriter page, String name, String help, String unit, long value) {
    counter(page, name, help, unit, (double) value);
  }

  private static String word(String constant) {
    return constant.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
