package org.inferometer.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code inferometer demo}: the server before a fleet that isn't real. */
@Command(
    name = "demo",
    description =
        "Shows everything on a simulated fleet: half an hour of history at once, then live, with"
            + " faults to put in.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Needs no engine, no GPU and no network. What it keeps is removed at its end.",
      "",
      "A scenario's history ends five minutes after its trouble began, so that one sees",
      "the beginning. A fault is put into the fleet once that is live.",
      "",
      "Examples:",
      "  inferometer demo",
      "  inferometer demo --fault thermal-throttle",
      "  inferometer demo --scenario kv-exhaustion",
      "  inferometer demo --history 2h --seed 7 --listen 127.0.0.1:9999"
    })
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--scenario",
      paramLabel = "NAME|FILE",
      description =
          "What is simulated: one of \"simulate --list\", a file of your own, or the id of a fault,"
              + " which is put into the demo's own fleet.")
  private @Nullable String scenario;

  @Option(
      names = "--fault",
      paramLabel = "ID",
      description = "Put in as soon as the fleet is live; the page Demo has them.")
  private @Nullable String fault;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where to answer; ${DEFAULT-VALUE} if not given.")
  private String listen = ServeArguments.LISTEN_DEFAULT;

  @Option(
      names = "--history",
      paramLabel = "DURATION",
      description = "How long its past is; 30m, or what suits the scenario, if not given.")
  private @Nullable String history;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Of all that is left to chance; ${DEFAULT-VALUE} if not given.")
  private long seed = 1;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keeps the samples, in a new or empty folder.")
  private @Nullable Path data;

  @Option(names = "--no-open", description = "Opens no browser.")
  private boolean noOpen;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;

  DemoCommand(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Integer call() throws InterruptedException {
    new DemoRun(console, clock, ticker)
        .run(new DemoArguments(scenario, fault, listen, history, seed, data, !noOpen));
    return ExitCode.OK;
  }
}
