package org.inferometer.api;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.service.registry.GlobalServiceRegistry;
import io.helidon.service.registry.ServiceRegistryConfig;
import io.helidon.service.registry.ServiceRegistryManager;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

  /** Longer queries than this go by POST. */
  private static final int REQUEST_LINE_BYTES_MAX = 256 * 1024;

  private static final int HEADERS_BYTES_MAX = 32 * 1024;

  /** As Prometheus's for form bodies. */
  static final int BODY_BYTES_MAX = 10 * 1024 * 1024;

  /**
   * Beyond the longest phase of any connection: those limits are watched by {@link Connections}.
   */
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(15);

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

  static {
    // Everything is handed in; looking for parts on the class path is a third of the start-up time.
    if (!GlobalServiceRegistry.configured()) {
      ServiceRegistryConfig nothing =
          ServiceRegistryConfig.builder()
              .discoverServices(false)
              .discoverServicesFromServiceLoader(false)
              .build();
      GlobalServiceRegistry.registry(ServiceRegistryManager.create(nothing).registry());
    }
  }

  private final InetSocketAddress address;
  private final Connections connections;
  private final HostCheck hosts;
  private final CrossOrigin crossOrigin;
  private final Readiness readiness;
  private final Ticker ticker;
  private final RequestStats stats;
  private final WebServer server;

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
    Http1Config http =
        Http1Config.builder()
            .maxPrologueLength(REQUEST_LINE_BYTES_MAX)
            .maxHeadersSize(HEADERS_BYTES_MAX)
            .validatePrologue(false)
            .build();
    this.address = settings.address();
    this.connections = new Connections(http, ticker, bodies, results);
    this.hosts = new HostCheck(settings.address().getAddress(), settings.allowedHosts());
    this.crossOrigin = new CrossOrigin(settings.corsOrigin());
    this.readiness = settings.readiness();
    this.ticker = ticker;
    this.stats = stats;
    this.server = build(settings, routing(services));
  }

  private WebServer build(Settings settings, HttpRouting.Builder routing) {
    return WebServer.builder()
        .bindAddress(settings.address())
        .shutdownHook(false)
        .featuresDiscoverServices(false)
        .protocolsDiscoverServices(false)
        .useNio(false)
        .addConnectionSelector(connections)
        .maxTcpConnections(CONNECTIONS_MAX)
        .maxPayloadSize(BODY_BYTES_MAX)
        .contentEncoding(new BodiesAsSent())
        .idleConnectionTimeout(READ_TIMEOUT)
        .connectionOptions(options -> options.readTimeout(READ_TIMEOUT).tcpNoDelay(true))
        .writeBufferSize(32 * 1024)
        .directHandlers(directHandlers())
        .errorHandling(errors -> errors.includeEntity(true))
        .routing(routing)
        .build();
  }

  private HttpRouting.Builder routing(List<? extends HttpService> services) {
    HttpRouting.Builder routing = HttpRouting.builder();
    routing.addFilter(this::filter);
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
    checkAddress();
    server.start();
    if (!server.isRunning()) {
      throw new IOException("the HTTP server didn't start");
    }
    connections.startWatch();
    return this;
  }

  /** Helidon writes to the log why it can't listen, and goes on; so this tries before it does. */
  private void checkAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    }
  }

  /** Stops listening, lets running requests end for a moment, then closes their connections. */
  public void stop() {
    server.stop();
    connections.stopWatch();
  }

  public int port() {
    return server.port();
  }

  private void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    Connections.Connection connection = connections.current();
    long startNanos = ticker.nanos();
    connection.enter(Connections.Phase.WORKING);
    request.context().register(connection);
    response.beforeSend(() -> UnreadBody.settle(request, response, connection));
    secure(response);
    crossOrigin.describe(
        response,
        request.headers().first(HeaderNames.ORIGIN).orElse(null),
        request.path().rawPath());
    try {
      ApiException refusal = refusal(request);
      if (refusal == null) {
        chain.proceed();
      } else {
        answerError(request, response, refusal.kind(), refusal.getMessage());
      }
      stats.answered(response.status().code(), ticker.nanos() - startNanos);
      closeIfDue(request);
    } finally {
      connection.release();
      connection.enter(Connections.Phase.IDLE);
    }
  }

  /**
   * Helidon leaves closing to the client where HTTP has the server do it; and what is left of a
   * body that is too long to be dropped, or broken, mustn't be taken for a request.
   */
  private static void closeIfDue(RoutingRequest request) {
    if (UnreadBody.isThere(request)) {
      throw new CloseConnectionException("the request wasn't read to its end");
    }
    if (request
        .headers()
        .first(HeaderNames.CONNECTION)
        .map(value -> value.toLowerCase(Locale.ROOT).contains("close"))
        .orElse(false)) {
      throw new CloseConnectionException("as the client asked");
    }
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

  /** Requests that never get to a route: broken request lines, headers that are too long. */
  private DirectHandlers directHandlers() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
      handlers.addHandler(type, this::answerDirectly);
    }
    return handlers.build();
  }

  private DirectHandler.TransportResponse answerDirectly(
      DirectHandler.TransportRequest request,
      DirectHandler.EventType type,
      Status status,
      ServerResponseHeaders headers,
      @Nullable String message) {
    if (status.equals(Status.REQUEST_ENTITY_TOO_LARGE_413)) {
      connections.current().linger();
    }
    java.io.StringWriter body = new java.io.StringWriter();
    String text = message == null || message.isEmpty() ? status.reasonPhrase() : message;
    try (var json = Answer.JSON.createGenerator(body)) {
      Answer.writeError(json, status.code() == 500 ? "internal" : "bad_data", text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return DirectHandler.TransportResponse.builder()
        .status(status)
        .headers(headers)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
        .keepAlive(false)
        .entity(body.toString())
        .build();
  }
}
