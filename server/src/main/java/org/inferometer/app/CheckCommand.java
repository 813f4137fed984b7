package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.inferometer.check.CheckJson;
import org.inferometer.check.Checker;
import org.inferometer.check.Endpoint;
import org.inferometer.check.EndpointReport;
import org.inferometer.check.ProbedEndpoint;
import org.inferometer.check.SavedPage;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.Urls;
import org.inferometer.scrape.HttpFetcher;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer check}: what endpoints are, what they tell, and what is wrong with them. */
@Command(
    name = "check",
    description =
        "Says what endpoints are, which signals they feed and how well, what is missing and"
            + " what would bring it, and what is wrong with their pages.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 nothing to do; 1 something needs doing; 2 wrong usage or bad",
      "input; 3 an endpoint couldn't be reached.",
      "",
      "Examples:",
      "  inferometer check http://gpu-7:8000/metrics",
      "  inferometer check a:8000 b:8000 --slo ttft_p95=500ms,tpot_p95=50ms",
      "  inferometer check --config inferometer.yml",
      "  inferometer check --dump saved-page.prom"
    })
final class CheckCommand implements Callable<Integer> {
  /** Longer than what plain URLs may send isn't read of a file either. */
  private static final long FILE_BYTES_MAX = Urls.BODY_SIZE_LIMIT;

  private static final long WAIT_MS_MAX = 3_600_000;

  @Parameters(
      arity = "0..*",
      paramLabel = "URL",
      description =
          "Where metrics are served, such as http://host:8000/metrics or host:8000; or a file.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--dump",
      arity = "1..*",
      paramLabel = "FILE",
      description = "Saved pages to look at instead; nothing can be seen to move in them.")
  private List<String> dumps = new ArrayList<>();

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description = "From the first to the last scrape; 5s if not given.")
  private @Nullable String wait;

  @Option(
      names = "--slo",
      split = ",",
      paramLabel = "SIGNAL=VALUE",
      description = "Goals that bucket edges are held against, such as ttft_p95=500ms.")
  private List<String> slos = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A config file: its goals, and the credentials and labels of those URLs that are its"
              + " targets. Without a URL all of its targets are looked at.")
  private @Nullable Path config;

  @Option(
      names = "--dialects",
      split = ",",
      paramLabel = "FILE",
      description =
          "Dialect files of your own, beside those that the config file names; with commas"
              + " between them.")
  private List<Path> dialects = new ArrayList<>();

  @Option(names = "--all", description = "Leaves nothing out.")
  private boolean all;

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "For people or for programs; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;

  CheckCommand(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Integer call() throws InterruptedException {
    long waitMs = wait == null ? Checker.WAIT_MS : Times.durationMs("--wait", wait);
    if (waitMs > WAIT_MS_MAX) {
      throw CommandException.badInput("--wait: expected at most 1h");
    }
    Settings settings = Settings.load(List.of(), config);
    Catalogue catalogue = catalogue(settings);
    Map<String, Double> wanted = SloOption.goals(catalogue, slos);
    Goals goals = (_, model) -> wanted.isEmpty() ? settings.goalsOf(model) : wanted;
    Facts facts = (_, model) -> settings.factsOf(model);
    Checker checker = new Checker(catalogue, goals, facts, clock, ticker, Thread::sleep, waitMs);
    try (HttpFetcher fetcher = new HttpFetcher(ticker, Version.userAgent())) {
      List<Endpoint> endpoints = endpoints(settings.scrapes(), fetcher);
      if (console.coloured() && endpoints.stream().anyMatch(Endpoint::isLive)) {
        console.say("Scraping for " + Amounts.duration(waitMs) + " ...");
      }
      return show(checker.check(endpoints));
    }
  }

  // ------------------------------------------------------------------------------ endpoints

  private List<Endpoint> endpoints(List<ScrapeConfig> scrapes, HttpFetcher fetcher) {
    List<Endpoint> endpoints = new ArrayList<>();
    Map<String, TargetProbe> known = known(scrapes, fetcher);
    for (String target : targets) {
      endpoints.add(isFile(target) ? saved(target) : probed(target, known, fetcher));
    }
    dumps.forEach(file -> endpoints.add(saved(file)));
    if (endpoints.isEmpty()) {
      known.forEach((url, probe) -> endpoints.add(new ProbedEndpoint(url, probe)));
    }
    if (endpoints.isEmpty()) {
      throw CommandException.badInput(
          config == null
              ? "expected a URL, a file, or --config FILE"
              : config + ": expected a target in scrape_configs, or a URL");
    }
    return endpoints;
  }

  /** The targets of the config file by where they are scraped. */
  private static Map<String, TargetProbe> known(List<ScrapeConfig> scrapes, HttpFetcher fetcher) {
    Map<String, TargetProbe> known = new LinkedHashMap<>();
    for (ScrapeConfig scrape : scrapes) {
      TargetProbe.of(scrape, fetcher).forEach(probe -> known.putIfAbsent(probe.url(), probe));
    }
    return known;
  }

  private static Endpoint probed(
      String target, Map<String, TargetProbe> known, HttpFetcher fetcher) {
    ScrapeConfig plain;
    try {
      plain = Urls.scrapeConfig(target);
    } catch (IllegalArgumentException e) {
      throw CommandException.badInput(String.valueOf(e.getMessage()));
    }
    TargetProbe probe = TargetProbe.of(plain, fetcher).getFirst();
    TargetProbe configured = known.get(probe.url());
    return new ProbedEndpoint(probe.url(), configured == null ? probe : configured);
  }

  private static boolean isFile(String target) {
    try {
      return Files.isRegularFile(Path.of(target));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static Endpoint saved(String file) {
    if (!isFile(file)) {
      throw CommandException.badInput(file + ": no such file");
    }
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      byte[] body = in.readNBytes((int) FILE_BYTES_MAX + 1);
      if (body.length > FILE_BYTES_MAX) {
        throw CommandException.badInput(
            file + ": expected at most " + Amounts.bytes(FILE_BYTES_MAX));
      }
      return new SavedPage(file, body);
    } catch (IOException e) {
      throw CommandException.failed(file + ": can't be read: " + e.getMessage(), e);
    }
  }

  // ---------------------------------------------------------------------------------- goals

  private Catalogue catalogue(Settings settings) {
    List<Catalogue.OwnFile> files = new ArrayList<>(settings.dialects());
    files.addAll(DialectFiles.read(dialects));
    return DialectFiles.catalogue(files);
  }

  // ---------------------------------------------------------------------------------- report

  private int show(List<EndpointReport> reports) {
    if (format == OutputFormat.json) {
      console.out().println(JsonText.of(json -> CheckJson.write(json, clock.nowMs(), reports)));
    } else {
      new CheckView(console, all).print(reports);
    }
    if (isAny(reports, EndpointReport.State.UNREACHABLE)) {
      return ExitCode.FAILED;
    }
    return isAny(reports, EndpointReport.State.TODO)
            || isAny(reports, EndpointReport.State.NO_METRICS)
        ? ExitCode.FOUND
        : ExitCode.OK;
  }

  private static boolean isAny(List<EndpointReport> reports, EndpointReport.State state) {
    return reports.stream().anyMatch(report -> report.state() == state);
  }
}
