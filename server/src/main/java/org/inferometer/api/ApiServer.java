package org.inferometer.api;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.inferometer.http.HeldBytes;
import org.inferometer.http.HostCheck;
import org.inferometer.http.HttpListener;
import org.inferometer.query.QueryException;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server: limits, headers and error shapes common to all routes. Each request has a
 * virtual thread. Thread-safe.
 */
public final class ApiServer {
  /**
   * A dashboard with many panels opens a dozen connections; this leaves room for dozens of them.
   */
  private static final int CONNECTIONS_MAX = 512;

  /** As Prometheus's for form bodies. */
  static final int BODY_BYTES_MAX = 10 * 1024 * 1024;

  /** Methods that change nothing: any page may make a browser send them. */
  private static final Set<Method> READS = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);

  private static final HeaderName CONTENT_SECURITY_POLICY =
      HeaderNames.create("Content-Security-Policy");
  private static final HeaderName X_FRAME_OPTIONS = HeaderNames.create("X-Frame-Options");
  private static final HeaderName REFERRER_POLICY = HeaderNames.create("Referrer-Policy");
  private static final HeaderName RESOURCE_POLICY =
      HeaderNames.create("Cross-Origin-Resource-Policy");

  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

  /**
   * What may differ between servers.
   *
   * @param address where to listen; port 0 is a free one
   * @param allowedHosts names besides those of loopback that clients may call the server by
   * @param corsOrigin a regular expression for the origins of other sites whose pages may read
   *     answers of the API; null for none
   * @param readiness until it is ready, what needs that is answered with 503
   */
  public record Settings(
      InetSocketAddress address,
      List<String> allowedHosts,
      @Nullable String corsOrigin,
      Readiness readiness) {
    public Settings {
      allowedHosts = List.copyOf(allowedHosts);
    }
  }

  private final HostCheck hosts;
  private final CrossOrigin crossOrigin;
  private final Readiness readiness;
  private final Ticker ticker;
  private final RequestStats stats;
  private final HttpListener listener;

  /**
   * @param services routes, asked in order; the last should answer whatever is left
   * @throws com.google.re2j.PatternSyntaxException if the origins of the settings aren't a regular
   *     expression
   */
  public ApiServer(
      Settings settings, List<? extends HttpService> services, RequestStats stats, Ticker ticker) {
    this(settings, services, stats, ticker, HeldBytes.ofBodies(), HeldBytes.ofResults());
  }

  ApiServer(
      Settings settings,
      List<? extends HttpService> services,
      RequestStats stats,
      Ticker ticker,
      HeldBytes bodies,
      HeldBytes results) {
    this.hosts = new HostCheck(settings.address().getAddress(), settings.allowedHosts());
    this.crossOrigin = new CrossOrigin(settings.corsOrigin());
    this.readiness = settings.readiness();
    this.ticker = ticker;
    this.stats = stats;
    this.listener =
        new HttpListener(
            new HttpListener.Settings(
                settings.address(), CONNECTIONS_MAX, BODY_BYTES_MAX, bodies, results),
            routing(services),
            this::filter,
            ApiServer::errorBody,
            ticker);
  }

  private HttpRouting.Builder routing(List<? extends HttpService> services) {
    HttpRouting.Builder routing = HttpRouting.builder();
    services.forEach(routing::register);
    return routing
        .error(ApiException.class, (q, a, e) -> answerError(q, a, e.kind(), e.getMessage()))
        .error(QueryException.class, ApiServer::answerQueryException)
        .error(HttpException.class, ApiServer::answerHttpException)
        .error(IOException.class, ApiServer::answerBrokenConnection)
        .error(RuntimeException.class, ApiServer::answerBug);
  }

  /**
   * Listens from now on.
   *
   * @throws IOException if the address can't be listened on
   */
  public ApiServer start() throws IOException {
    listener.start();
    return this;
  }

  /** Stops listening, lets running requests end for a moment, then closes their connections. */
  public void stop() {
    listener.stop();
  }

  public int port() {
    return listener.port();
  }

  private void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    long startNanos = ticker.nanos();
    secure(response);
    crossOrigin.describe(
        response,
        request.headers().first(HeaderNames.ORIGIN).orElse(null),
        request.path().rawPath());
    ApiException refusal = refusal(request);
    if (refusal == null) {
      chain.proceed();
    } else {
      answerError(request, response, refusal.kind(), refusal.getMessage());
    }
    stats.answered(response.status().code(), ticker.nanos() - startNanos);
  }

  private @Nullable ApiException refusal(RoutingRequest request) {
    String host = request.headers().first(HeaderNames.HOST).orElse(null);
    if (!hosts.allows(host)) {
      return new ApiException(
          ApiException.Kind.FORBIDDEN,
          "this server isn't called \"" + host + "\"; to allow the name: serve --allow-host NAME");
    }
    String origin = request.headers().first(HeaderNames.ORIGIN).orElse(null);
    boolean reads = READS.contains(request.prologue().method());
    if (!reads
        && !hosts.allowsOrigin(origin, host)
        && !crossOrigin.allows(origin, request.path().rawPath())) {
      return new ApiException(
          ApiException.Kind.FORBIDDEN, "requests from pages of other sites aren't taken");
    }
    String waitsFor = readiness.waitsFor();
    return waitsFor != null && Readiness.isNeededFor(request.path().rawPath())
        ? new ApiException(ApiException.Kind.UNAVAILABLE, "not ready yet: " + waitsFor)
        : null;
  }

  private static void secure(ServerResponse response) {
    response.header(
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
            + " frame-ancestors 'none'");
    response.header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
    response.header(X_FRAME_OPTIONS, "DENY");
    response.header(REFERRER_POLICY, "no-referrer");
    response.header(RESOURCE_POLICY, "same-origin");
  }

  private static void answerQueryException(
      ServerRequest request, ServerResponse response, QueryException e) {
    ApiException error = ApiException.of(e);
    answerError(request, response, error.kind(), error.getMessage());
  }

  private static void answerHttpException(
      ServerRequest request, ServerResponse response, HttpException e) {
    ApiException.Kind kind =
        switch (e.status().code()) {
          case 404 -> ApiException.Kind.NOT_FOUND;
          case 413 -> ApiException.Kind.TOO_LARGE;
          case 500 -> ApiException.Kind.INTERNAL;
          default -> ApiException.Kind.BAD_DATA;
        };
    answerError(request, response, kind, e.getMessage());
  }

  /** What is sent and received is all the input and output there is. */
  private static void answerBrokenConnection(
      ServerRequest request, ServerResponse response, IOException e) {
    throw new CloseConnectionException("the client can't be reached any more", e);
  }

  /** The client learns that there is a bug, the log what it is. */
  private static void answerBug(
      ServerRequest request, ServerResponse response, RuntimeException e) {
    if (e instanceof UncheckedIOException) {
      throw new CloseConnectionException("the client can't be reached any more", e);
    }
    LOG.error("{} {}", request.prologue().method(), request.path().rawPath(), e);
    answerError(request, response, ApiException.Kind.INTERNAL, "internal error: " + e);
  }

  private static void answerError(
      ServerRequest request,
      ServerResponse response,
      ApiException.Kind kind,
      @Nullable String message) {
    try {
      Answer.error(request, response, kind, String.valueOf(message));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String errorBody(Status status, String message) {
    java.io.StringWriter body = new java.io.StringWriter();
    try (var json = Answer.JSON.createGenerator(body)) {
      Answer.writeError(json, status.code() == 500 ? "internal" : "bad_data", message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return body.toString();
  }
}
