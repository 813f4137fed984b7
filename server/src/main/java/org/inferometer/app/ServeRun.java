package org.inferometer.app;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;

/** One life of a server, from its arguments to the signal that ends it. */
final class ServeRun {
  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;
  private final CountDownLatch end = new CountDownLatch(1);

  ServeRun(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  /**
   * Returns when the server has ended.
   *
   * @throws CommandException if it couldn't start
   */
  void run(ServeArguments arguments) throws InterruptedException {
    Logging.start(console);
    InetSocketAddress address = ListenAddress.parse(arguments.listen());
    StorageOptions storage = arguments.storage().options();
    boolean looking =
        arguments.urls().isEmpty() && arguments.config() == null && !storage.isReadOnly();
    List<String> targets = looking ? LocalPorts.find(LocalPorts.WELL_KNOWN) : arguments.urls();
    ServeOptions options =
        new ServeOptions(
            address,
            arguments.allowedHosts(),
            targets,
            arguments.config(),
            storage,
            arguments.queries().engineOptions(),
            arguments.web());
    try (LocalServer server = new LocalServer(options, console, clock, ticker).start()) {
      console.say("Inferometer is at " + pageAddress(address, server.port()));
      if (looking) {
        sayWhatWasFound(targets);
      }
      waitForEnd(server);
    }
  }

  /** Ends it as a signal would. */
  void stop() {
    end.countDown();
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
    console.say("To see it with a simulated fleet: inferometer demo");
  }

  private void waitForEnd(LocalServer server) throws InterruptedException {
    OsSignals.on("TERM", this::stop);
    OsSignals.on("INT", this::stop);
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
