package org.inferometer.backend;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** Sends requests to one server, some at a time. Redirects aren't followed. Thread-safe. */
final class BackendClient implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A batch shouldn't look like an attack to whoever answers. */
  private static final int AT_A_TIME = 8;

  private final BackendAddress address;
  private final Duration timeout;
  private final int bytesMax;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIMEOUT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final Semaphore places = new Semaphore(AT_A_TIME);

  /**
   * @param timeout of one request, to the last byte
   * @param bytesMax of one answer, uncompressed
   */
  BackendClient(BackendAddress address, Duration timeout, int bytesMax) {
    this.address = address;
    this.timeout = timeout;
    this.bytesMax = bytesMax;
  }

  /** A field of a form; names may repeat. */
  record Field(String name, String value) {}

  /** The fields of a request. */
  static final class Form {
    private final List<Field> fields = new ArrayList<>();

    Form add(String name, String value) {
      fields.add(new Field(name, value));
      return this;
    }

    private String encoded() {
      return fields.stream()
          .map(
              f ->
                  URLEncoder.encode(f.name(), StandardCharsets.UTF_8)
                      + "="
                      + URLEncoder.encode(f.value(), StandardCharsets.UTF_8))
          .collect(Collectors.joining("&"));
    }
  }

  /** What a server said. */
  @SuppressWarnings("ArrayRecordComponent") // it is read once and never compared
  record Answer(int status, byte[] body) {}

  Answer post(String route, Form form) throws QueryException {
    Answer answer =
        send(
            HttpRequest.newBuilder(address.route(route))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form.encoded())));
    // Some proxies let only GET through.
    return answer.status() == 405 ? get(route, form) : answer;
  }

  Answer get(String route, Form form) throws QueryException {
    String query = form.encoded();
    return send(
        HttpRequest.newBuilder(address.route(query.isEmpty() ? route : route + "?" + query)).GET());
  }

  private Answer send(HttpRequest.Builder builder) throws QueryException {
    builder.timeout(timeout).header("Accept-Encoding", "gzip").header("Accept", "application/json");
    if (address.authorization() != null) {
      builder.header("Authorization", address.authorization());
    }
    try {
      places.acquire();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    try {
      HttpResponse<InputStream> response =
          http.send(builder.build(), HttpResponse.BodyHandlers.ofInputStream());
      return new Answer(response.statusCode(), body(response));
    } catch (IOException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      places.release();
    }
  }

  private byte[] body(HttpResponse<InputStream> response) throws IOException, QueryException {
    boolean isGzip =
        response.headers().firstValue("Content-Encoding").orElse("").equalsIgnoreCase("gzip");
    // The client's own limit ends with the headers; who sends a byte now and then would hold us.
    AtomicBoolean isLate = new AtomicBoolean();
    CompletableFuture<Void> limit =
        CompletableFuture.runAsync(() -> end(response.body(), isLate), later());
    try (InputStream raw = response.body();
        InputStream in = isGzip ? new GZIPInputStream(raw) : raw) {
      byte[] body = in.readNBytes(bytesMax + 1);
      if (body.length > bytesMax) {
        throw failure(
            QueryException.Kind.EXECUTION,
            "the answer has more than " + (bytesMax >> 20) + " MiB; ask for a shorter stretch",
            null);
      }
      return body;
    } catch (IOException e) {
      throw isLate.get() ? new HttpTimeoutException("too slow") : e;
    } finally {
      limit.cancel(false);
    }
  }

  private Executor later() {
    return CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void end(InputStream body, AtomicBoolean isLate) {
    isLate.set(true);
    try {
      body.close();
    } catch (IOException e) {
      // Nobody reads it any more.
    }
  }

  private QueryException failed(IOException e) {
    return switch (e) {
      case HttpConnectTimeoutException _ ->
          failure(QueryException.Kind.UNAVAILABLE, "no connection within 5 s", e);
      case HttpTimeoutException _ ->
          failure(QueryException.Kind.TIMEOUT, "no answer within " + timeout.toSeconds() + " s", e);
      case ConnectException connecting when isUnresolved(connecting) ->
          failure(QueryException.Kind.UNAVAILABLE, "no such host", e);
      case ConnectException _ ->
          failure(QueryException.Kind.UNAVAILABLE, "nothing answers there", e);
      default -> {
        String said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        yield failure(QueryException.Kind.UNAVAILABLE, said, e);
      }
    };
  }

  private static boolean isUnresolved(ConnectException e) {
    return e.getCause() instanceof UnresolvedAddressException
        || (e.getCause() instanceof ConnectException cause
            && cause.getCause() instanceof UnresolvedAddressException);
  }

  private QueryException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return failure(QueryException.Kind.CANCELED, "interrupted", e);
  }

  /** A failure that names the place. */
  QueryException failure(QueryException.Kind kind, String what, @Nullable Throwable cause) {
    String message = address + ": " + what;
    return cause == null
        ? new QueryException(kind, message)
        : new QueryException(kind, message, cause);
  }

  @Override
  public void close() {
    http.close();
  }
}
