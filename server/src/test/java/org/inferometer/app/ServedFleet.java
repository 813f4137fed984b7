package org.inferometer.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.check.Pause;
import org.inferometer.simulator.edge.AccessLog;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;

/** A simulated fleet over HTTP whose time goes on only while a command pauses. */
final class ServedFleet implements AutoCloseable {
  static final long START_MS = 1_790_000_000_000L;

  static final String SCENARIO =
      """
      title: One small replica
      fleet:
        replicas:
          - {name: small, count: 1, engine: vllm, release: 0.15.0, model: llama-3.1-8b, served_name: small-8b, gpu: L40S}
      workloads:
        - name: chat
          arrivals: {law: poisson, rate: 2}
          prompt: 200
          output: 50
      truth: {cause: healthy, layer: none, says: "Nothing is wrong."}
      """;

  private final Fleet fleet;
  private final HttpServer server;

  ServedFleet(Path folder) throws IOException {
    Path scenario = folder.resolve("small.yaml");
    Files.writeString(scenario, SCENARIO);
    fleet = Fleet.of(Scenarios.builtIn().read(scenario), 1, START_MS, AccessLog.NONE);
    fleet.runUntil(60_000_000_000L);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    for (Endpoint endpoint : fleet.endpoints()) {
      if (path.equals(path(endpoint))) {
        try {
          Page page = endpoint.page();
          exchange.getResponseHeaders().add("Content-Type", page.contentType());
          byte[] body = Arrays.copyOf(page.body(), page.length());
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        } catch (Endpoint.NoAnswer e) {
          exchange.sendResponseHeaders(503, -1);
        }
        exchange.close();
        return;
      }
    }
    exchange.sendResponseHeaders(404, -1);
    exchange.close();
  }

  private static String path(Endpoint endpoint) {
    return "/" + endpoint.job() + "/" + endpoint.name() + "/metrics";
  }

  /** Where its endpoints are. */
  List<String> urls() {
    List<String> urls = new ArrayList<>();
    for (Endpoint endpoint : fleet.endpoints()) {
      urls.add("http://127.0.0.1:" + server.getAddress().getPort() + path(endpoint));
    }
    return urls;
  }

  WallClock clock() {
    return this::nowMs;
  }

  private synchronized long nowMs() {
    return START_MS + fleet.now() / 1_000_000;
  }

  Ticker ticker() {
    return () -> nowMs() * 1_000_000;
  }

  Pause pause() {
    return this::pass;
  }

  private synchronized void pass(long ms) {
    fleet.runUntil(fleet.now() + ms * 1_000_000);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
