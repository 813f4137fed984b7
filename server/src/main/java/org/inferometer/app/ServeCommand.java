package org.inferometer.app;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer serve}: the server, until a signal ends it. */
@Command(
    name = "serve",
    description = "Scrapes, keeps the samples in memory, answers PromQL and shows the pages.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Without URL and config it looks at the ports of this machine where inference",
      "servers and exporters usually listen. SIGHUP reads the config again.",
      "",
      "Examples:",
      "  inferometer serve http://localhost:8000/metrics",
      "  inferometer serve gpu-1:8000 gpu-1:9400 node-1:9100",
      "  inferometer serve --config prometheus.yml",
      "  inferometer serve --listen 0.0.0.0:9765 --allow-host meter.example"
    })
final class ServeCommand implements Callable<Integer> {
  static final String LISTEN_DEFAULT = "127.0.0.1:9765";

  @Parameters(
      paramLabel = "URL",
      arity = "0..*",
      description = "What to scrape; /metrics if it has no path.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A config file as Prometheus has it.")
  private @Nullable Path config;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where to answer; ${DEFAULT-VALUE} if not given.")
  private String listen = LISTEN_DEFAULT;

  @Option(
      names = "--allow-host",
      paramLabel = "NAME",
      description =
          "A name besides localhost that clients may call this server by. May be repeated.")
  private List<String> allowedHosts = new ArrayList<>();

  @Option(
      names = "--retention",
      paramLabel = "DURATION",
      description = "How long samples are kept; 6h if not given.")
  private @Nullable String retention;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;

  ServeCommand(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Integer call() throws InterruptedException {
    Logging.start(console);
    InetSocketAddress address = ListenAddress.parse(listen);
    OptionalLong retentionMs =
        retention == null
            ? OptionalLong.empty()
            : OptionalLong.of(Times.durationMs("--retention", retention));
    boolean looking = urls.isEmpty() && config == null;
    List<String> targets = looking ? LocalPorts.find(LocalPorts.WELL_KNOWN) : urls;
    ServeOptions options = new ServeOptions(address, allowedHosts, targets, config, retentionMs);
    try (LocalServer server = new LocalServer(options, console, clock, ticker).start()) {
      console.say("Inferometer is at " + pageAddress(address, server.port()));
      if (looking) {
        sayWhatWasFound(targets);
      }
      waitForEnd(server);
    }
    return ExitCode.OK;
  }

  static String pageAddress(InetSocketAddress address, int port) {
    String host = address.getAddress().getHostAddress();
    if (address.getAddress().isAnyLocalAddress()) {
      host = "localhost";
    } else if (host.indexOf(':') >= 0) {
      host = "[" + host + "]";
    }
    return "http://" + host + ":" + port + "/";
  }

  private void sayWhatWasFound(List<String> found) {
    if (!found.isEmpty()) {
      console.say("Found on this machine: " + String.join(", ", found));
      return;
    }
    console.say("Nothing to scrape: no URL was given, and none of these ports has metrics:");
    for (LocalPorts.WellKnown port : LocalPorts.WELL_KNOWN) {
      console.say("  127.0.0.1:" + port.port() + "  " + port.usual());
    }
    console.say("To watch a server: inferometer serve http://HOST:8000/metrics");
  }

  private void waitForEnd(LocalServer server) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    OsSignals.on("TERM", end::countDown);
    OsSignals.on("INT", end::countDown);
    OsSignals.on("HUP", () -> Thread.ofVirtual().start(() -> reload(server)));
    end.await();
    console.say("Stopping.");
  }

  private void reload(LocalServer server) {
    String problem = server.reload();
    if (problem == null) {
      console.say("Config read again: " + server.targetCount() + " targets.");
    } else {
      console.problem("the config can't be used, the old one stays:\n" + problem);
    }
  }
}
