package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/**
 * Turns signals into PromQL, asks each query once, and makes results of what comes back.
 * Thread-safe.
 */
final class SignalQueries {
  /** Values over all results of a batch. */
  static final long VALUES_MAX = 5_000_000;

  private final Resolver resolver;
  private final ColumnQueries queries;

  SignalQueries(Resolver resolver, ColumnQueries queries) {
    this.resolver = resolver;
    this.queries = queries;
  }

  /**
   * A signal asked of a service.
   *
   * @param windowMs the rate window, or null for the one that fits the service
   * @param buckets whether the rates of a histogram's buckets are asked for instead of a quantile
   */
  record Question(
      Binding binding,
      Signal signal,
      List<String> by,
      @Nullable Long windowMs,
      @Nullable Double goal,
      boolean buckets) {
    Question(
        Binding binding,
        Signal signal,
        List<String> by,
        @Nullable Long windowMs,
        @Nullable Double goal) {
      this(binding, signal, by, windowMs, goal, false);
    }
  }

  /**
   * The results in the order of the questions.
   *
   * @throws QueryException if the source of the series can't answer at all
   */
  List<SignalResult> ask(List<Question> questions, SignalBatch times) throws QueryException {
    List<SignalPlan> plans = questions.stream().map(question -> plan(question, times)).toList();
    Map<String, ColumnQueries.Outcome> outcomes = new JointQueries(queries).run(plans, times);
    List<SignalResult> results = new ArrayList<>();
    long values = 0;
    for (SignalPlan plan : plans) {
      SignalResult result = plan.result(outcomes, times.count());
      values += (long) result.series().size() * times.count();
      if (values > VALUES_MAX) {
        throw new QueryException(
            QueryException.Kind.BAD_DATA,
            "expected at most " + VALUES_MAX + " values, choose a larger step or fewer signals");
      }
      results.add(result);
    }
    return results;
  }

  private SignalPlan plan(Question question, SignalBatch times) {
    long step = times.isMoment() ? 0 : times.stepMs();
    long window =
        question.windowMs() == null ? question.binding().windowMs(step) : question.windowMs();
    return SignalPlan.of(
        question,
        resolver.resolve(question.binding(), question.signal()),
        question.binding().values(question.by(), window));
  }
}
