package org.inferometer.api;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.inferometer.query.QueryService;
import org.inferometer.signals.Signals;
import org.inferometer.time.WallClock;

/**
 * What agents ask, by the Model Context Protocol over HTTP: one message a request, one answer, no
 * session and no stream. Everything only reads.
 */
public final class McpRoutes implements HttpService {
  /** Questions are small. */
  static final int BODY_BYTES_MAX = 256 * 1024;

  private static final HeaderName PROTOCOL_VERSION = HeaderNames.create("MCP-Protocol-Version");

  private final McpServer server;

  /**
   * @param version the program's
   */
  public McpRoutes(
      String version,
      Supplier<Signals> signals,
      DiagnosisSource diagnoses,
      QueryService queries,
      WallClock clock) {
    this(new McpServer(version, new McpTools(signals, diagnoses, queries, clock).all()));
  }

  McpRoutes(McpServer server) {
    this.server = server;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.post(rules, "/mcp", this::message);
  }

  private void message(ServerRequest request, ServerResponse response) throws Exception {
    String version = request.headers().first(PROTOCOL_VERSION).orElse(null);
    byte[] body = Requests.body(request);
    if (version != null && !McpServer.VERSIONS.contains(version)) {
      send(
          request,
          response,
          Status.BAD_REQUEST_400,
          McpServer.error(
              JsonTree.Null.NULL,
              McpServer.NO_REQUEST,
              "expected MCP-Protocol-Version "
                  + String.join(" or ", McpServer.VERSIONS)
                  + ", not "
                  + RequestValues.shortened(version)));
    } else if (body.length > BODY_BYTES_MAX) {
      send(
          request,
          response,
          Status.REQUEST_ENTITY_TOO_LARGE_413,
          McpServer.error(
              JsonTree.Null.NULL,
              McpServer.NO_REQUEST,
              "expected a message of at most " + BODY_BYTES_MAX + " bytes"));
    } else {
      answer(request, response, Asking.ask(request, () -> server.answer(body)));
    }
  }

  private static void answer(ServerRequest request, ServerResponse response, McpServer.Reply reply)
      throws IOException {
    switch (reply) {
      case McpServer.Reply.Message message ->
          send(request, response, Status.OK_200, message.json());
      case McpServer.Reply.Refused refused ->
          send(request, response, Status.BAD_REQUEST_400, refused.json());
      case McpServer.Reply.None() -> {
        response.status(Status.ACCEPTED_202);
        response.send();
      }
    }
  }

  private static void send(
      ServerRequest request, ServerResponse response, Status status, String json)
      throws IOException {
    response.status(status);
    try (OutputStream out = Answer.stream(request, response, "application/json")) {
      out.write(json.getBytes(StandardCharsets.UTF_8));
    }
  }
}
