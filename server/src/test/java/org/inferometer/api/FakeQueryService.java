package org.inferometer.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryValue;

/** Answers by the query's text, and remembers what it was asked. */
class FakeQueryService implements QueryService {
  private final Map<String, QueryResult> answers = new TreeMap<>();
  final List<InstantQuery> instants = new ArrayList<>();
  final List<RangeQuery> ranges = new ArrayList<>();
  final List<TimeRange> timeRanges = new ArrayList<>();
  final List<List<List<Matcher>>> selections = new ArrayList<>();
  final CountDownLatch hanging = new CountDownLatch(1);
  final CountDownLatch goOn = new CountDownLatch(1);
  final CountDownLatch abandoned = new CountDownLatch(1);

  FakeQueryService answer(String query, QueryValue value) {
    return answer(query, new QueryResult(value, List.of(), List.of()));
  }

  FakeQueryService answer(String query, QueryResult result) {
    answers.put(query, result);
    return this;
  }

  @Override
  public QueryResult instant(InstantQuery query) throws QueryException {
    instants.add(query);
    return find(query.query());
  }

  @Override
  public QueryResult range(RangeQuery query) throws QueryException {
    ranges.add(query);
    return find(query.query());
  }

  private QueryResult find(String query) throws QueryException {
    if (query.equals("hang")) {
      hang();
      return new QueryResult(new QueryValue.Vector(List.of()), List.of(), List.of());
    }
    if (query.equals("bug")) {
      throw new IllegalStateException("a bug");
    }
    for (QueryException.Kind kind : QueryException.Kind.values()) {
      if (query.equals(kind.name())) {
        throw new QueryException(kind, "as asked");
      }
    }
    QueryResult result = answers.get(query);
    if (result == null) {
      throw new QueryException(QueryException.Kind.BAD_DATA, "1:1: parse error: unknown");
    }
    return result;
  }

  private void hang() throws QueryException {
    hanging.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      abandoned.countDown();
      throw new QueryException(QueryException.Kind.CANCELED, "query was canceled", e);
    }
  }

  @Override
  public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit) {
    remember(selections, range);
    return first(
        limit, List.of(Labels.of("__name__", "up", "job", "a"), Labels.of("__name__", "up")));
  }

  @Override
  public List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit) {
    remember(selections, range);
    return first(limit, List.of("__name__", "instance", "job"));
  }

  @Override
  public List<String> labelValues(
      String name, List<List<Matcher>> selections, TimeRange range, int limit) {
    remember(selections, range);
    return first(limit, List.of("value of " + name));
  }

  @Override
  public Map<String, List<MetricMetadata>> metadata() {
    return Map.of(
        "requests_total",
        List.of(
            new MetricMetadata(MetricType.COUNTER, "", "Requests."),
            new MetricMetadata(MetricType.UNKNOWN, "", "")),
        "age_seconds",
        List.of(new MetricMetadata(MetricType.GAUGE, "seconds", "Age \"now\".")));
  }

  private void remember(List<List<Matcher>> asked, TimeRange range) {
    selections.add(asked);
    timeRanges.add(range);
  }

  private static <T> List<T> first(int limit, List<T> all) {
    return limit > 0 && limit < all.size() ? all.subList(0, limit) : all;
  }
}
