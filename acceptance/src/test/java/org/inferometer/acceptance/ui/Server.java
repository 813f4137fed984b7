package org.inferometer.acceptance.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Our jar as packaged, serving on a port of its own; it can be stopped and started again there. */
final class Server implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int ATTEMPTS = 300;

  private final Path folder;
  private final String name;
  private final List<String> arguments;
  private final int port = freePort();
  private @Nullable Process process;

  /** One that watches what the arguments say. */
  Server(Path folder, List<String> arguments) throws IOException, InterruptedException {
    this(folder, "serve", arguments);
  }

  /**
   * @param name of the command
   */
  Server(Path folder, String name, List<String> arguments)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.name = name;
    this.arguments = List.copyOf(arguments);
    start();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  void start() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-jar", System.getProperty("inferometer.jar", "")));
    command.add(name);
    command.addAll(arguments);
    command.addAll(List.of("--listen", "127.0.0.1:" + port));
    Path log = folder.resolve("inferometer-" + port + ".log");
    Process started =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process = started;
    for (int i = 0; i < ATTEMPTS && started.isAlive(); i++) {
      if (isReady()) {
        return;
      }
      Thread.sleep(100);
    }
    stop();
    throw new AssertionError("the server did not become ready:\n" + Files.readString(log));
  }

  private boolean isReady() throws InterruptedException {
    try {
      return send(HttpRequest.newBuilder(URI.create(url("/-/ready"))).build()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static HttpResponse<String> send(HttpRequest request)
      throws IOException, InterruptedException {
    return HTTP.send(request, BodyHandlers.ofString());
  }

  /** The data of an API answer, which must be a success. */
  JsonNode get(String path) throws IOException, InterruptedException {
    return data(send(HttpRequest.newBuilder(URI.create(url(path))).build()));
  }

  /** Has something done, of which nothing is answered. */
  void post(String path, String json) throws IOException, InterruptedException {
    tell(path, "POST", json);
  }

  void delete(String path) throws IOException, InterruptedException {
    tell(path, "DELETE", "");
  }

  private void tell(String path, String method, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(URI.create(url(path)))
                .method(method, BodyPublishers.ofString(body))
                .build());
    if (response.statusCode() != 204) {
      throw new AssertionError(path + " answered " + response.body());
    }
  }

  /** Signals of one service at one moment. */
  JsonNode signals(String service, List<String> signals, double time)
      throws IOException, InterruptedException {
    var request = JSON.createObjectNode().put("time", time);
    var one = request.putArray("requests").addObject().put("service", service);
    signals.forEach(one.putArray("signals")::add);
    return data(
        send(
            HttpRequest.newBuilder(URI.create(url("/api/v1/signals/query")))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(request.toString()))
                .build()));
  }

  private static JsonNode data(HttpResponse<String> response) throws IOException {
    JsonNode body = JSON.readTree(response.body());
    if (!body.path("status").asText().equals("success")) {
      throw new AssertionError(response.uri() + " answered " + response.body());
    }
    return body.get("data");
  }

  /** Waits until the service of this id has a value for the signal. */
  void awaitValue(String service, String signal) throws IOException, InterruptedException {
    awaitValue(service, signal, 0);
  }

  /** Waits until the service of this id had a value for the signal so many seconds ago. */
  void awaitValue(String service, String signal, double ago)
      throws IOException, InterruptedException {
    for (int i = 0; i < ATTEMPTS * 2; i++) {
      double now = System.currentTimeMillis() / 1000.0 - ago;
      JsonNode series = signals(service, List.of(signal), now).at("/results/0/series/0/values/0");
      if (series.isNumber()) {
        return;
      }
      Thread.sleep(100);
    }
    throw new AssertionError(
        "no value of " + signal + " for " + service + "; services: " + get("/api/v1/services"));
  }

  /** The answer to a query, once it has a series. */
  JsonNode awaitResult(String query) throws IOException, InterruptedException {
    String path = "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
    for (int i = 0; i < ATTEMPTS; i++) {
      JsonNode result = get(path).get("result");
      if (!result.isEmpty()) {
        return result;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("no series for " + query + ": " + get("/api/v1/targets"));
  }

  /** The first service of a kind, once there is one. */
  JsonNode awaitService(String kind) throws IOException, InterruptedException {
    for (int i = 0; i < ATTEMPTS; i++) {
      for (JsonNode service : get("/api/v1/services").get("services")) {
        if (service.get("kind").asText().equals(kind)) {
          return service;
        }
      }
      Thread.sleep(100);
    }
    throw new AssertionError("no service of kind " + kind + ": " + get("/api/v1/targets"));
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it; after an interrupt at once. */
  void stop() {
    Process running = process;
    process = null;
    if (running == null) {
      return;
    }
    running.destroy();
    try {
      if (!running.waitFor(20, TimeUnit.SECONDS)) {
        running.destroyForcibly();
      }
    } catch (InterruptedException e) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
