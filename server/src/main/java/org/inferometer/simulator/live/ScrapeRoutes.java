package org.inferometer.simulator.live;

import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.inferometer.http.Connections;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.page.Page;

/**
 * The page of an endpoint, written on the simulation's thread at the moment it would be. One that
 * is down closes the connection, which to a scraper is a target that is down; one that is slow
 * keeps it waiting.
 */
final class ScrapeRoutes implements HttpService {
  /** Milliseconds after which it is looked whether there still is a simulation. */
  private static final long PATIENCE_MS = 1000;

  private final RealTime live;
  private final Agenda agenda;
  private final Endpoint endpoint;

  /**
   * @param agenda the one that {@code live} runs
   */
  ScrapeRoutes(RealTime live, Agenda agenda, Endpoint endpoint) {
    this.live = live;
    this.agenda = agenda;
    this.endpoint = endpoint;
  }

  @Override
  public void routing(HttpRules rules) {
    Reply.route(rules, endpoint.path(), List.of(Method.GET, Method.HEAD), this::metrics);
  }

  private void metrics(ServerRequest request, ServerResponse response) throws Exception {
    CompletableFuture<Page> page = new CompletableFuture<>();
    live.ask(
        () -> {
          ask(page);
          return page;
        });
    Page written = await(page, Connections.of(request));
    Reply.send(request, response, 200, written.contentType(), written.body());
  }

  private void ask(CompletableFuture<Page> page) {
    long delay = endpoint.delayNs();
    if (delay <= 0) {
      write(page);
    } else if (delay < Long.MAX_VALUE) {
      agenda.in(delay, () -> write(page));
    }
  }

  /** The page's bytes are used again for the next one. */
  private void write(CompletableFuture<Page> into) {
    try {
      Page page = endpoint.page();
      byte[] body = Arrays.copyOf(page.body(), page.length());
      into.complete(new Page(body, body.length, page.contentType()));
    } catch (Endpoint.NoAnswer e) {
      if (!e.isSlow()) {
        into.completeExceptionally(e);
      }
    }
  }

  /** Until the client leaves, if no page comes. */
  private Page await(CompletableFuture<Page> page, Connections.Connection connection) {
    connection.beginAsking();
    try {
      while (!live.end().isDone() && !connection.hasLeft()) {
        try {
          return page.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          // It is waited on.
        }
      }
      throw new CloseConnectionException("the client left, or the simulation ended");
    } catch (ExecutionException e) {
      throw new CloseConnectionException("the simulated endpoint is down", e);
    } catch (InterruptedException e) {
      throw new CloseConnectionException("the client left before its answer", e);
    } finally {
      connection.endAsking();
    }
  }
}
