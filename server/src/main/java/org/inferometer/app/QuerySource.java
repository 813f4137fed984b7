package org.inferometer.app;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.inferometer.api.QueryAnswer;
import org.inferometer.app.ServerClient.Answer;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.time.WallClock;

/** Who answers a query, in the words of Prometheus's HTTP API. */
sealed interface QuerySource extends AutoCloseable {
  /** The time that {@code now} stands for; says so if it isn't the present. */
  long nowMs();

  Answer instant(String query, long timeMs);

  Answer range(String query, long startMs, long endMs, long stepMs);

  @Override
  void close();

  /** A running server. */
  final class Server implements QuerySource {
    /** Left to the server, whose clock may be another. */
    static final long NOW = Long.MIN_VALUE;

    private final ServerClient client;
    private final WallClock clock;

    Server(URI address, WallClock clock) {
      this.client = new ServerClient(address);
      this.clock = clock;
    }

    @Override
    public long nowMs() {
      return clock.nowMs();
    }

    @Override
    public Answer instant(String query, long timeMs) {
      Map<String, String> form = new LinkedHashMap<>();
      form.put("query", query);
      if (timeMs != NOW) {
        form.put("time", seconds(timeMs));
      }
      return client.post("/api/v1/query", form);
    }

    @Override
    public Answer range(String query, long startMs, long endMs, long stepMs) {
      Map<String, String> form = new LinkedHashMap<>();
      form.put("query", query);
      form.put("start", seconds(startMs));
      form.put("end", seconds(endMs));
      form.put("step", seconds(stepMs));
      return client.post("/api/v1/query_range", form);
    }

    private static String seconds(long ms) {
      return ms / 1000 + "." + "%03d".formatted(ms % 1000);
    }

    @Override
    public void close() {}
  }

  /** Series that are read here. */
  final class Local implements QuerySource {
    private final SeriesSource source;

    Local(SeriesSource source) {
      this.source = source;
    }

    @Override
    public long nowMs() {
      return source.nowMs();
    }

    @Override
    public Answer instant(String query, long timeMs) {
      return answer(() -> source.queries().instant(new InstantQuery(query, timeMs)));
    }

    @Override
    public Answer range(String query, long startMs, long endMs, long stepMs) {
      return answer(() -> source.queries().range(new RangeQuery(query, startMs, endMs, stepMs)));
    }

    /** Asks for a result. */
    private interface Question {
      QueryResult ask() throws QueryException;
    }

    private static Answer answer(Question question) {
      try {
        return new Answer(200, QueryAnswer.of(question.ask()));
      } catch (QueryException e) {
        return new Answer(422, QueryAnswer.of(e));
      }
    }

    @Override
    public void close() {
      source.close();
    }
  }
}
