package org.inferometer.app;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.io.Disk;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.yaml.YamlException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code inferometer simulate}: a made-up system, of which the truth is known. */
@Command(
    name = "simulate",
    description =
        "Runs a simulated system: engines, GPUs, hosts, a gateway and their clients, with a known"
            + " cause of trouble or none. With --out it writes what a scraper would have seen,"
            + " with --serve it is there to be scraped, and to be asked, in real time.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "The same scenario, seed and --start give the same file, byte by byte. The truth",
      "stands in its first lines: # HELP truth:cause ...",
      "",
      "Exit codes: 0 done; 2 wrong usage, or a scenario that can't be used; 3 it",
      "couldn't be done.",
      "",
      "Examples:",
      "  inferometer simulate --list",
      "  inferometer simulate --scenario kv-exhaustion --describe",
      "  inferometer simulate --scenario kv-exhaustion --for 30m --out kv.om",
      "  inferometer query --series kv.om 'up'",
      "  inferometer simulate --scenario mine.yaml --seed 7 --missed 0.05 --out -",
      "  inferometer simulate --scenario demo --serve",
      "  inferometer simulate --scenario demo --serve --start now-10m --log access",
      "  curl -X POST localhost:8100/faults -d '{\"fault\": \"kv-exhaustion\"}'",
      "  curl -X DELETE localhost:8100/faults"
    })
final class SimulateCommand extends DataCommand {
  private static final long NANOS_PER_MS = 1_000_000;

  /** A file of a longer time couldn't be held in memory at any interval of use. */
  private static final long FOR_MS_MAX = 31L * 86_400_000;

  /** The years 1970 to 9999: timestamps before and after aren't written alike everywhere. */
  private static final long START_MS_MAX = 253_402_300_799_000L;

  private static final int SPEED_MAX = 1000;
  private static final long INTERVAL_MS_MIN = 100;
  private static final long INTERVAL_MS_MAX = 600_000;

  @Option(names = "--list", description = "Lists the scenarios that there are.")
  private boolean list;

  @Option(
      names = "--scenario",
      paramLabel = "NAME|FILE",
      description = "One of the list, or a file of your own.")
  private @Nullable String scenario;

  @Option(names = "--describe", description = "Tells what the scenario is about.")
  private boolean describe;

  @Option(
      names = "--out",
      paramLabel = "FILE.om",
      description = "Writes a series file, as fast as it goes; - for standard output.")
  private @Nullable String out;

  @Option(
      names = "--serve",
      description = "Serves it in real time, each part at a port of its own, until it is stopped.")
  private boolean serve;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "With --serve: the first of consecutive ports, 0 for any that are free;"
              + " ${DEFAULT-VALUE} if not given.")
  private String listen = "127.0.0.1:8100";

  @Option(
      names = "--allow-host",
      paramLabel = "NAME",
      description =
          "With --serve: a name besides localhost that clients may call it by. May be repeated.")
  private List<String> allowedHosts = new ArrayList<>();

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      description = "With --serve: simulated seconds in a real one; ${DEFAULT-VALUE} if not given.")
  private double speed = 1;

  @Option(
      names = "--log",
      paramLabel = "stats|access|none",
      description =
          "With --serve: what goes to standard output, engines' lines of statistics or the"
              + " gateway's access log; ${DEFAULT-VALUE} if not given.")
  private SimulationServer.Log log = SimulationServer.Log.none;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description = "With --serve: lines of the gateway's access log are added to it.")
  private @Nullable String accessLog;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long it runs, in simulated time; the scenario's own if not given.")
  private @Nullable String duration;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Of all that is left to chance; ${DEFAULT-VALUE} if not given.")
  private long seed = 1;

  @Option(
      names = "--start",
      paramLabel = "TIME",
      description =
          "The time of day at its beginning: Unix seconds, RFC 3339, or now-1h. If not given, it"
              + " ends now.")
  private @Nullable String start;

  @Option(
      names = "--scrape",
      paramLabel = "DURATION",
      description = "From scrape to scrape; ${DEFAULT-VALUE} if not given.")
  private String scrape = "15s";

  @Option(
      names = "--jitter",
      paramLabel = "DURATION",
      description = "How late a scrape comes at most; on time if not given.")
  private @Nullable String jitter;

  @Option(
      names = "--missed",
      paramLabel = "SHARE",
      description = "The share of scrapes that get no answer, 0 to 1; none if not given.")
  private double missed;

  @Option(
      names = "--restart",
      split = ",",
      paramLabel = "DURATION",
      description = "After so long all replicas restart, one by one; may be repeated.")
  private List<String> restarts = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "How --list and --describe tell; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  private final WallClock clock;
  private final Ticker ticker;
  private final ProgressLines progress;

  SimulateCommand(Console console, Disk disk, WallClock clock, Ticker ticker) {
    super(console, disk);
    this.clock = clock;
    this.ticker = ticker;
    this.progress = new ProgressLines(console, ticker);
  }

  @Override
  int run() throws IOException {
    if (list) {
      new ScenarioView(console, format).list(Scenarios.builtIn());
      return ExitCode.OK;
    }
    Scenario read = scenario();
    if (describe) {
      new ScenarioView(console, format).describe(read);
      return ExitCode.OK;
    }
    if (serve) {
      serve(read);
      return ExitCode.OK;
    }
    if (out == null) {
      throw CommandException.badInput(
          "expected what to do with the scenario: --serve serves it, --out FILE.om writes a series"
              + " file of it, --describe tells what it is about");
    }
    writeWithRoom(read, out);
    return ExitCode.OK;
  }

  // ------------------------------------------------------------------------------- the scenario

  private Scenario scenario() throws IOException {
    String name = scenario;
    if (name == null) {
      throw CommandException.badInput(
          "expected --scenario with a name or a file; --list shows the names");
    }
    try {
      Scenarios scenarios = Scenarios.builtIn();
      return scenarios.has(name) ? scenarios.get(name) : ofFile(scenarios, name);
    } catch (YamlException e) {
      throw CommandException.badInput(String.valueOf(e.getMessage()));
    }
  }

  private static Scenario ofFile(Scenarios scenarios, String name) throws IOException {
    Path file = path(name);
    if (Files.isDirectory(file)) {
      throw CommandException.badInput(name + ": expected a file, found a folder");
    }
    if (!Files.exists(file)) {
      throw CommandException.badInput(
          "--scenario: there is neither a scenario nor a file \""
              + name
              + "\"; --list shows the"
              + " names");
    }
    return scenarios.read(file);
  }

  private static Path path(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw CommandException.badInput("expected the name of a file, got \"" + name + "\"");
    }
  }

  // ---------------------------------------------------------------------------------- --serve

  private void serve(Scenario read) throws IOException {
    if (out != null) {
      throw CommandException.badInput("expected either --serve or --out");
    }
    if (!(speed > 0 && speed <= SPEED_MAX)) {
      throw CommandException.badInput(
          "--speed: expected a number above 0 and up to " + SPEED_MAX + ", got " + speed);
    }
    long startMs = startMs(0);
    if (clock.nowMs() - startMs > FOR_MS_MAX) {
      throw CommandException.badInput(
          "--start: expected at most "
              + FOR_MS_MAX / 86_400_000
              + "d ago, since that is simulated before it is live; got \""
              + start
              + "\"");
    }
    new SimulationServer(console, clock, ticker)
        .run(
            read,
            new SimulationServer.Options(
                ListenAddress.parse(listen),
                allowedHosts,
                speed,
                seed,
                startMs,
                duration == null ? 0 : forMs(read),
                log,
                accessLog == null ? null : path(accessLog)));
  }

  // ------------------------------------------------------------------------------------ --out

  /** Samples are kept within bounds; requests under way are as many as are asked for. */
  private void writeWithRoom(Scenario read, String file) throws IOException {
    try {
      write(read, file);
    } catch (OutOfMemoryError e) {
      throw CommandException.failed(
          "no memory for what is simulated; take fewer replicas, requests or blocks, or give the"
              + " program more memory",
          e);
    }
  }

  private void write(Scenario read, String file) throws IOException {
    long forMs = forMs(read);
    long startMs = startMs(forMs);
    Path target = file.equals("-") ? null : target(file);
    Fleet fleet = fleet(read, startMs);
    restarts.forEach(at -> restart(fleet, restartMs(at, forMs)));
    RecordedSeries series = new RecordedSeries(startMs);
    long began = ticker.nanos();
    progress.begin();
    SimulatedHistory history =
        new SimulatedHistory(Endpoint::address, turning(), intervalMs(), seed);
    history.fill(fleet, series, startMs + forMs, done -> check(series, done, forMs));
    String took = Amounts.duration(Math.max(1, (ticker.nanos() - began) / NANOS_PER_MS));
    save(
        target,
        to ->
            SimulationFile.write(
                SimulationFile.truth(read, seed, startMs, startMs + forMs), series, to));
    console.say(
        "%s: %s of %s, in %s"
            .formatted(
                file.equals("-") ? "standard output" : file,
                Amounts.count(series.series(), "series"),
                Amounts.duration(forMs),
                took));
  }

  private Fleet fleet(Scenario read, long startMs) {
    try {
      return Fleet.of(read, seed, startMs);
    } catch (IllegalArgumentException e) {
      throw CommandException.badInput(read.name() + ": " + e.getMessage());
    }
  }

  private long forMs(Scenario read) {
    long forMs =
        duration == null ? read.durationNs() / NANOS_PER_MS : Times.durationMs("--for", duration);
    if (forMs > FOR_MS_MAX) {
      throw CommandException.badInput(
          "--for: expected at most " + FOR_MS_MAX / 86_400_000 + "d, got \"" + duration + "\"");
    }
    return forMs;
  }

  private long startMs(long forMs) {
    long ms =
        start == null ? clock.nowMs() - forMs : Times.parseMs("--start", start, clock.nowMs());
    if (ms < 0 || ms > START_MS_MAX - forMs) {
      throw CommandException.badInput(
          "--start: expected a time in the years 1970 to 9999, got \"" + start + "\"");
    }
    return ms;
  }

  private long intervalMs() {
    long ms = Times.durationMs("--scrape", scrape);
    if (ms < INTERVAL_MS_MIN || ms > INTERVAL_MS_MAX) {
      throw CommandException.badInput("--scrape: expected 100ms to 10m, got \"" + scrape + "\"");
    }
    return ms;
  }

  private Consumer<Endpoint> turning() {
    double late = jitter == null ? 0 : Times.durationMs("--jitter", jitter) / 1e3;
    if (late > Knob.SCRAPE_JITTER.max() || late * 1000 > intervalMs()) {
      throw CommandException.badInput(
          "--jitter: expected at most 10s, and not more than --scrape, got \"" + jitter + "\"");
    }
    if (!(missed >= 0 && missed <= 1)) {
      throw CommandException.badInput("--missed: expected 0 to 1, got " + missed);
    }
    return endpoint -> {
      if (late > 0) {
        endpoint.knobs().set(Knob.SCRAPE_JITTER, late);
      }
      if (missed > 0) {
        endpoint.knobs().set(Knob.SCRAPE_MISSED, missed);
      }
    };
  }

  private static long restartMs(String text, long forMs) {
    long atMs = Times.durationMs("--restart", text);
    if (atMs > forMs) {
      throw CommandException.badInput(
          "--restart: expected at most %s, as long as it runs; got \"%s\""
              .formatted(Amounts.duration(forMs), text));
    }
    return atMs;
  }

  private static void restart(Fleet fleet, long atMs) {
    fleet
        .agenda()
        .at(
            atMs * NANOS_PER_MS,
            () -> fleet.apply(new Action.Restart(null, null, true), Scenario.Target.all(), 0));
  }

  private void check(RecordedSeries series, double done, long forMs) {
    if (!series.isWhole()) {
      throw CommandException.failed(
          "no memory for all samples: after %s of %s it was full; take a shorter --for, a longer"
                  .formatted(Amounts.duration(Math.round(done * forMs)), Amounts.duration(forMs))
              + " --scrape, or give the program more memory");
    }
    if (progress.isDue()) {
      long doneMs = Math.round(done * forMs);
      progress.say(
          "simulated %s of %s".formatted(Amounts.duration(doneMs), Amounts.duration(forMs)),
          doneMs,
          forMs);
    }
  }

  /** Writes to a stream. */
  @FunctionalInterface
  private interface Content {
    void to(OutputStream out) throws IOException;
  }

  /** Where the file is to be; that it can't be there is told before all the work. */
  private static Path target(String file) {
    Path target = path(file).toAbsolutePath();
    Path parent = target.getParent();
    if (parent == null || Files.isDirectory(target)) {
      throw CommandException.badInput(file + ": expected a file, found a folder");
    }
    if (!Files.isDirectory(parent)) {
      throw CommandException.badInput(file + ": there is no folder " + parent);
    }
    return target;
  }

  /**
   * Whoever finds the file finds all of it.
   *
   * @param target null for standard output
   */
  private void save(@Nullable Path target, Content content) throws IOException {
    if (target == null) {
      content.to(new CheckedStream(console.out()));
    } else if (Files.exists(target) && !Files.isRegularFile(target)) {
      // A pipe or a device is written to; a file in its place would be no pipe any more.
      try (OutputStream to =
          new BufferedOutputStream(Files.newOutputStream(target, StandardOpenOption.WRITE))) {
        content.to(to);
      }
    } else {
      saveWhole(Files.exists(target) ? target.toRealPath() : target, content);
    }
  }

  private static void saveWhole(Path target, Content content) throws IOException {
    Path part =
        target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid() + ".part");
    // Of what isn't ours nothing is overwritten.
    OutputStream open =
        Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    // An end by a signal leaves nothing behind either.
    part.toFile().deleteOnExit();
    try {
      try (OutputStream to = new BufferedOutputStream(open)) {
        content.to(to);
      }
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
