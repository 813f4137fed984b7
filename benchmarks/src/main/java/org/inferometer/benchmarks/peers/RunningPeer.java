package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A started peer: its process figures from /proc and its HTTP interface. */
final class RunningPeer {
  /** USER_HZ of Linux on every platform that the JDK runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Peer peer;
  private final Process process;
  private final String base;
  private final Path config;

  private RunningPeer(Peer peer, Process process, String base, Path config) {
    this.peer = peer;
    this.process = process;
    this.base = base;
    this.config = config;
  }

  /** Starts it with a scrape config and waits until it is ready. */
  static RunningPeer start(Peer peer, Path root, Path work, String configText, int port)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve(peer.label()));
    Path config = Files.writeString(folder.resolve("prometheus.yml"), peer.config(configText));
    Process process =
        new ProcessBuilder(peer.command(root, config, folder.resolve("data"), port))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log.txt").toFile())
            .start();
    RunningPeer running = new RunningPeer(peer, process, "http://127.0.0.1:" + port, config);
    running.awaitReady();
    return running;
  }

  private void awaitReady() throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      try {
        if (get(peer.readyPath()).isEmpty() || process.isAlive()) {
          return;
        }
      } catch (IOException notYet) {
        Thread.sleep(100);
      }
    }
    throw new IllegalStateException(peer.label() + " did not become ready within 60 s");
  }

  Peer peer() {
    return peer;
  }

  /** Replaces the scrape config and has it read. */
  void reconfigure(String configText) throws IOException, InterruptedException {
    Files.writeString(config, peer.config(configText));
    int exit = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("could not signal " + peer.label());
    }
  }

  /** User and system time since its start. */
  double cpuSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** A line of /proc/PID/status in MiB: VmRSS now, VmHWM the most so far. */
  double statusMib(String key) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith(key + ":")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
      }
    }
    throw new IllegalStateException("no " + key + " in /proc/" + process.pid() + "/status");
  }

  String instant(String query, double time) throws IOException, InterruptedException {
    return get("/api/v1/query?query=" + encode(query) + "&time=" + time + peer.extraParameters());
  }

  String range(String query, double start, double end, int stepSeconds)
      throws IOException, InterruptedException {
    return get(
        "/api/v1/query_range?query="
            + encode(query)
            + "&start="
            + start
            + "&end="
            + end
            + "&step="
            + stepSeconds
            + peer.extraParameters());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + path)).build();
    return HTTP.send(request, BodyHandlers.ofString()).body();
  }

  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
