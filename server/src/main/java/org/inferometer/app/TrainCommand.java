package org.inferometer.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.inferometer.io.Disk;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import picocli.CommandLine.Command;

/**
 * A short life of a server, for the JVM to record which classes and methods a start and a first
 * page view need. The launcher runs it after a build.
 */
@Command(
    name = "train",
    description = "Runs a server for a moment, so that later starts are fast.",
    hidden = true,
    mixinStandardHelpOptions = true)
final class TrainCommand implements Callable<Integer> {
  /** What a page view asks besides queries. */
  private static final List<String> PAGES =
      List.of(
          "/",
          "/ui/app.js",
          "/api/v1/signals",
          "/api/v1/services",
          "/api/v1/targets",
          "/api/v1/labels",
          "/api/v1/label/__name__/values",
          "/api/v1/series?match[]=up",
          "/api/v1/metadata",
          "/metrics");

  private static final int PAGE_ROUNDS = 3;

  private static final String DEMO_HISTORY = "4m";

  private static final List<String> DEMO_PAGES =
      List.of("/", "/api/v1/status", "/api/v1/services", "/api/v1/gpus", "/api/v1/simulation");

  /** Of each kind of node in a query's tree, at one time and over a range. */
  private static final List<String> QUERIES =
      List.of(
          "/api/v1/query?query=1",
          "/api/v1/query?query=max(up)",
          "/api/v1/query?query=sum%20by(job)(rate(process_cpu_seconds_total[1m]))"
              + "/clamp_min(sum%20by(job)(rate(process_cpu_seconds_total[2m])),0.001)",
          "/api/v1/query?query=histogram_quantile(0.95,sum%20by(le)"
              + "(rate(inferometer_query_duration_seconds_bucket[5m])))",
          "/api/v1/query_range?query=sum(rate(process_cpu_seconds_total[1m]))%20or%20up"
              + "&start=1700000000&end=1700003600&step=15");

  /**
   * Enough for the JVM to learn how the methods behave, so that it compiles them early in every
   * later life: the first hundred queries after a start take half the time.
   */
  private static final int QUERY_ROUNDS = 200;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;

  TrainCommand(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Integer call() throws Exception {
    Path folder = Files.createTempDirectory("inferometer-train");
    try {
      run(folder.resolve("data"));
      demo(folder.resolve("demo"));
    } finally {
      Disk.real().delete(folder);
    }
    return ExitCode.OK;
  }

  private void run(Path data) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    int port = freePort(loopback);
    String address = "127.0.0.1:" + port;
    ServeRun server = new ServeRun(console, clock, ticker);
    // The server scrapes itself.
    ServeArguments arguments =
        new ServeArguments(
            List.of(address),
            null,
            address,
            List.of(),
            StorageFlags.in(data),
            QueryLimits.NONE,
            WebOptions.DEFAULT);
    Future<?> running =
        ForkJoinPool.commonPool()
            .submit(
                () -> {
                  server.run(arguments);
                  return null;
                });
    try {
      awaitTick(port, running);
      ask(port, PAGES, PAGE_ROUNDS);
      ask(port, QUERIES, QUERY_ROUNDS);
    } finally {
      server.stop();
      running.get();
    }
  }

  /** A demonstration whose past is long enough for the JVM to learn how to simulate. */
  private void demo(Path data) throws Exception {
    int port = freePort(InetAddress.getLoopbackAddress());
    DemoRun demo = new DemoRun(console, clock, ticker);
    DemoArguments arguments =
        new DemoArguments(null, null, "127.0.0.1:" + port, DEMO_HISTORY, 1, data, false);
    Future<?> running =
        ForkJoinPool.commonPool()
            .submit(
                () -> {
                  demo.run(arguments);
                  return null;
                });
    try {
      while (!demo.isLive() && !running.isDone()) {
        Thread.sleep(10);
      }
      ask(port, DEMO_PAGES, PAGE_ROUNDS);
    } finally {
      demo.stop();
      running.get();
    }
  }

  private static void ask(int port, List<String> paths, int rounds) throws IOException {
    for (int i = 0; i < rounds; i++) {
      for (String path : paths) {
        get(port, path);
      }
    }
  }

  private static int freePort(InetAddress loopback) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
      return socket.getLocalPort();
    }
  }

  /** Returns when the first samples are there. */
  private static void awaitTick(int port, Future<?> running)
      throws IOException, InterruptedException {
    try (Socket socket = openWhenReady(port, running)) {
      byte[] buffer = new byte[4096];
      StringBuilder seen = new StringBuilder();
      while (seen.indexOf("event: tick") < 0) {
        int count = socket.getInputStream().read(buffer);
        if (count < 0) {
          throw new IOException("the stream of events ended");
        }
        seen.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
      }
    }
  }

  private static Socket openWhenReady(int port, Future<?> running)
      throws IOException, InterruptedException {
    while (true) {
      try {
        // It listens before it has opened its data.
        get(port, "/-/ready");
        return open(port, "/api/v1/events");
      } catch (IOException e) {
        if (running.isDone()) {
          throw e;
        }
        Thread.sleep(10);
      }
    }
  }

  private static void get(int port, String path) throws IOException {
    try (Socket socket = open(port, path)) {
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!answer.startsWith("HTTP/1.1 200 ")) {
        throw new IOException("GET " + path + ": " + answer.lines().findFirst().orElse(""));
      }
    }
  }

  private static Socket open(int port, String path) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    String request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
            + "Connection: close\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
