package org.inferometer.api;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.http.Connections;
import org.inferometer.http.RefusedException;
import org.inferometer.http.RequestBody;

/** Which methods a route takes, and a request's parameters. */
final class Requests {
  private static final List<Method> READ = List.of(Method.GET, Method.HEAD);
  private static final List<Method> READ_OR_POST = List.of(Method.GET, Method.HEAD, Method.POST);
  private static final List<Method> CHANGE = List.of(Method.POST, Method.PUT);

  /** Of a result: its time and its value. */
  private static final int BYTES_PER_SAMPLE = 16;

  private Requests() {}

  /** A route that is read with GET. */
  static void read(HttpRules rules, String path, Handler handler) {
    route(rules, path, READ, handler);
  }

  /** A route that is read with GET, or with POST when the parameters are long. */
  static void readOrPost(HttpRules rules, String path, Handler handler) {
    route(rules, path, READ_OR_POST, handler);
  }

  /** A route whose question is a body. */
  static void post(HttpRules rules, String path, Handler handler) {
    route(rules, path, List.of(Method.POST), handler);
  }

  /** A route that changes something. */
  static void change(HttpRules rules, String path, Handler handler) {
    route(rules, path, CHANGE, handler);
  }

  /** A route that does one thing or another, by the method. */
  static void byMethod(HttpRules rules, String path, Map<Method, Handler> handlers) {
    List<Method> methods = List.copyOf(handlers.keySet());
    rules.any(
        path,
        (request, response) -> {
          Handler handler = handlers.get(request.prologue().method());
          if (handler == null) {
            refuseMethod(request, response, methods);
          } else {
            handler.handle(request, response);
          }
        });
  }

  /**
   * A wrong method is answered with 405, which tells Grafana and promtool to try the other one,
   * rather than with 404, after which they give up.
   */
  private static void route(HttpRules rules, String path, List<Method> methods, Handler handler) {
    rules.any(
        path,
        (request, response) -> {
          if (methods.contains(request.prologue().method())) {
            handler.handle(request, response);
          } else {
            refuseMethod(request, response, methods);
          }
        });
  }

  private static void refuseMethod(
      ServerRequest request, ServerResponse response, List<Method> methods) throws IOException {
    String allowed = String.join(", ", methods.stream().map(Method::text).toList());
    response.header(HeaderNames.ALLOW, allowed);
    if (request.prologue().method().equals(Method.OPTIONS)) {
      response.status(Status.NO_CONTENT_204);
      response.send();
      return;
    }
    Answer.error(
        request,
        response,
        ApiException.Kind.METHOD_NOT_ALLOWED,
        "method not allowed; this route takes " + allowed);
  }

  /** The parameters of the body, if it is a form, and of the URL. */
  static Parameters parameters(ServerRequest request) throws ApiException, IOException {
    Parameters parameters = new Parameters();
    if (request.prologue().method().equals(Method.POST) && isForm(request)) {
      parameters.add(new String(body(request), StandardCharsets.ISO_8859_1));
    }
    return parameters.add(request.query().rawValue());
  }

  private static boolean isForm(ServerRequest request) {
    return request
        .headers()
        .first(HeaderNames.CONTENT_TYPE)
        .map(type -> type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded"))
        .orElse(false);
  }

  /** The whole body, which mustn't be compressed. */
  static byte[] body(ServerRequest request) throws ApiException, IOException {
    String encoding = request.headers().first(HeaderNames.CONTENT_ENCODING).orElse("identity");
    if (!encoding.equalsIgnoreCase("identity")) {
      throw new ApiException(
          ApiException.Kind.UNSUPPORTED_ENCODING,
          "this route takes no body with the encoding " + encoding);
    }
    return bodyAsSent(request);
  }

  /**
   * The whole body; the size of one is limited, that of all together, and the time that one may
   * take to come.
   */
  static byte[] bodyAsSent(ServerRequest request) throws ApiException, IOException {
    try {
      return RequestBody.read(request, ApiServer.BODY_BYTES_MAX);
    } catch (RefusedException e) {
      throw ApiException.of(e);
    }
  }

  /** Takes room for a result of so many samples until the request is over. */
  static void holdResult(ServerRequest request, long samples) throws ApiException {
    try {
      Connections.of(request).holdResult(samples * BYTES_PER_SAMPLE);
    } catch (RefusedException e) {
      throw ApiException.of(e);
    }
  }

  /** From now on it is the client's turn. */
  static void sending(ServerRequest request) {
    Connections.of(request).enter(Connections.Phase.SENDING);
  }
}
