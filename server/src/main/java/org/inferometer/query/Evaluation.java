package org.inferometer.query;

import java.util.List;
import org.inferometer.model.Matcher;
import org.inferometer.promql.DurationExpr;
import org.inferometer.promql.Durations;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Expr.At;
import org.inferometer.promql.Expr.TimeShift;
import org.inferometer.promql.Span;
import org.inferometer.store.Querier;
import org.inferometer.store.Series;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * One query while it is evaluated: its times, its limits, what it reads from and what it has to
 * say. Thread-safe.
 */
final class Evaluation {
  private final String query;
  private final QueryTimes times;
  private final Means means;
  private final SampleBudget budget;
  private final Sharing sharing;
  private final Trace trace;
  private volatile Annotations annotations;
  private volatile boolean canceled;
  private volatile @Nullable ResetTelling resets;

  Evaluation(
      String query,
      QueryTimes times,
      Means means,
      SampleBudget budget,
      Sharing sharing,
      Trace trace) {
    this.query = query;
    this.times = times;
    this.means = means;
    this.budget = budget;
    this.sharing = sharing;
    this.trace = trace;
    this.annotations = new Annotations(query);
  }

  /**
   * What a query is evaluated with and within.
   *
   * @param deadlineNanos by the ticker
   */
  record Means(
      EngineOptions options, Querier querier, WorkPool pool, Ticker ticker, long deadlineNanos) {}

  /**
   * The times of a query as its expression may ask for them, in milliseconds.
   *
   * @param stepMs 0 for an instant query
   */
  record QueryTimes(long startMs, long endMs, long stepMs, long lookbackMs) {
    long durationMs(DurationExpr duration) {
      try {
        return duration.resolveMs(stepMs, endMs - startMs);
      } catch (ArithmeticException e) {
        throw Abort.execution(String.valueOf(e.getMessage()));
      }
    }

    long positiveMs(DurationExpr duration) {
      long ms = durationMs(duration);
      if (ms <= 0) {
        throw Abort.execution("duration must be greater than 0");
      }
      return ms;
    }

    Shift shift(TimeShift shift) {
      long offsetMs = shift.offset() == null ? 0 : durationMs(shift.offset());
      @Nullable At at = shift.at();
      return switch (at) {
        case null -> new Shift(false, 0, offsetMs);
        case At.Instant instant -> new Shift(true, instant.timestampMs(), offsetMs);
        case At.Start start -> new Shift(true, startMs, offsetMs);
        case At.End end -> new Shift(true, endMs, offsetMs);
      };
    }
  }

  QueryTimes times() {
    return times;
  }

  boolean isRange() {
    return times.stepMs() > 0;
  }

  EngineOptions options() {
    return means.options();
  }

  Querier querier() {
    return means.querier();
  }

  SampleBudget budget() {
    return budget;
  }

  Annotations annotations() {
    return annotations;
  }

  Sharing sharing() {
    return sharing;
  }

  Trace trace() {
    return trace;
  }

  /** Runs work whose annotations are kept apart, and returns those. Not for several threads. */
  Annotations annotatedApart(Runnable work) {
    Annotations before = annotations;
    Annotations apart = new Annotations(query);
    annotations = apart;
    try {
      work.run();
    } finally {
      annotations = before;
    }
    return apart;
  }

  WorkPool pool() {
    return means.pool();
  }

  /** Looks at the whole expression for what selectors need to know of what is around them. */
  void begin(Expr root) {
    resets = ResetTelling.in(root);
  }

  List<Series> select(Expr.VectorSelector selector) {
    List<Series> series = select(selector.matchers(), selector.span());
    ResetTelling telling = resets;
    return telling == null || telling.isEmpty()
        ? series
        : series.stream().map(one -> telling.of(selector, one)).toList();
  }

  List<Series> select(List<Matcher> matchers, Span span) {
    check();
    List<Series> series = means.querier().select(matchers);
    if (series.size() > options().maxSeries()) {
      throw Abort.execution(
          "selector at byte %d selects %d series, more than query.max-series = %d; narrow it, or raise the limit with serve --query.max-series"
              .formatted(span.start(), series.size(), options().maxSeries()));
    }
    return trace.selected(series);
  }

  /** Ends the evaluation if it has taken too long or the thread was interrupted. */
  void check() {
    if (canceled || Thread.currentThread().isInterrupted()) {
      canceled = true;
      throw new Abort(QueryException.Kind.CANCELED, "query was canceled in expression evaluation");
    }
    if (means.ticker().nanos() - means.deadlineNanos() > 0) {
      throw Abort.timeout(
          "expression evaluation",
          "the limit is the request's timeout, at most query.timeout = %s; ask for less at a time, or raise it with serve --query.timeout"
              .formatted(Durations.format(options().timeout().toMillis())));
    }
  }
}
