package org.inferometer.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * What is left of a request's body when its answer is ready, as with a path that isn't there or a
 * content type that isn't taken. The next request on the connection comes behind it. So a small
 * rest is read and dropped, and with a large one the answer says that the connection closes:
 * clients would send the next request into a closing connection otherwise.
 */
public final class UnreadBody {
  /** Sending so much takes less than opening another connection and is no burden. */
  public static final int DROPPED_BYTES_MAX = 256 * 1024;

  private static final int PART_BYTES = 16 * 1024;

  private UnreadBody() {}

  static boolean isThere(ServerRequest request) {
    return request.content().hasEntity() && !request.content().consumed();
  }

  /** To be called before any of the answer is sent. */
  static void settle(
      ServerRequest request, ServerResponse response, Connections.Connection connection) {
    if (isThere(request) && !dropRest(request, connection)) {
      response.headers().set(HeaderValues.CONNECTION_CLOSE);
      connection.linger();
    }
  }

  /** Whether all of it could be dropped. */
  private static boolean dropRest(ServerRequest request, Connections.Connection connection) {
    // Reading would tell a client that expects this to send it; and a route that began to read and
    // didn't end found it broken or too large.
    if (request.headers().contains(HeaderNames.EXPECT)
        || connection.hasBegunBody()
        || request.headers().contentLength().orElse(0) > DROPPED_BYTES_MAX) {
      return false;
    }
    Connections.Phase phase = connection.phase();
    connection.enter(Connections.Phase.RECEIVING);
    try {
      drop(connection.body(request));
      return request.content().consumed();
    } catch (IllegalArgumentException | IOException | UncheckedIOException e) {
      // It is broken, so nobody knows where it ends.
      return false;
    } finally {
      connection.enter(phase);
    }
  }

  private static void drop(InputStream in) throws IOException {
    byte[] part = new byte[PART_BYTES];
    int count = in.read(part);
    for (long all = count; count >= 0 && all < DROPPED_BYTES_MAX; all += count) {
      count = in.read(part);
    }
  }
}
