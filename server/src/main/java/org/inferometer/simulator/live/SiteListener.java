package org.inferometer.simulator.live;

import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
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
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.inferometer.http.HeldBytes;
import org.inferometer.http.HostCheck;
import org.inferometer.http.HttpListener;
import org.inferometer.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One simulated server's port. Thread-safe. */
final class SiteListener {
  private static final Logger LOG = LoggerFactory.getLogger(SiteListener.class);

  /** Load generators open one for each request under way. */
  private static final int CONNECTIONS_MAX = 4096;

  /** Methods that change nothing: any page may make a browser send them. */
  private static final Set<Method> READS = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);

  private final HostCheck hosts;
  private final HttpListener listener;

  /**
   * @param address where to listen; port 0 is a free one
   * @param allowedHosts names besides those of loopback that it may be called by
   * @param services routes, asked in order
   * @param bodies room for bodies of requests, of all ports together
   */
  SiteListener(
      InetSocketAddress address,
      Collection<String> allowedHosts,
      List<? extends HttpService> services,
      HeldBytes bodies,
      Ticker ticker) {
    hosts = new HostCheck(address.getAddress(), allowedHosts);
    listener =
        new HttpListener(
            new HttpListener.Settings(
                address,
                CONNECTIONS_MAX,
                OpenAiRoutes.BODY_BYTES_MAX,
                bodies,
                HeldBytes.ofResults()),
            routing(services),
            this::filter,
            (_, message) ->
                new String(OpenAiJson.detail(message), java.nio.charset.StandardCharsets.UTF_8),
            ticker);
  }

  private static HttpRouting.Builder routing(List<? extends HttpService> services) {
    HttpRouting.Builder routing = HttpRouting.builder();
    services.forEach(routing::register);
    return routing
        .any((request, response) -> answer(request, response, 404, "Not Found"))
        .error(
            RealTime.BusyException.class,
            (q, a, e) -> answer(q, a, 503, String.valueOf(e.getMessage())))
        .error(
            HttpException.class,
            (q, a, e) -> answer(q, a, e.status().code(), String.valueOf(e.getMessage())))
        .error(IOException.class, SiteListener::close)
        .error(InterruptedException.class, SiteListener::close)
        .error(RuntimeException.class, SiteListener::answerBug);
  }

  private static void answer(
      ServerRequest request, ServerResponse response, int status, String detail) {
    Reply.json(request, response, status, OpenAiJson.detail(detail));
  }

  private static void close(ServerRequest request, ServerResponse response, Exception e) {
    throw new CloseConnectionException("the client can't be reached any more", e);
  }

  private static void answerBug(
      ServerRequest request, ServerResponse response, RuntimeException e) {
    if (e instanceof CloseConnectionException || e instanceof UncheckedIOException) {
      throw new CloseConnectionException("the connection is closed", e);
    }
    LOG.error("{} {}", request.prologue().method(), request.path().rawPath(), e);
    answer(request, response, 500, "internal error: " + e);
  }

  SiteListener start() throws IOException {
    listener.start();
    return this;
  }

  void stop() {
    listener.stop();
  }

  int port() {
    return listener.port();
  }

  private void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    String host = request.headers().first(HeaderNames.HOST).orElse(null);
    String origin = request.headers().first(HeaderNames.ORIGIN).orElse(null);
    boolean reads = READS.contains(request.prologue().method());
    if (!hosts.allows(host)) {
      answer(
          request,
          response,
          403,
          "this server isn't called \"" + host + "\"; to allow the name: --allow-host NAME");
    } else if (!reads && !hosts.allowsOrigin(origin, host)) {
      answer(request, response, 403, "requests from pages of other sites aren't taken");
    } else {
      chain.proceed();
    }
  }
}
