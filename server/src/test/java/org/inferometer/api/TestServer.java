package org.inferometer.api;

import io.helidon.webserver.http.HttpService;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.http.HeldBytes;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Span;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/** A server on a free port of loopback with the routes that need nothing but fakes. */
final class TestServer implements AutoCloseable {
  static final long NOW_MS = 1_700_000_000_123L;

  /** Of all bodies together: less than one may have by itself. */
  static final int BODIES_BYTES_MAX = 9_000_000;

  /** Of all results together. */
  static final int RESULTS_BYTES_MAX = 64_000_000;

  final FakeQueryService queries = new FakeQueryService();
  final Ticks ticks = new Ticks(Ticker.system());
  final RequestStats stats = new RequestStats();
  private final HttpClient client = HttpClient.newHttpClient();
  private final ApiServer server;

  TestServer(HttpService... more) {
    this(null, more);
  }

  /** One that pages of some other origins may ask. */
  TestServer(@Nullable String corsOrigin, HttpService... more) {
    List<HttpService> services = new ArrayList<>(List.of(more));
    services.add(new QueryRoutes(queries, TestServer::readSelector, () -> NOW_MS));
    services.add(new EventRoutes(ticks));
    services.add(new UiRoutes());
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server =
        new ApiServer(
            new ApiServer.Settings(
                address, List.of("meter.example"), corsOrigin, Readiness.always()),
            services,
            stats,
            Ticker.system(),
            new HeldBytes("bodies of all requests", BODIES_BYTES_MAX),
            new HeldBytes("results that clients take", RESULTS_BYTES_MAX));
    try {
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Knows metric names and {@code {}} only; the rest is the parser's test. */
  private static List<Matcher> readSelector(String text) throws ParseException {
    if (text.equals("{}")) {
      return List.of();
    }
    if (text.endsWith("{")) {
      throw new ParseException(text, new Span(text.length(), text.length()), "unexpected end");
    }
    return List.of(Matcher.equal(Labels.NAME, text));
  }

  int port() {
    return server.port();
  }

  String get(String path) throws IOException, InterruptedException {
    return send("GET", path).body();
  }

  HttpResponse<String> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    return send(request(path, headers).method(method, HttpRequest.BodyPublishers.noBody()));
  }

  HttpResponse<String> post(String path, String form, String... headers)
      throws IOException, InterruptedException {
    return send(
        request(path, headers)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form)));
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<byte[]> getBytes(String path, String... headers)
      throws IOException, InterruptedException {
    return client.send(request(path, headers).build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  HttpResponse<InputStream> open(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  /** Sends bytes as they are and reads until the server closes or says nothing for long. */
  String raw(String request) throws IOException {
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  static Map<String, List<String>> headersOf(HttpResponse<?> response) {
    return response.headers().map();
  }

  @Override
  public void close() {
    ticks.close();
    server.stop();
    client.close();
  }
}
