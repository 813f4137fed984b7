package org.inferometer.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.check.Checker;
import org.inferometer.check.EndpointReport;
import org.inferometer.check.Part;
import org.inferometer.check.SavedPage;
import org.inferometer.config.Urls;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.Mode;
import org.inferometer.io.Disk;
import org.inferometer.lint.LiveNames;
import org.inferometer.model.Labels;
import org.inferometer.scrape.HttpFetcher;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.VersionRange;
import org.inferometer.store.Querier;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.Store;
import org.jspecify.annotations.Nullable;

/** Finds which names of series there are: on pages, on a server, in a data directory. */
final class LintNames {
  /** A sample older than this is no series of now. */
  private static final long NOW_MS = 5 * 60_000;

  private static final String ALL_NAMES = "count by (__name__) ({__name__!=\"\"})";

  private static final long SCRAPES_MS = 10 * 60_000;

  private static final String SCRAPES = "quantile(0.5, count_over_time(up[10m]))";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Catalogue catalogue;
  private final Console console;
  private final Disk disk;
  private final WallClock clock;
  private final Ticker ticker;

  LintNames(Catalogue catalogue, Console console, Disk disk, WallClock clock, Ticker ticker) {
    this.catalogue = catalogue;
    this.console = console;
    this.disk = disk;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** The pages of targets, taken together. */
  LiveNames ofPages(List<String> urls) throws InterruptedException {
    Map<String, Set<String>> names = new HashMap<>();
    List<SavedPage> pages = new ArrayList<>();
    try (HttpFetcher fetcher = new HttpFetcher(ticker, Version.userAgent())) {
      for (String url : urls) {
        TargetProbe.Page page = page(url, fetcher);
        Format format =
            Format.of(page.contentType()) instanceof Format.Answer.Supported supported
                ? supported.format()
                : Format.TEXT;
        collect(page.body(), format, names);
        pages.add(new SavedPage(page.url(), page.body()));
      }
    }
    String source = urls.size() == 1 ? urls.getFirst() : "the pages given";
    return new LiveNames(source, what(pages), false, names);
  }

  /** What pages are of, as far as they tell. */
  private String what(List<SavedPage> pages) throws InterruptedException {
    Checker checker =
        new Checker(
            catalogue, Goals.NONE, Facts.NONE, clock, ticker, Thread::sleep, Checker.WAIT_MS);
    Set<String> parts = new LinkedHashSet<>();
    for (EndpointReport report : checker.check(pages)) {
      for (Part part : report.parts()) {
        if (!part.engine().id().equals("other")) {
          VersionRange version = part.version();
          parts.add(part.engine().title() + (version == null ? "" : " " + version.text()));
        }
      }
    }
    return String.join(", ", parts);
  }

  private static TargetProbe.Page page(String url, HttpFetcher fetcher)
      throws InterruptedException {
    try {
      TargetProbe probe = TargetProbe.of(Urls.scrapeConfig(url), fetcher).getFirst();
      return switch (probe.fetch(probe.path())) {
        case TargetProbe.Page page -> page;
        case TargetProbe.Failure failure ->
            throw CommandException.failed(failure.url() + ": " + failure.sentence());
      };
    } catch (IllegalArgumentException e) {
      throw CommandException.badInput(String.valueOf(e.getMessage()));
    }
  }

  /** A page that was kept in a file. */
  LiveNames ofDump(Path file) throws IOException, InterruptedException {
    if (!Files.isRegularFile(file)) {
      throw CommandException.badInput(file + ": no such file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] body = in.readNBytes((int) Urls.BODY_SIZE_LIMIT + 1);
      if (body.length > Urls.BODY_SIZE_LIMIT) {
        throw CommandException.badInput(
            file + ": expected at most " + Amounts.bytes(Urls.BODY_SIZE_LIMIT));
      }
      Map<String, Set<String>> names = new HashMap<>();
      SavedPage page = new SavedPage(file.toString(), body);
      collect(body, page.fallback(), names);
      return new LiveNames(file.toString(), what(List.of(page)), false, names);
    }
  }

  private static void collect(byte[] body, Format format, Map<String, Set<String>> names) {
    ExpositionParser parser = ExpositionParser.of(format, Mode.TOLERANT);
    parser.reset(body, body.length);
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES || event == Event.HISTOGRAM) {
        Labels labels = parser.labels();
        Set<String> own = names.computeIfAbsent(labels.metricName(), name -> new HashSet<>());
        labels.forEach((name, value) -> own.add(name));
      }
    }
  }

  /** What a server has samples of now. */
  LiveNames ofServer(URI server) {
    Map<String, Set<String>> names = new HashMap<>();
    for (JsonNode row : ask(server, ALL_NAMES)) {
      names.put(row.at("/metric/__name__").asText(), Set.of());
    }
    return new LiveNames(server.toString(), "", true, names);
  }

  /** From scrape to scrape of most targets of a server, null if it has none. */
  @Nullable Long intervalMs(URI server) {
    for (JsonNode row : ask(server, SCRAPES)) {
      double count = row.at("/value/1").asDouble();
      if (count >= 1) {
        return Math.max(1, Math.round(SCRAPES_MS / 1000.0 / count)) * 1000;
      }
    }
    return null;
  }

  private static JsonNode ask(URI server, String query) {
    ServerClient.Answer answer =
        new ServerClient(server).post("/api/v1/query", Map.of("query", query));
    return json(server, answer).at("/data/result");
  }

  private static JsonNode json(URI server, ServerClient.Answer answer) {
    try {
      JsonNode body = JSON.readTree(answer.body());
      if (body.path("status").asText().equals("success")) {
        return body;
      }
      throw CommandException.failed(
          server + ": " + body.path("error").asText("HTTP " + answer.status()));
    } catch (JsonProcessingException e) {
      throw CommandException.failed(
          server + ": the answer (HTTP " + answer.status() + ") isn't that of a Prometheus API", e);
    }
  }

  /** What a data directory has samples of at its end. */
  LiveNames ofData(Path folder) throws IOException {
    try (Store store = ReadOnlyStore.open(console, disk, folder, clock)) {
      long endMs = Math.min(store.stats().maxMs(), clock.nowMs());
      Map<String, Set<String>> names = new HashMap<>();
      try (Querier querier = store.querier(endMs - NOW_MS, endMs)) {
        for (String name : querier.labelValues(Labels.NAME, List.of())) {
          names.put(name, Set.of());
        }
      }
      return new LiveNames(folder.toString(), "", true, names);
    }
  }
}
