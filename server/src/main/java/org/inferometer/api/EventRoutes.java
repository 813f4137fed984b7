package org.inferometer.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.inferometer.http.Connections;

/** Server-sent events: a tick when new samples came in, so that pages needn't poll. */
public final class EventRoutes implements HttpService {
  /** Each open page holds one. */
  private static final int READERS_MAX = 128;

  private static final Duration TICK_INTERVAL = Duration.ofSeconds(1);
  private static final Duration COMMENT_INTERVAL = Duration.ofSeconds(15);

  private final Ticks ticks;
  private final Semaphore readers = new Semaphore(READERS_MAX);

  public EventRoutes(Ticks ticks) {
    this.ticks = ticks;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/events", this::events);
  }

  private void events(ServerRequest request, ServerResponse response) throws Exception {
    if (!readers.tryAcquire()) {
      throw new ApiException(
          ApiException.Kind.UNAVAILABLE, "more than " + READERS_MAX + " readers of events");
    }
    try {
      response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
      response.header(HeaderNames.CACHE_CONTROL, "no-store");
      send(response.outputStream(), Connections.of(request));
    } finally {
      readers.release();
    }
  }

  /** Ends when the client leaves, which shows at the next write, or when the server stops. */
  private void send(OutputStream out, Connections.Connection connection)
      throws IOException, InterruptedException {
    Ticks.Seen seen = ticks.now();
    write(out, connection, ": ticks follow\n\n");
    while (!seen.closed()) {
      Ticks.Seen next = ticks.await(seen, COMMENT_INTERVAL);
      if (next.count() == seen.count()) {
        write(out, connection, ": no news\n\n");
      } else {
        String time = QueryJson.seconds(next.latestMs());
        write(out, connection, "event: tick\ndata: {\"time\":" + time + "}\n\n");
        ticks.pause(TICK_INTERVAL);
      }
      seen = next;
    }
    out.close();
  }

  private static void write(OutputStream out, Connections.Connection connection, String text)
      throws IOException {
    connection.enter(Connections.Phase.SENDING);
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    connection.enter(Connections.Phase.WORKING);
  }
}
