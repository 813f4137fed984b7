package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.inferometer.io.Disk;
import org.inferometer.lint.LintFile;
import org.inferometer.lint.LintFileException;
import org.inferometer.lint.LintJson;
import org.inferometer.lint.LintOptions;
import org.inferometer.lint.LintReport;
import org.inferometer.lint.LintRule;
import org.inferometer.lint.LintText;
import org.inferometer.lint.Linter;
import org.inferometer.lint.LiveNames;
import org.inferometer.lint.Severity;
import org.inferometer.signals.Catalogue;
import org.inferometer.store.StoreException;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer lint}: what is wrong with the queries of dashboards, rules, autoscalers. */
@Command(
    name = "lint",
    description =
        "Says which queries of dashboards, rules and autoscalers can't work or mislead: names"
            + " that no release has or that were renamed, counters without rate, wrong units,"
            + " quantiles of averages, and more.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Reads Grafana and Perses dashboards, Prometheus rule files, PrometheusRule,",
      "ConfigMap, HorizontalPodAutoscaler and ScaledObject manifests, and the rules",
      "of prometheus-adapter.",
      "",
      "Exit codes: 0 nothing found; 1 errors or warnings found; 2 wrong usage, or a",
      "file that can't be read; 3 an endpoint or server couldn't be reached.",
      "",
      "Examples:",
      "  inferometer lint dashboards/*.json rules/*.yml",
      "  inferometer lint alerts.yml --server http://prometheus:9090",
      "  inferometer lint board.json --against http://gpu-7:8000/metrics",
      "  inferometer lint board.json --fix"
    })
final class LintCommand implements Callable<Integer> {
  /** Read once, when it is needed. */
  private static final class BuiltIn {
    static final Catalogue CATALOGUE = Catalogue.builtIn();
  }

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "What to look at.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--against",
      arity = "1..*",
      paramLabel = "URL",
      description = "Pages of targets: names that they don't have are told.")
  private List<String> against = new ArrayList<>();

  @Option(
      names = {"--server", "--backend"},
      paramLabel = "URL",
      description = "A server with Prometheus's API: names without series there are told.")
  private @Nullable String server;

  @Option(names = "--data", paramLabel = "DIR", description = "The same of a data directory.")
  private @Nullable Path data;

  @Option(names = "--dump", paramLabel = "FILE", description = "The same of a saved page.")
  private @Nullable Path dump;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      description =
          "From scrape to scrape; else that of a Prometheus configuration among the files, else"
              + " 15s.")
  private @Nullable String interval;

  @Option(
      names = "--severity",
      paramLabel = "error|warning|hint",
      description = "The least that is told; ${DEFAULT-VALUE} if not given.")
  private String severity = "warning";

  @Option(
      names = "--ignore",
      split = ",",
      paramLabel = "RULE",
      description = "Rules that aren't told, such as or-vector-zero.")
  private List<String> ignore = new ArrayList<>();

  @Option(
      names = "--fix",
      description = "Writes a corrected copy, FILE.fixed.EXT, where the correction is certain.")
  private boolean fix;

  @Option(names = "--output", paramLabel = "DIR", description = "Where corrected copies go.")
  private @Nullable Path output;

  @Option(names = "--in-place", description = "Corrects the files themselves.")
  private boolean inPlace;

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "For people or for programs; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  private final Console console;
  private final Disk disk;
  private final WallClock clock;
  private final Ticker ticker;

  LintCommand(Console console, Disk disk, WallClock clock, Ticker ticker) {
    this.console = console;
    this.disk = disk;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      return run();
    } catch (IOException e) {
      throw CommandException.failed(DataCommand.reason(e), e);
    } catch (StoreException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private int run() throws IOException, InterruptedException {
    checkOptions();
    Severity least = severity();
    Set<LintRule> ignored = ignored();
    Catalogue catalogue = BuiltIn.CATALOGUE;
    LintOptions options = options(catalogue);
    List<LintFile> read = new ArrayList<>();
    boolean refused = false;
    for (Path file : files) {
      try {
        read.add(LintFile.read(file.toString(), bytes(file)));
      } catch (LintFileException e) {
        console.problem(String.valueOf(e.getMessage()));
        refused = true;
      }
    }
    LintReport report = new Linter(catalogue).lint(read, options).only(least, ignored);
    show(report);
    if (fix) {
      for (int i = 0; i < read.size(); i++) {
        fix(Path.of(read.get(i).name()), read.get(i), report.files().get(i));
      }
    }
    boolean found = report.count(Severity.ERROR) + report.count(Severity.WARNING) > 0;
    return refused ? ExitCode.USAGE : found ? ExitCode.FOUND : ExitCode.OK;
  }

  private void checkOptions() {
    long sources =
        Stream.of(!against.isEmpty(), server != null, data != null, dump != null)
            .filter(given -> given)
            .count();
    if (sources > 1) {
      throw CommandException.badInput("expected one of --against, --server, --data and --dump");
    }
    if (!fix && (inPlace || output != null)) {
      throw CommandException.badInput("--in-place and --output go with --fix");
    }
    if (inPlace && output != null) {
      throw CommandException.badInput("expected one of --in-place and --output");
    }
  }

  private Severity severity() {
    for (Severity one : Severity.values()) {
      if (one.word().equals(severity)) {
        return one;
      }
    }
    throw CommandException.badInput(
        "--severity: expected error, warning or hint, got \"" + severity + "\"");
  }

  private Set<LintRule> ignored() {
    Set<LintRule> rules = EnumSet.noneOf(LintRule.class);
    for (String id : ignore) {
      LintRule rule = LintRule.find(id);
      if (rule == null) {
        throw CommandException.badInput(
            "--ignore: no rule \""
                + id
                + "\"; there are "
                + String.join(", ", Stream.of(LintRule.values()).map(LintRule::id).toList()));
      }
      rules.add(rule);
    }
    return rules;
  }

  private LintOptions options(Catalogue catalogue) throws IOException, InterruptedException {
    LintNames names = new LintNames(catalogue, console, disk, clock, ticker);
    LintOptions options = LintOptions.offline();
    if (interval != null) {
      options = options.withInterval(Times.durationMs("--interval", interval), "--interval");
    } else if (server != null) {
      Long known = names.intervalMs(address(server));
      options = known == null ? options : options.withInterval(known, "as the server scrapes");
    }
    LiveNames live = live(names);
    return live == null ? options : options.withLive(live);
  }

  private @Nullable LiveNames live(LintNames names) throws IOException, InterruptedException {
    if (!against.isEmpty()) {
      return names.ofPages(against);
    }
    if (server != null) {
      return names.ofServer(address(server));
    }
    if (data != null) {
      return names.ofData(data);
    }
    return dump == null ? null : names.ofDump(dump);
  }

  private static URI address(String server) {
    try {
      URI address = URI.create(server.contains("://") ? server : "http://" + server);
      if (address.getHost() != null && address.getScheme().startsWith("http")) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the common message.
    }
    throw CommandException.badInput(
        "--server: expected an address such as http://127.0.0.1:9090, got \"" + server + "\"");
  }

  private static byte[] bytes(Path file) throws LintFileException {
    if (!Files.isRegularFile(file)) {
      throw new LintFileException(
          file + (Files.exists(file) ? ": expected a file" : ": no such file"));
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(LintFile.BYTES_MAX + 1);
    } catch (IOException e) {
      throw new LintFileException(DataCommand.reason(e));
    }
  }

  private void show(LintReport report) {
    if (format == OutputFormat.json) {
      console.out().println(LintJson.of(report));
    } else {
      new LintText(console::bold, console::dim, fix).lines(report).forEach(console.out()::println);
    }
  }

  private void fix(Path file, LintFile read, LintReport.OfFile report) throws IOException {
    Linter.Fixed fixed = Linter.fix(read, report.findings());
    if (fixed.changes() == 0) {
      return;
    }
    Path target = target(file);
    byte[] bytes = fixed.text().getBytes(StandardCharsets.UTF_8);
    if (inPlace) {
      replace(target, bytes);
    } else {
      try {
        Files.write(target, bytes, StandardOpenOption.CREATE_NEW);
      } catch (FileAlreadyExistsException e) {
        throw CommandException.badInput(
            target + ": exists already; remove it, or give --output DIR or --in-place");
      }
    }
    console.say(
        target
            + ": "
            + (fixed.changes() == 1 ? "1 place" : fixed.changes() + " places")
            + " corrected");
  }

  /** Whoever reads the file meanwhile, or finds it after a full disk, finds all of one of both. */
  private static void replace(Path link, byte[] bytes) throws IOException {
    Path file = link.toRealPath();
    Path whole = Files.createTempFile(file.resolveSibling(""), ".inferometer-", ".tmp");
    try {
      Files.write(whole, bytes);
      if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(whole, Files.getPosixFilePermissions(file));
      }
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  /** {@code board.json} becomes {@code board.fixed.json}. */
  private Path target(Path file) throws IOException {
    if (inPlace) {
      return file;
    }
    String name = String.valueOf(file.getFileName());
    if (output != null) {
      Files.createDirectories(output);
      return output.resolve(name);
    }
    int dot = name.lastIndexOf('.');
    return file.resolveSibling(
        dot <= 0 ? name + ".fixed" : name.substring(0, dot) + ".fixed" + name.substring(dot));
  }
}
