package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A started peer: its process figures from /proc and its HTTP interface. */
final class RunningPeer {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int READY_WITHIN_S = 300;

  private final Peer peer;
  private final Process process;
  private final int port;
  private final Path folder;

  private RunningPeer(Peer peer, Process process, int port, Path folder) {
    this.peer = peer;
    this.process = process;
    this.port = port;
    this.folder = folder;
  }

  /** Starts it with a scrape config and waits until it is ready. */
  static RunningPeer start(Peer peer, Path root, Path work, String configText, int port)
      throws IOException, InterruptedException {
    RunningPeer running = launch(peer, root, work, configText, port);
    running.awaitReady();
    return running;
  }

  /** The same without the wait. What an earlier one left in the work folder is its data. */
  static RunningPeer launch(Peer peer, Path root, Path work, String configText, int port)
      throws IOException {
    Path folder = Files.createDirectories(work.resolve(peer.label()));
    Path config = Files.writeString(config(folder), configText);
    Process process =
        new ProcessBuilder(peer.command(root, config, data(folder), port))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log.txt").toFile()))
            .start();
    return new RunningPeer(peer, process, port, folder);
  }

  private static Path config(Path folder) {
    return folder.resolve("prometheus.yml");
  }

  private static Path data(Path folder) {
    return folder.resolve("data");
  }

  private void awaitReady() throws InterruptedException {
    for (int i = 0; i < READY_WITHIN_S * 10; i++) {
      if (!process.isAlive()) {
        throw new IllegalStateException(peer.label() + " ended: see " + folder + "/log.txt");
      }
      try {
        if (send(peer.readyPath()).statusCode() == 200) {
          return;
        }
      } catch (IOException notYet) {
        // Its port isn't open.
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException(
        peer.label() + " did not become ready within " + READY_WITHIN_S + " s");
  }

  Peer peer() {
    return peer;
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The folder of its samples. */
  Path data() {
    return data(folder);
  }

  /** Replaces the scrape config and has it read. */
  void reconfigure(String configText) throws IOException, InterruptedException {
    Files.writeString(config(folder), configText);
    int exit = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("could not signal " + peer.label());
    }
  }

  ProcessFigures figures() throws IOException {
    return ProcessFigures.of(process.pid());
  }

  String instant(String query, double time) throws IOException, InterruptedException {
    return get("/api/v1/query?query=" + encode(query) + "&time=" + time + peer.extraParameters());
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  String get(String path) throws IOException, InterruptedException {
    return send(path).body();
  }

  private HttpResponse<String> send(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  /** Ends it at once, as kill -9 does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
