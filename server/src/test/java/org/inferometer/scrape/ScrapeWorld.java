package org.inferometer.scrape;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.config.ConfigException;
import org.inferometer.config.ConfigFile;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.ProtobufPage;
import org.inferometer.model.Labels;
import org.inferometer.time.VirtualTime;

/** A manager on virtual time with pages from memory: one target h:1 of the job j, every 10 s. */
final class ScrapeWorld {
  static final long START = 1_000_000_000;
  static final String URL = "http://h:1/metrics";

  final VirtualTime time = new VirtualTime(START);
  final MemorySink sink = new MemorySink();
  final FakeFetcher fetcher = new FakeFetcher(time);
  final ScrapeStats stats = new ScrapeStats();
  final List<Long> scrapes = new ArrayList<>();
  final ScrapeManager manager =
      new ScrapeManager(
          new ScrapeContext(
              sink, fetcher, time, time, time, stats, (target, ms) -> scrapes.add(ms), 1, "here"));

  static List<ScrapeConfig> configs(String yaml) {
    try {
      return ConfigFile.parse("f", yaml.getBytes(StandardCharsets.UTF_8), Path.of(""))
          .scrapeConfigs();
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  /** The job with more keys. */
  static List<ScrapeConfig> job(String keys) {
    return configs(
        "scrape_configs: [{job_name: j, scrape_interval: 10s, static_configs: [{targets: ['h:1']}]"
            + (keys.isEmpty() ? "" : ", " + keys)
            + "}]");
  }

  ScrapeWorld run(String keys) {
    manager.reload(job(keys));
    return this;
  }

  /** Serves a page and lets one interval pass, so that it is scraped once. */
  ScrapeWorld scrape(String body) {
    fetcher.page(URL, body);
    time.advance(10_000);
    return this;
  }

  /** The same in protobuf. */
  ScrapeWorld scrape(ProtobufPage page) {
    fetcher.contentType(Format.PROTOBUF.contentType());
    fetcher.page(URL, page.bytes());
    time.advance(10_000);
    return this;
  }

  ScrapeWorld fail() {
    fetcher.gone(URL);
    time.advance(10_000);
    return this;
  }

  /** Values of a series of the target, without times. */
  List<String> values(String name, String... labels) {
    Labels series =
        Labels.of(labels).with("job", "j").with("instance", "h:1").with(Labels.NAME, name);
    return valuesOf(series);
  }

  List<String> valuesOf(Labels series) {
    return sink.samples(series).stream().map(s -> s.substring(s.indexOf(':') + 1)).toList();
  }

  TargetView view() {
    return manager.targets().getFirst();
  }
}
