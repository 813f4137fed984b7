package org.inferometer.query.differential;

import java.util.Map;
import java.util.SortedMap;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;

/** The product's evaluator over series in memory. */
public final class Product {
  private final QueryService atOnce;
  private final QueryService delayed;

  public Product(Map<Labels, SortedMap<Long, Double>> data) {
    this(series(data));
  }

  Product(MemorySeries series) {
    atOnce = service(series, false);
    delayed = service(series, true);
  }

  static MemorySeries series(Map<Labels, SortedMap<Long, Double>> data) {
    MemorySeries series = new MemorySeries();
    data.forEach(
        (labels, samples) -> samples.forEach((time, value) -> series.add(labels, time, value)));
    return series;
  }

  private static QueryService service(MemorySeries series, boolean delayedNames) {
    return new LocalQueryService(
        series,
        MetadataSource.none(),
        EngineOptions.DEFAULT.toBuilder().delayedNameRemoval(delayedNames).build(),
        () -> 0);
  }

  public Outcome answer(Question question) {
    try {
      return Outcome.of(result(question).value());
    } catch (QueryException e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  QueryResult result(Question question) throws QueryException {
    QueryService service = question.delayedNames() ? delayed : atOnce;
    try {
      return question.isInstant()
          ? service.instant(new QueryService.InstantQuery(question.query(), question.startMs()))
          : service.range(
              new QueryService.RangeQuery(
                  question.query(), question.startMs(), question.endMs(), question.stepMs()));
    } catch (RuntimeException e) {
      throw new AssertionError("bug at " + question, e);
    }
  }
}
