package org.inferometer.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import org.inferometer.config.Durations;
import org.inferometer.io.Disk;
import org.inferometer.query.EngineOptions;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.live.LiveFleet;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/** One life of a demonstration: its past is made, then it is live until a signal ends it. */
final class DemoRun {
  /**
   * From scrape to scrape in the past: 180 in half an hour, and shorter than {@link #FINE_MS}.
   * Reading pages is what takes the second most time of a start.
   */
  private static final long PAST_INTERVAL_MS = 10_000;

  /**
   * The end of the past is scraped as the present is. It is longer than an interval of the past, so
   * that each endpoint is seen twice in it.
   */
  private static final long FINE_MS = 15_000;

  /**
   * Time has gone on while the past was made; what still lacks then is made up for in real time.
   */
  private static final long CAUGHT_UP_MS = 100;

  private static final long NANOS_PER_MS = 1_000_000;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile @Nullable String waitsFor = "the demo is being made";
  private volatile @Nullable LocalServer running;
  private List<DemoConfig.Endpoint> watched = List.of();

  DemoRun(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  /**
   * Returns when it has ended.
   *
   * @throws CommandException if it couldn't start
   */
  void run(DemoArguments arguments) throws InterruptedException {
    Logging.start(console);
    OsSignals.on("TERM", this::stop);
    OsSignals.on("INT", this::stop);
    DemoPlan plan = DemoPlan.of(arguments);
    InetSocketAddress address = ListenAddress.parse(arguments.listen());
    try {
      requireEmpty(arguments.data());
      Path own = Files.createTempDirectory("inferometer-demo-");
      try {
        run(plan, address, arguments, own);
      } finally {
        Disk.real().delete(own);
      }
    } catch (IOException e) {
      throw CommandException.failed("the folder of the demo: " + e.getMessage(), e);
    }
  }

  /** Ends it as a signal would. */
  void stop() {
    end.countDown();
  }

  /** Where it answers, once it listens; for tests. */
  @Nullable LocalServer server() {
    return running;
  }

  boolean isLive() {
    return running != null && waitsFor == null;
  }

  /** Another past in the same folder would lie across this one. */
  private static void requireEmpty(@Nullable Path data) throws IOException {
    if (data != null && Files.exists(data)) {
      try (Stream<Path> files = Files.list(data)) {
        if (files.findAny().isPresent()) {
          throw CommandException.badInput("--data: expected a new or empty folder, not " + data);
        }
      }
    }
  }

  private void run(DemoPlan plan, InetSocketAddress address, DemoArguments arguments, Path own)
      throws IOException, InterruptedException {
    Path config = own.resolve("inferometer.yml");
    Files.writeString(config, DemoConfig.of(plan.scenario(), List.of()));
    Fleet fleet = fleet(plan, arguments.seed());
    Path data = arguments.data() == null ? own.resolve("data") : arguments.data();
    ServeOptions options =
        new ServeOptions(
            address,
            List.of(),
            List.of(),
            config,
            StorageOptions.of(data),
            EngineOptions.DEFAULT,
            WebOptions.DEFAULT);
    LiveFleet.Settings ports =
        new LiveFleet.Settings(InetAddress.getLoopbackAddress(), 0, List.of(), 1);
    LiveFleet live = new LiveFleet(fleet, ports, ticker, this::told);
    DemoFleet demo = new DemoFleet(fleet, live, plan.faults());
    LocalServer.Simulated simulated = new LocalServer.Simulated(demo, () -> waitsFor);
    try (live;
        LocalServer server = new LocalServer(options, simulated, console, clock, ticker).start()) {
      running = server;
      String page = ServeRun.pageAddress(address, server.port());
      console.say("Inferometer is at " + page);
      if (arguments.opens()) {
        Desktop.open(page);
      }
      if (makePast(plan, demo, fleet, server)) {
        live.start(() -> (clock.nowMs() - fleet.startMs()) * NANOS_PER_MS);
        demo.begunLive();
        watch(plan, demo, config, server);
        waitsFor = null;
        if (plan.atOnce() != null) {
          demo.inject(plan.atOnce().id());
        }
        sayWhereItIs(live, page);
        stayLive(plan, demo, live, config, server);
      }
      console.say("Stopping.");
    }
  }

  private Fleet fleet(DemoPlan plan, long seed) {
    try {
      return Fleet.of(plan.scenario(), seed, clock.nowMs() - plan.historyMs());
    } catch (IllegalArgumentException e) {
      throw CommandException.badInput(plan.scenario().name() + ": " + e.getMessage());
    }
  }

  // ------------------------------------------------------------------------------------ the past

  /** Thrown out of the making of the past when a signal ended it. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @return whether it was made whole
   */
  private boolean makePast(DemoPlan plan, DemoFleet demo, Fleet fleet, LocalServer server) {
    long began = ticker.nanos();
    Telling telling = new Telling(plan.historyMs(), new ProgressLines(console, ticker));
    try {
      past(demo, PAST_INTERVAL_MS).fill(fleet, server.samples(), clock.nowMs() - FINE_MS, telling);
      SimulatedHistory fine = past(demo, DemoConfig.INTERVAL_MS);
      // A fleet that is slower than time itself would never be there; it goes live as it is.
      long behindBeforeMs = Long.MAX_VALUE;
      for (long ms = behindMs(fleet);
          ms > CAUGHT_UP_MS && ms < behindBeforeMs;
          ms = behindMs(fleet)) {
        behindBeforeMs = ms;
        fine.fill(fleet, server.samples(), clock.nowMs(), _ -> throwIfEnded());
      }
    } catch (Ended e) {
      return false;
    }
    console.say(
        "%s of history made in %s"
            .formatted(
                Durations.format(plan.historyMs()),
                Amounts.duration(Math.max(1, (ticker.nanos() - began) / NANOS_PER_MS))));
    return true;
  }

  private static SimulatedHistory past(DemoFleet demo, long intervalMs) {
    return new SimulatedHistory(demo::instance, _ -> {}, intervalMs, 1);
  }

  private long behindMs(Fleet fleet) {
    return clock.nowMs() - fleet.startMs() - fleet.now() / NANOS_PER_MS;
  }

  private void throwIfEnded() {
    if (end.getCount() == 0) {
      throw new Ended();
    }
  }

  /** Tells those who wait how far the past is. */
  private final class Telling implements DoubleConsumer {
    private final long historyMs;
    private final ProgressLines lines;

    Telling(long historyMs, ProgressLines lines) {
      this.historyMs = historyMs;
      this.lines = lines;
    }

    @Override
    public void accept(double done) {
      throwIfEnded();
      String told =
          "making %s of history: %d %%".formatted(Durations.format(historyMs), (int) (100 * done));
      waitsFor = told;
      if (lines.isDue()) {
        lines.say(told, Math.round(done * historyMs), historyMs);
      }
    }
  }

  // --------------------------------------------------------------------------------- the present

  /** Scrapes all that listens. */
  private void watch(DemoPlan plan, DemoFleet demo, Path config, LocalServer server)
      throws IOException {
    watched = demo.listening();
    Files.writeString(config, DemoConfig.of(plan.scenario(), watched));
    String problem = server.reload();
    if (problem != null) {
      throw CommandException.failed("the demo's own config: " + problem);
    }
  }

  /** Replicas may come and go. */
  private void stayLive(
      DemoPlan plan, DemoFleet demo, LiveFleet live, Path config, LocalServer server)
      throws IOException, InterruptedException {
    while (!end.await(1, TimeUnit.SECONDS)) {
      throwIfBroken(live);
      if (!demo.listening().equals(watched)) {
        watch(plan, demo, config, server);
      }
    }
  }

  /** A fleet that stands still looks like one in trouble: that it broke is to be told. */
  private static void throwIfBroken(LiveFleet live) {
    RuntimeException broken = live.time().end().getNow(null);
    if (broken != null) {
      throw new IllegalStateException("the simulation broke", broken);
    }
  }

  private void sayWhereItIs(LiveFleet live, String page) {
    console.say("The fleet is live; to break something: " + page + "demo");
    live.listening().stream()
        .filter(one -> one.hasApi() && one.job().equals("gateway"))
        .forEach(
            one ->
                console.say(
                    "Its gateway takes requests of OpenAI's clients: http://"
                        + one.address()
                        + "/v1"));
  }

  private void told(String what) {
    console.say(what + ".");
  }
}
