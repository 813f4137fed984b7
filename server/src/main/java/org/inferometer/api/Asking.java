package org.inferometer.api;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import org.inferometer.http.Connections;
import org.inferometer.query.QueryException;

/**
 * Puts a request's question to the query service while its connection is watched: when the client
 * leaves, the question is given up.
 */
final class Asking {
  private Asking() {}

  /** What is asked of the query service. */
  @FunctionalInterface
  interface Question<T> {
    T ask() throws QueryException;
  }

  static <T> T ask(ServerRequest request, Question<T> question) throws QueryException {
    Connections.Connection connection = Connections.of(request);
    connection.beginAsking();
    try {
      return question.ask();
    } catch (QueryException e) {
      if (connection.hasLeft()) {
        throw new CloseConnectionException("the client left before its answer", e);
      }
      throw e;
    } finally {
      connection.endAsking();
    }
  }

  /** The same for a query: what is wrong with it is said of the parameter, as Prometheus does. */
  static <T> T askQuery(ServerRequest request, Question<T> question)
      throws QueryException, ApiException {
    try {
      return ask(request, question);
    } catch (QueryException e) {
      String message = String.valueOf(e.getMessage());
      if (e.kind() == QueryException.Kind.BAD_DATA && !message.startsWith("invalid parameter")) {
        throw ApiException.badParameter("query", message);
      }
      throw e;
    }
  }
}
