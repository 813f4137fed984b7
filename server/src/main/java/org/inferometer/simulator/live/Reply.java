package org.inferometer.simulator.live;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Whole answers, and which methods a route takes. */
final class Reply {
  private static final String JSON = "application/json";

  private Reply() {}

  static void json(ServerRequest request, ServerResponse response, int status, byte[] body) {
    send(request, response, status, JSON, body);
  }

  static void send(
      ServerRequest request, ServerResponse response, int status, String type, byte[] body) {
    response.status(Status.create(status));
    response.header(HeaderNames.CONTENT_TYPE, type);
    response.header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
    response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
    boolean bodyWanted = !request.prologue().method().equals(Method.HEAD);
    response.send(bodyWanted ? body : new byte[0]);
  }

  static void empty(ServerResponse response) {
    response.header(HeaderNames.CONTENT_LENGTH, "0");
    response.send();
  }

  static void text(ServerRequest request, ServerResponse response, int status, String text) {
    send(
        request,
        response,
        status,
        "text/plain; charset=utf-8",
        (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** A route that takes some methods; others are refused as FastAPI does it. */
  static void route(HttpRules rules, String path, List<Method> methods, Handler handler) {
    rules.any(
        path,
        (request, response) -> {
          if (methods.contains(request.prologue().method())) {
            handler.handle(request, response);
          } else {
            response.header(
                HeaderNames.ALLOW, String.join(", ", methods.stream().map(Method::text).toList()));
            json(request, response, 405, OpenAiJson.detail("Method Not Allowed"));
          }
        });
  }
}
