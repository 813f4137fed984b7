package org.inferometer.http;

import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The whole body of a request; the size of one is limited, that of all together, and the time that
 * one may take to come.
 */
public final class RequestBody {
  /** Of a body, for which room is taken at a time. */
  private static final int PART_BYTES = 64 * 1024;

  private RequestBody() {}

  /** The body as it was sent, compressed if it was. */
  public static byte[] read(ServerRequest request, int bytesMax)
      throws RefusedException, IOException {
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    Connections.Connection connection = Connections.of(request);
    connection.enter(Connections.Phase.RECEIVING);
    // Closing it would wait for the rest of a body that is broken.
    InputStream in = connection.body(request);
    try {
      return readAll(in, connection, bytesMax);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          RefusedException.Why.BROKEN, "the body isn't well formed: " + e.getMessage());
    } finally {
      connection.enter(Connections.Phase.WORKING);
    }
  }

  /** What there is no room for is read too, and dropped, so that the client gets to the answer. */
  private static byte[] readAll(InputStream in, Connections.Connection connection, int bytesMax)
      throws RefusedException, IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    RefusedException noRoom = null;
    int length = 0;
    byte[] part = in.readNBytes(PART_BYTES);
    while (part.length > 0) {
      length += part.length;
      if (length > bytesMax) {
        throw new RefusedException(
            RefusedException.Why.TOO_LARGE, "the body is larger than " + bytesMax + " bytes");
      }
      if (noRoom == null) {
        noRoom = keep(part, whole, connection);
      }
      part = in.readNBytes(PART_BYTES);
    }
    if (noRoom != null) {
      throw noRoom;
    }
    return whole.toByteArray();
  }

  /** Why it can't be kept; null if it is. */
  private static @Nullable RefusedException keep(
      byte[] part, ByteArrayOutputStream whole, Connections.Connection connection)
      throws IOException {
    try {
      connection.holdBody(part.length);
      whole.write(part);
      return null;
    } catch (RefusedException e) {
      connection.releaseBody();
      return e;
    }
  }
}
