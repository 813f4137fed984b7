package org.inferometer.acceptance.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A program that listens on a port of its own on loopback; ended when closed. */
public final class Program implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final int port;

  private Program(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Our jar, as packaged. */
  static Program inferometer(Path folder, List<String> arguments) throws Exception {
    int port = freePort();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-jar", System.getProperty("inferometer.jar", "")));
    command.add("serve");
    command.addAll(arguments);
    command.addAll(List.of("--listen", "127.0.0.1:" + port));
    return start(folder, "inferometer", command, port, "/-/ready");
  }

  /** Ends it as if the machine had lost its patience: it can't tidy up. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  static Program prometheus(Path folder, Path config, String... more) throws Exception {
    int port = freePort();
    List<String> command = new ArrayList<>();
    command.add(installed("prometheus"));
    command.add("--config.file=" + config);
    command.add("--storage.tsdb.path=" + folder.resolve("prometheus-data"));
    command.add("--log.level=warn");
    command.add("--web.listen-address=127.0.0.1:" + port);
    command.addAll(List.of(more));
    return start(folder, "prometheus", command, port, "/-/ready");
  }

  static Program nodeExporter(Path folder) throws Exception {
    int port = freePort();
    return start(
        folder,
        "node-exporter",
        List.of(installed("prometheus-node-exporter"), "--web.listen-address=127.0.0.1:" + port),
        port,
        "/metrics");
  }

  /** The path of an installed program. Without it the test is skipped, but fails in CI. */
  public static String installed(String name) {
    for (String folder : List.of("/usr/bin", "/usr/sbin", "/usr/local/bin")) {
      Path path = Path.of(folder, name);
      if (Files.isExecutable(path)) {
        return path.toString();
      }
    }
    String message = "needs " + name + " (Debian package of that name)";
    if (Boolean.parseBoolean(System.getenv("CI"))) {
      Assertions.fail(message);
    }
    Assumptions.abort(message);
    return name;
  }

  private static Program start(
      Path folder, String name, List<String> command, int port, String readyPath) throws Exception {
    Path log = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Program program = new Program(process, port);
    for (int i = 0; i < 300 && process.isAlive(); i++) {
      try {
        if (program.get(readyPath).statusCode() == 200) {
          return program;
        }
      } catch (IOException notYet) {
        // Not listening so far.
      }
      Thread.sleep(100);
    }
    program.close();
    throw new AssertionError(name + " did not become ready:\n" + Files.readString(log));
  }

  int port() {
    return port;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return HTTP.send(request, BodyHandlers.ofString());
  }

  /** The body of a GET with these parameters. */
  String get(String path, Map<String, String> parameters) throws IOException, InterruptedException {
    StringBuilder query = new StringBuilder();
    parameters.forEach(
        (name, value) ->
            query
                .append(query.isEmpty() ? '?' : '&')
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return get(path + query).body();
  }

  /** What a command prints, with its exit code on a first line. */
  public static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return "exit " + process.waitFor() + "\n" + output;
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
