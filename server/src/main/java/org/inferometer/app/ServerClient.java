package org.inferometer.app;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks a running server through its Prometheus-compatible HTTP API. */
final class ServerClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Above the server's own limit on a query, so that its message comes through. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(3);

  private final URI server;

  ServerClient(URI server) {
    this.server = server;
  }

  /** What a server said. */
  record Answer(int status, String body) {}

  /** Posts a form to a route of the API. */
  Answer post(String route, Map<String, String> form) {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(route))
            .timeout(ANSWER_TIMEOUT)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(encoded(form)))
            .build();
    return send(request);
  }

  /** Posts JSON to a route. */
  Answer postJson(String route, String json) {
    return send(
        HttpRequest.newBuilder(server.resolve(route))
            .timeout(ANSWER_TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  private Answer send(HttpRequest request) {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build()) {
      HttpResponse<String> response =
          client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      return new Answer(response.statusCode(), response.body());
    } catch (ConnectException e) {
      throw CommandException.failed(
          "no server answers at " + server + "; start one with: inferometer serve URL", e);
    } catch (IOException e) {
      throw CommandException.failed("asking " + server + " failed: " + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("interrupted", e);
    }
  }

  private static String encoded(Map<String, String> form) {
    return form.entrySet().stream()
        .map(
            field ->
                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static String reason(IOException e) {
    @Nullable String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
