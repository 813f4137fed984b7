package org.inferometer.backend;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.inferometer.backend.BackendClient.Form;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.Utf8Order;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.jspecify.annotations.Nullable;

/**
 * Questions that a server answers which speaks Prometheus's HTTP API: Prometheus, VictoriaMetrics,
 * Thanos, Mimir, another of ours. Native histograms aren't read. Failures name the server, never a
 * password. Thread-safe.
 */
public final class RemoteQueryService implements QueryService, AutoCloseable {
  /** Above the two minutes that servers allow a query, so that their own message comes through. */
  private static final Duration TIMEOUT = Duration.ofSeconds(130);

  /** What a batch of heavy range queries doesn't come near. */
  private static final int BYTES_MAX = 256 << 20;

  private final BackendClient client;
  private final AnswerReader reader;

  public RemoteQueryService(BackendAddress address) {
    this(address, TIMEOUT, BYTES_MAX);
  }

  /**
   * @param timeout of one request, to the last byte
   * @param bytesMax of one answer, uncompressed
   */
  public RemoteQueryService(BackendAddress address, Duration timeout, int bytesMax) {
    this.client = new BackendClient(address, timeout, bytesMax);
    this.reader = new AnswerReader(client);
  }

  @Override
  public QueryResult instant(InstantQuery query) throws QueryException {
    Form form = new Form().add("query", query.query()).add("time", seconds(query.timeMs()));
    options(form, query.lookback(), query.timeout());
    return reader.result(client.post("/api/v1/query", form));
  }

  @Override
  public QueryResult range(RangeQuery query) throws QueryException {
    Form form =
        new Form()
            .add("query", query.query())
            .add("start", seconds(query.startMs()))
            .add("end", seconds(query.endMs()))
            .add("step", seconds(query.stepMs()));
    options(form, query.lookback(), query.timeout());
    return reader.result(client.post("/api/v1/query_range", form));
  }

  private static void options(Form form, @Nullable Duration lookback, @Nullable Duration timeout) {
    if (lookback != null) {
      form.add("lookback_delta", seconds(lookback.toMillis()));
    }
    if (timeout != null) {
      form.add("timeout", seconds(timeout.toMillis()));
    }
  }

  /** Each query is a request of its own; some are under way at a time. */
  @Override
  public List<BatchOutcome> batch(BatchQuery batch) throws QueryException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<BatchOutcome>> tasks = new ArrayList<>();
      batch.queries().forEach(query -> tasks.add(() -> outcome(batch, query)));
      List<BatchOutcome> outcomes = new ArrayList<>();
      for (Future<BatchOutcome> future : threads.invokeAll(tasks)) {
        outcomes.add(future.get());
      }
      return whole(outcomes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw client.failure(QueryException.Kind.CANCELED, "interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a query failed in another way than foreseen", e.getCause());
    }
  }

  private BatchOutcome outcome(BatchQuery batch, String query) {
    try {
      return new BatchOutcome.Answered(
          batch.stepMs() > 0
              ? range(new RangeQuery(query, batch.startMs(), batch.endMs(), batch.stepMs()))
              : instant(new InstantQuery(query, batch.startMs())));
    } catch (QueryException e) {
      return new BatchOutcome.Failed(e);
    }
  }

  /** A server that can't be asked at all is told once, not once a query. */
  private static List<BatchOutcome> whole(List<BatchOutcome> outcomes) throws QueryException {
    QueryException first = null;
    for (BatchOutcome outcome : outcomes) {
      if (!(outcome instanceof BatchOutcome.Failed failed)) {
        return outcomes;
      }
      first = first == null ? failed.error() : first;
    }
    if (first != null && first.kind() == QueryException.Kind.UNAVAILABLE) {
      throw first;
    }
    return outcomes;
  }

  @Override
  public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    List<Labels> all = new ArrayList<>();
    for (JsonNode one : data("/api/v1/series", form(selections, range, limit))) {
      all.add(AnswerReader.labels(one));
    }
    all.sort(null);
    return limited(all, limit);
  }

  @Override
  public List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    return sorted(data("/api/v1/labels", form(selections, range, limit)), limit);
  }

  @Override
  public List<String> labelValues(
      String name, List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    String route = "/api/v1/label/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/values";
    // There is no POST for this one.
    return sorted(
        reader.success(client.get(route, form(selections, range, limit))).path("data"), limit);
  }

  @Override
  public Map<String, List<MetricMetadata>> metadata() throws QueryException {
    JsonNode body = reader.success(client.get("/api/v1/metadata", new Form()));
    return new TreeMap<>(AnswerReader.metadata(body.path("data")));
  }

  private JsonNode data(String route, Form form) throws QueryException {
    return reader.success(client.post(route, form)).path("data");
  }

  private static Form form(List<List<Matcher>> selections, TimeRange range, int limit) {
    Form form = new Form();
    for (List<Matcher> selection : selections) {
      form.add(
          "match[]",
          selection.stream().map(Matcher::toString).collect(Collectors.joining(",", "{", "}")));
    }
    // The ends of time are beyond what servers read.
    if (range.minMs() > 0) {
      form.add("start", seconds(range.minMs()));
    }
    if (range.maxMs() < Long.MAX_VALUE / 2) {
      form.add("end", seconds(range.maxMs()));
    }
    if (limit > 0) {
      form.add("limit", Integer.toString(limit));
    }
    return form;
  }

  private static List<String> sorted(JsonNode data, int limit) {
    TreeSet<String> names = new TreeSet<>(Utf8Order.INSTANCE);
    names.addAll(AnswerReader.texts(data));
    return limited(List.copyOf(names), limit);
  }

  private static <T> List<T> limited(List<T> all, int limit) {
    return limit > 0 && all.size() > limit ? all.subList(0, limit) : all;
  }

  private static String seconds(long ms) {
    return BigDecimal.valueOf(ms, 3).toPlainString();
  }

  /** What a server said to a question that is no query. */
  public record Told(int status, String body) {}

  /**
   * Asks another route of the server.
   *
   * @throws QueryException if no answer comes
   */
  public Told get(String route, Map<String, String> parameters) throws QueryException {
    Form form = new Form();
    parameters.forEach(form::add);
    BackendClient.Answer answer = client.get(route, form);
    return new Told(answer.status(), new String(answer.body(), StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    client.close();
  }
}
