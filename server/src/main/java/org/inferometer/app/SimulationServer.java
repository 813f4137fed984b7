package org.inferometer.app;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.inferometer.simulator.edge.AccessLog;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.live.GatewayLog;
import org.inferometer.simulator.live.LineWriter;
import org.inferometer.simulator.live.LiveFleet;
import org.inferometer.simulator.live.StatsLog;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/** One life of a simulation that is served, from its scenario to the signal that ends it. */
final class SimulationServer {
  private static final long NANOS_PER_MS = 1_000_000;

  /** Of simulated time that is made up for at a stretch before it is live. */
  private static final long STRETCH_NS = 1_000_000_000;

  /** What is written to standard output. */
  enum Log {
    stats,
    access,
    none
  }

  /**
   * How it is served.
   *
   * @param listen the first of consecutive ports; port 0 for any that are free
   * @param startMs the time of day at which the simulation begins; what has passed since is made up
   *     for as fast as it goes
   * @param forMs after so long of simulated time it ends; 0 for never
   * @param accessLog file to which lines of the gateway's access log are added
   */
  record Options(
      InetSocketAddress listen,
      List<String> allowedHosts,
      double speed,
      long seed,
      long startMs,
      long forMs,
      Log log,
      @Nullable Path accessLog) {
    Options {
      allowedHosts = List.copyOf(allowedHosts);
    }
  }

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();
  private final List<LineWriter> writers = new ArrayList<>();

  SimulationServer(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  /**
   * Returns when it has ended.
   *
   * @throws CommandException if it couldn't start, or broke
   */
  void run(Scenario scenario, Options options) throws IOException {
    Logging.start(console);
    OsSignals.on("TERM", this::stop);
    OsSignals.on("INT", this::stop);
    try {
      Consumer<String> stdout = stdout(options.log());
      Fleet fleet = fleet(scenario, options, stdout);
      if (makeUp(fleet, options)) {
        serve(fleet, options, stdout);
      }
    } finally {
      writers.forEach(LineWriter::close);
    }
  }

  /** Ends it as a signal would. */
  void stop() {
    end.complete(true);
  }

  // ------------------------------------------------------------------------------- what it writes

  private Consumer<String> stdout(Log log) {
    return log == Log.none
        ? _ -> {}
        : writer(new OutputStreamWriter(console.out(), StandardCharsets.UTF_8));
  }

  private Consumer<String> writer(Writer out) {
    LineWriter writer = new LineWriter(out, console::problem);
    writers.add(writer);
    return writer;
  }

  private Consumer<String> access(Options options, Consumer<String> stdout) throws IOException {
    Path file = options.accessLog();
    Consumer<String> toFile =
        file == null
            ? _ -> {}
            : writer(
                Files.newBufferedWriter(
                    file,
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND));
    return options.log() == Log.access ? toFile.andThen(stdout) : toFile;
  }

  // -------------------------------------------------------------------------------- its beginning

  private Fleet fleet(Scenario scenario, Options options, Consumer<String> stdout)
      throws IOException {
    boolean logs = options.log() == Log.access || options.accessLog() != null;
    AccessLog log =
        logs
            ? new GatewayLog(options.startMs(), access(options, stdout), console::say)
            : AccessLog.NONE;
    try {
      return Fleet.of(scenario, options.seed(), options.startMs(), log);
    } catch (IllegalArgumentException e) {
      throw CommandException.badInput(scenario.name() + ": " + e.getMessage());
    }
  }

  /**
   * Lets the time until now pass. What is made up for takes time too, and that is made up for in
   * turn; but not by a simulation that is slower than time itself and would never be done.
   *
   * @return whether it has; not if a signal came
   */
  private boolean makeUp(Fleet fleet, Options options) {
    ProgressLines progress = new ProgressLines(console, ticker);
    long behind = passedNs(options);
    long behindBefore = Long.MAX_VALUE;
    while (behind > 0 && behind < behindBefore && !end.isDone()) {
      makeUp(fleet, fleet.now() + behind, progress);
      behindBefore = behind;
      behind = options.speed() == 1 ? passedNs(options) - fleet.now() : 0;
    }
    return !end.isDone();
  }

  private void makeUp(Fleet fleet, long target, ProgressLines progress) {
    while (fleet.now() < target && !end.isDone()) {
      fleet.runUntil(Math.min(target, fleet.now() + STRETCH_NS));
      if (progress.isDue()) {
        long doneMs = fleet.now() / NANOS_PER_MS;
        long wholeMs = target / NANOS_PER_MS;
        progress.say(
            "simulated %s of %s".formatted(Amounts.duration(doneMs), Amounts.duration(wholeMs)),
            doneMs,
            wholeMs);
      }
    }
  }

  private long passedNs(Options options) {
    return Math.max(0, clock.nowMs() - options.startMs()) * NANOS_PER_MS;
  }

  // -------------------------------------------------------------------------------- its real time

  private void serve(Fleet fleet, Options options, Consumer<String> stdout) {
    LiveFleet.Settings settings =
        new LiveFleet.Settings(
            options.listen().getAddress(),
            options.listen().getPort(),
            options.allowedHosts(),
            options.speed());
    if (options.log() == Log.stats) {
      new StatsLog(fleet, stdout).start();
    }
    if (options.forMs() > 0) {
      fleet.agenda().at(Math.max(fleet.now(), options.forMs() * NANOS_PER_MS), this::stop);
    }
    try (LiveFleet live = new LiveFleet(fleet, settings, ticker, console::say)) {
      live.start(() -> options.speed() == 1 ? passedNs(options) : fleet.now());
      tell(fleet, live, options);
      CompletableFuture.anyOf(end, live.time().end()).get();
      RuntimeException broken = live.time().end().getNow(null);
      if (broken != null) {
        throw new IllegalStateException("the simulation broke", broken);
      }
      console.say("Stopping.");
    } catch (IOException e) {
      throw CommandException.failed(
          "can't listen on " + e.getMessage() + "; the first port can be given with --listen", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the simulation broke", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(Fleet fleet, LiveFleet live, Options options) {
    console.say(
        fleet.scenario().name()
            + (options.speed() == 1 ? " in real time:" : " at speed " + options.speed() + ":"));
    live.table().forEach(line -> console.say("  " + line));
    LiveFleet.Listening api = api(live);
    if (api != null) {
      String model = fleet.replicas().getFirst().made().servedName();
      console.say("To try it:");
      console.say("  curl -N http://" + api.address() + "/v1/completions \\");
      console.say("    -H 'Content-Type: application/json' \\");
      console.say(
          "    -d '{\"model\":"
              + JsonText.of(json -> json.writeString(model)).replace("'", "'\\''")
              + ",\"prompt\":\"Hello\",\"max_tokens\":40,\"stream\":true}'");
    }
    console.say("  curl http://" + live.listening().getFirst().address() + "/state");
  }

  private static LiveFleet.@Nullable Listening api(LiveFleet live) {
    for (LiveFleet.Listening one : live.listening()) {
      if (one.hasApi()) {
        return one;
      }
    }
    return null;
  }
}
