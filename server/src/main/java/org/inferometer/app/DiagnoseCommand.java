package org.inferometer.app;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.api.DiagnosisJson;
import org.inferometer.backend.BackendAddress;
import org.inferometer.check.Pause;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.io.Disk;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.store.StoreException;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer diagnose}: why services are slow, with evidence, and what to do now. */
@Command(
    name = "diagnose",
    description =
        "Says why inference is slow: the cause with what speaks for and against it, what was"
            + " ruled out, and what to do. Looks at endpoints directly, without a server; or asks a"
            + " server; or reads what was recorded.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 healthy, or no traffic; 1 a cause was found, or it can't be told;",
      "2 wrong usage or bad input; 3 there was nothing to diagnose.",
      "",
      "Examples:",
      "  inferometer diagnose http://gpu-7:8000/metrics http://gpu-7:9400/metrics",
      "  inferometer diagnose a:8000 b:8000 --for 2m --slo ttft_p95=1s,tpot_p95=50ms",
      "  inferometer diagnose --server http://127.0.0.1:9765",
      "  inferometer diagnose --backend http://prometheus:9090 --at now-20m",
      "  inferometer diagnose --data /var/lib/prometheus --at 2026-01-31T03:10:00Z",
      "  inferometer diagnose --series night.om --window 10m --format json",
      "  inferometer diagnose --snapshot incident.zip --format html -o incident.html"
    })
final class DiagnoseCommand implements Callable<Integer> {
  private static final long FOR_MS_DEFAULT = 60_000;
  private static final long WINDOW_MS_DEFAULT = 300_000;
  private static final long WINDOW_MS_MIN = 10_000;

  /** The past that is looked at is twelve times as long. */
  private static final long WINDOW_MS_MAX = 86_400_000;

  @Parameters(
      arity = "0..*",
      paramLabel = "URL",
      description =
          "Where metrics are served, such as http://host:8000/metrics or host:8000: engines, GPU"
              + " exporters, hosts, gateways.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long URLs are scraped; 60s if not given.")
  private @Nullable String duration;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "A running Inferometer to ask instead.")
  private @Nullable String server;

  @Option(
      names = "--backend",
      paramLabel = "URL",
      description =
          "A server with Prometheus's HTTP API to ask instead: Prometheus, VictoriaMetrics,"
              + " Thanos, Mimir.")
  private @Nullable String backend;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A data directory to read instead, of this program, of Prometheus, or a folder of"
              + " blocks; it may be in use.")
  private @Nullable Path data;

  @Option(
      names = "--series",
      paramLabel = "FILE.om",
      description =
          "A file to read instead: OpenMetrics text with timestamps; - for standard input.")
  private @Nullable String seriesFile;

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description = "A file to read instead that inferometer snapshot wrote.")
  private @Nullable Path snapshot;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "The end of the window: Unix seconds, RFC 3339, now, or now-10m. Of what was recorded"
              + " now is the newest sample's time.")
  private @Nullable String at;

  @Option(
      names = "--window",
      paramLabel = "DURATION",
      description = "How long the stretch is that is judged; 5m if not given, of URLs all of it.")
  private @Nullable String window;

  @Option(
      names = "--baseline",
      paramLabel = "START..END|AGO",
      description =
          "What it is compared with: two times, or how long before the window, such as 1d for the"
              + " same stretch yesterday. Found by itself if not given.")
  private @Nullable String baseline;

  @Option(
      names = "--service",
      paramLabel = "ID",
      description = "One service, by its id; all if not given.")
  private @Nullable String service;

  @Option(
      names = "--slo",
      split = ",",
      paramLabel = "SIGNAL=GOAL",
      description = "Goals, such as ttft_p95=1s,tpot_p95=50ms; in place of the config file's.")
  private List<String> slos = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A config file: its goals, deployments and thresholds; without any source its targets are"
              + " scraped.")
  private @Nullable Path config;

  @Option(
      names = "--format",
      paramLabel = "text|json|markdown|html",
      description = "For people, for programs, for a ticket, or one file for a browser.")
  private DiagnosisFormat format = DiagnosisFormat.text;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "The file to write; standard output if not given.")
  private @Nullable Path out;

  private final Console console;
  private final Disk disk;
  private final WallClock clock;
  private final Ticker ticker;
  private final Pause pause;

  DiagnoseCommand(Console console, Disk disk, WallClock clock, Ticker ticker, Pause pause) {
    this.console = console;
    this.disk = disk;
    this.clock = clock;
    this.ticker = ticker;
    this.pause = pause;
  }

  /** What is looked at, and what was told of it. */
  private record Subject(
      SeriesSource source,
      Goals goals,
      Facts facts,
      ThresholdSource thresholds,
      List<Catalogue.OwnFile> dialects,
      long spanMs)
      implements AutoCloseable {
    @Override
    public void close() {
      source.close();
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    checkOptions();
    try {
      Report told = told();
      if (told != null) {
        return show(told, null);
      }
      try (Subject subject = subject()) {
        return diagnose(subject);
      }
    } catch (QueryException e) {
      if (e.kind() == QueryException.Kind.BAD_DATA && server != null) {
        throw CommandException.badInput(String.valueOf(e.getMessage()));
      }
      throw CommandException.failed(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw CommandException.failed(DataCommand.reason(e), e);
    } catch (StoreException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private void checkOptions() {
    long sources =
        Stream.of(server, backend, data, seriesFile, snapshot).filter(Objects::nonNull).count();
    if (sources + (urls.isEmpty() ? 0 : 1) > 1) {
      throw CommandException.badInput(
          "expected URLs or one of --server, --backend, --data, --series and --snapshot");
    }
    if (sources == 0 && urls.isEmpty() && config == null) {
      throw CommandException.badInput(
          "expected a URL, --server, --backend, --data, --series or --snapshot");
    }
    if (duration != null && sources > 0) {
      throw CommandException.badInput("--for is how long URLs are scraped; there are none");
    }
    if (at != null && sources == 0) {
      throw CommandException.badInput("--at is for what was recorded; URLs are scraped now");
    }
  }

  // ------------------------------------------------------------------------------- what is asked

  private Subject subject() throws IOException, InterruptedException {
    Settings settings = Settings.load(urls, config);
    if (snapshot != null) {
      return of(SnapshotFile.read(snapshot), settings);
    }
    SeriesSource source = recorded();
    if (source != null) {
      return new Subject(
          source,
          goals(settings),
          (_, model) -> settings.factsOf(model),
          settings.thresholds(),
          settings.dialects(),
          0);
    }
    long forMs = duration == null ? FOR_MS_DEFAULT : Times.durationMs("--for", duration);
    LiveLook look = new LiveLook(console, clock, ticker, pause);
    return of(look.take(settings, forMs, List.of()), settings);
  }

  private @Nullable SeriesSource recorded() throws IOException {
    if (data != null) {
      return SeriesSource.ofData(console, disk, data, clock, ticker);
    }
    if (seriesFile != null) {
      return SeriesSource.ofScrapedFile(console, seriesFile, clock, ticker);
    }
    if (server != null) {
      return SeriesSource.ofServer(address("--server", server), clock);
    }
    return backend == null ? null : SeriesSource.ofServer(address("--backend", backend), clock);
  }

  private static BackendAddress address(String option, String text) {
    try {
      return BackendAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw CommandException.badInput(option + ": " + e.getMessage());
    }
  }

  /** Goals of the command line and its config file stand above those that were told before. */
  private Subject of(Snapshot taken, Settings settings) {
    boolean isToldHere = config != null;
    return new Subject(
        SeriesSource.ofSnapshot(taken, ticker),
        isToldHere || !slos.isEmpty() ? goals(settings) : (_, model) -> taken.goalsOf(model),
        (_, model) -> isToldHere ? settings.factsOf(model) : taken.factsOf(model),
        isToldHere ? settings.thresholds() : taken.thresholdSource(),
        isToldHere ? settings.dialects() : taken.dialects(),
        taken.endMs() - taken.startMs());
  }

  private Goals goals(Settings settings) {
    Map<String, Double> wanted = SloOption.goals(Catalogue.builtIn(), slos);
    return (_, model) -> wanted.isEmpty() ? settings.goalsOf(model) : wanted;
  }

  private Diagnoser.Request request(Subject subject) {
    long nowMs = subject.source().nowMs();
    long endMs = at == null ? nowMs : Times.parseMs("--at", at, nowMs);
    long lengthMs = window == null ? WINDOW_MS_DEFAULT : Times.durationMs("--window", window);
    if (window == null && subject.spanMs() > 0) {
      // Of what was scraped just now there is no before.
      lengthMs = Math.min(lengthMs, subject.spanMs());
    }
    if (lengthMs > WINDOW_MS_MAX) {
      throw CommandException.badInput("--window: expected at most 1d");
    }
    lengthMs = Math.max(lengthMs, WINDOW_MS_MIN);
    Period judged = new Period(endMs - lengthMs, endMs);
    return new Diagnoser.Request(service, judged, before(judged, nowMs));
  }

  private @Nullable Period before(Period judged, long nowMs) {
    if (baseline == null) {
      return null;
    }
    Period fixed = fixedBaseline(baseline, nowMs);
    if (fixed != null) {
      return fixed;
    }
    long agoMs = Times.durationMs("--baseline", baseline);
    return new Period(judged.startMs() - agoMs, judged.endMs() - agoMs);
  }

  /** {@code START..END}; null if it isn't of that form. */
  private static @Nullable Period fixedBaseline(String baseline, long nowMs) {
    int dots = baseline.indexOf("..");
    if (dots < 0) {
      return null;
    }
    long startMs = Times.parseMs("--baseline", baseline.substring(0, dots), nowMs);
    long endMs = Times.parseMs("--baseline", baseline.substring(dots + 2), nowMs);
    if (endMs <= startMs) {
      throw CommandException.badInput("--baseline: expected an end after the start");
    }
    return new Period(startMs, endMs);
  }

  // ------------------------------------------------------------------------------------- answer

  private int diagnose(Subject subject) throws QueryException, IOException {
    Diagnoser.Request request = request(subject);
    long endMs = request.window().endMs();
    Signals signals =
        new Signals(
            DialectFiles.catalogue(subject.dialects()),
            subject.source().queries(),
            () -> endMs,
            ticker,
            subject.goals(),
            subject.facts());
    Report report = new Diagnoser(signals, subject.thresholds()).diagnose(request);
    if (service != null && report.services().isEmpty()) {
      throw unknownService(signals);
    }
    return show(report, subject.source().queries());
  }

  /**
   * What a running server says by itself; null if none is asked, or goals are given here that it
   * doesn't know.
   */
  private @Nullable Report told() throws QueryException {
    if (server == null || config != null || !slos.isEmpty()) {
      return null;
    }
    long nowMs = clock.nowMs();
    Map<String, String> parameters = new LinkedHashMap<>();
    if (at != null) {
      parameters.put("time", seconds(Times.parseMs("--at", at, nowMs)));
    }
    if (window != null) {
      parameters.put("window", Times.durationMs("--window", window) + "ms");
    }
    if (service != null) {
      parameters.put("service", service);
    }
    if (baseline != null) {
      parameters.put("baseline", baselineParameter(baseline, nowMs));
    }
    return AskedServer.ask(address("--server", server), parameters);
  }

  private static String baselineParameter(String baseline, long nowMs) {
    Period fixed = fixedBaseline(baseline, nowMs);
    return fixed == null
        ? Times.durationMs("--baseline", baseline) + "ms"
        : seconds(fixed.startMs()) + "," + seconds(fixed.endMs());
  }

  private static String seconds(long ms) {
    return BigDecimal.valueOf(ms, 3).toPlainString();
  }

  private int show(Report report, @Nullable QueryService queries) throws IOException {
    write(report, queries);
    if (report.services().isEmpty()) {
      console.say(
          "no samples of an inference engine in the minutes before "
              + Amounts.time(report.whole().window().endMs()));
    }
    return code(report);
  }

  private CommandException unknownService(Signals signals) throws QueryException {
    String known =
        signals.services().services().stream()
            .map(org.inferometer.signals.Service::id)
            .collect(Collectors.joining(", "));
    return CommandException.badInput(
        "--service: found \"" + service + "\", expected an engine of: " + known);
  }

  private static int code(Report report) {
    if (report.services().isEmpty()) {
      return ExitCode.FAILED;
    }
    return switch (report.whole().state()) {
      case HEALTHY, NO_TRAFFIC -> ExitCode.OK;
      case CANNOT_TELL, DEGRADED, CRITICAL -> ExitCode.FOUND;
    };
  }

  private void write(Report report, @Nullable QueryService queries) throws IOException {
    List<String> lines = lines(report, queries);
    if (out == null) {
      lines.forEach(console.out()::println);
      console.out().flush();
    } else {
      String text = String.join("\n", lines) + "\n";
      Files.writeString(out, text, StandardCharsets.UTF_8);
      Diagnosis whole = report.whole();
      console.say(out + ": " + whole.state().id() + ": " + whole.summary());
    }
  }

  private List<String> lines(Report report, @Nullable QueryService queries) {
    return switch (format) {
      case text -> new DiagnosisText(out == null ? console : console.plain()).lines(report);
      case json -> List.of(JsonText.of(json -> DiagnosisJson.write(json, report)));
      case markdown -> DiagnosisMarkdown.lines(report);
      case html ->
          DiagnosisHtml.lines(
              report, queries == null ? EvidenceCharts.none() : EvidenceCharts.of(report, queries));
    };
  }
}
