package org.inferometer.app;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.Explanation.Explained;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.time.Ticker;

/** A query service that counts and times the questions put to another one. Thread-safe. */
final class MeasuredQueryService implements QueryService {
  /** What is asked for. */
  enum Kind {
    INSTANT("instant"),
    RANGE("range"),
    BATCH("batch"),
    SERIES("series"),
    LABELS("labels"),
    METADATA("metadata");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** Upper bounds in seconds of the buckets that durations are counted in. */
  static final double[] BOUNDS = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120
  };

  /** Durations and failures of one kind. */
  static final class Measure {
    private final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
    private final LongAdder nanos = new LongAdder();
    private final Map<QueryException.Kind, LongAdder> failures =
        new EnumMap<>(QueryException.Kind.class);

    Measure() {
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] = new LongAdder();
      }
      for (QueryException.Kind kind : QueryException.Kind.values()) {
        failures.put(kind, new LongAdder());
      }
    }

    private void observe(long durationNanos) {
      int i = 0;
      while (i < BOUNDS.length && durationNanos / 1e9 > BOUNDS[i]) {
        i++;
      }
      buckets[i].increment();
      nanos.add(durationNanos);
    }

    private void failed(QueryException.Kind kind) {
      failures.getOrDefault(kind, new LongAdder()).increment();
    }

    /** Questions per bucket, those beyond the last bound at the end. */
    long[] counts() {
      long[] counts = new long[buckets.length];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = buckets[i].sum();
      }
      return counts;
    }

    double seconds() {
      return nanos.sum() / 1e9;
    }

    long failures(QueryException.Kind kind) {
      return failures.getOrDefault(kind, new LongAdder()).sum();
    }
  }

  /** A question. */
  @FunctionalInterface
  private interface Question<T> {
    T ask() throws QueryException;
  }

  private final QueryService answering;
  private final Ticker ticker;
  private final Map<Kind, Measure> measures = new EnumMap<>(Kind.class);

  MeasuredQueryService(QueryService answering, Ticker ticker) {
    this.answering = answering;
    this.ticker = ticker;
    for (Kind kind : Kind.values()) {
      measures.put(kind, new Measure());
    }
  }

  Measure measure(Kind kind) {
    Measure measure = measures.get(kind);
    if (measure == null) {
      throw new IllegalStateException("every kind has a measure");
    }
    return measure;
  }

  private <T> T measured(Kind kind, Question<T> question) throws QueryException {
    Measure measure = measure(kind);
    long start = ticker.nanos();
    try {
      return question.ask();
    } catch (QueryException e) {
      measure.failed(e.kind());
      throw e;
    } finally {
      measure.observe(ticker.nanos() - start);
    }
  }

  @Override
  public QueryResult instant(InstantQuery query) throws QueryException {
    return measured(Kind.INSTANT, () -> answering.instant(query));
  }

  @Override
  public QueryResult range(RangeQuery query) throws QueryException {
    return measured(Kind.RANGE, () -> answering.range(query));
  }

  @Override
  public List<BatchOutcome> batch(BatchQuery batch) throws QueryException {
    List<BatchOutcome> outcomes = measured(Kind.BATCH, () -> answering.batch(batch));
    for (BatchOutcome outcome : outcomes) {
      if (outcome instanceof BatchOutcome.Failed failed) {
        measure(Kind.BATCH).failed(failed.error().kind());
      }
    }
    return outcomes;
  }

  @Override
  public Explained explain(InstantQuery query) throws QueryException {
    return measured(Kind.INSTANT, () -> answering.explain(query));
  }

  @Override
  public Explained explain(RangeQuery query) throws QueryException {
    return measured(Kind.RANGE, () -> answering.explain(query));
  }

  @Override
  public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    return measured(Kind.SERIES, () -> answering.series(selections, range, limit));
  }

  @Override
  public List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    return measured(Kind.LABELS, () -> answering.labelNames(selections, range, limit));
  }

  @Override
  public List<String> labelValues(
      String name, List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    return measured(Kind.LABELS, () -> answering.labelValues(name, selections, range, limit));
  }

  @Override
  public Map<String, List<MetricMetadata>> metadata() throws QueryException {
    return measured(Kind.METADATA, answering::metadata);
  }
}
