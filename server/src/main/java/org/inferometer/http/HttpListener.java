package org.inferometer.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
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
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Locale;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * One address that is listened on, with the limits that all our servers have. Each request has a
 * virtual thread. Thread-safe.
 */
public final class HttpListener {
  /** Longer requests than this go by POST. */
  private static final int REQUEST_LINE_BYTES_MAX = 256 * 1024;

  private static final int HEADERS_BYTES_MAX = 32 * 1024;

  /**
   * Beyond the longest phase of any connection: those limits are watched by {@link Connections}.
   */
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(15);

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

  /**
   * What may differ between servers.
   *
   * @param address where to listen; port 0 is a free one
   * @param connectionsMax open at a time
   * @param bodyBytesMax of one request
   * @param bodies room for the bodies of all requests
   * @param results room for all results that are being sent
   */
  public record Settings(
      InetSocketAddress address,
      int connectionsMax,
      int bodyBytesMax,
      HeldBytes bodies,
      HeldBytes results) {}

  /** What is done around the routes: checks, counts, headers of all answers. */
  @FunctionalInterface
  public interface Around {
    /** Lets the chain proceed, or answers the request itself. */
    void handle(FilterChain chain, RoutingRequest request, RoutingResponse response);
  }

  /** Says in JSON what is wrong with a request that never gets to a route. */
  @FunctionalInterface
  public interface ErrorBody {
    String of(Status status, String message);
  }

  private final InetSocketAddress address;
  private final Connections connections;
  private final Around around;
  private final ErrorBody errors;
  private final WebServer server;

  public HttpListener(
      Settings settings,
      HttpRouting.Builder routing,
      Around around,
      ErrorBody errors,
      Ticker ticker) {
    Http1Config http =
        Http1Config.builder()
            .maxPrologueLength(REQUEST_LINE_BYTES_MAX)
            .maxHeadersSize(HEADERS_BYTES_MAX)
            .validatePrologue(false)
            .build();
    this.address = settings.address();
    this.connections = new Connections(http, ticker, settings.bodies(), settings.results());
    this.around = around;
    this.errors = errors;
    this.server = build(settings, routing.addFilter(this::filter));
  }

  private WebServer build(Settings settings, HttpRouting.Builder routing) {
    return WebServer.builder()
        .bindAddress(settings.address())
        .shutdownHook(false)
        .featuresDiscoverServices(false)
        .protocolsDiscoverServices(false)
        .useNio(false)
        .addConnectionSelector(connections)
        .maxTcpConnections(settings.connectionsMax())
        .maxPayloadSize(settings.bodyBytesMax())
        .contentEncoding(new BodiesAsSent())
        .idleConnectionTimeout(READ_TIMEOUT)
        .connectionOptions(options -> options.readTimeout(READ_TIMEOUT).tcpNoDelay(true))
        .writeBufferSize(32 * 1024)
        .directHandlers(directHandlers())
        .errorHandling(handling -> handling.includeEntity(true))
        .routing(routing)
        .build();
  }

  /**
   * Listens from now on.
   *
   * @throws IOException if the address can't be listened on
   */
  public HttpListener start() throws IOException {
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
    connection.enter(Connections.Phase.WORKING);
    request.context().register(connection);
    response.beforeSend(() -> UnreadBody.settle(request, response, connection));
    try {
      around.handle(chain, request, response);
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
    String text = message == null || message.isEmpty() ? status.reasonPhrase() : message;
    return DirectHandler.TransportResponse.builder()
        .status(status)
        .headers(headers)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
        .keepAlive(false)
        .entity(errors.of(status, text))
        .build();
  }
}
