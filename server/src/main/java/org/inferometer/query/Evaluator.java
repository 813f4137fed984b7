package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Numbers;
import org.inferometer.query.Value.Rows;
import org.inferometer.query.Value.Words;

/**
 * Evaluates expressions, each node once for all steps: a node's value is a column per series, and
 * what is above it works on columns. What can't differ between steps is evaluated at one.
 */
final class Evaluator {
  private final Evaluation evaluation;
  private final EngineNames names;

  Evaluator(Evaluation evaluation) {
    this.evaluation = evaluation;
    this.names = new EngineNames(evaluation.options().delayedNameRemoval());
  }

  Evaluation evaluation() {
    return evaluation;
  }

  EngineNames names() {
    return names;
  }

  Value evaluate(Expr e, Steps steps) {
    evaluation.check();
    if (e instanceof Expr.Paren paren) {
      return evaluate(paren.inner(), steps);
    }
    SampleBudget budget = evaluation.budget();
    long mark = budget.mark();
    long rowMark = budget.markRows();
    evaluation.trace().enter(e);
    Sharing.Shared shared = evaluation.sharing().find(e);
    Value value = shared == null ? evaluated(e, steps) : evaluatedOnce(shared, e, steps);
    evaluation.trace().leave(value);
    budget.settle(mark, value.sampleCount());
    budget.settleRows(rowMark, value.rowCount());
    return value;
  }

  private Value evaluatedOnce(Sharing.Shared shared, Expr e, Steps steps) {
    Sharing.Kept kept = shared.take(steps);
    if (kept == null) {
      kept = made(e, steps);
      shared.keep(kept);
      evaluation.annotations().addAll(kept.said(), place -> place);
    } else {
      evaluation.trace().reused();
      evaluation.annotations().addAll(kept.said(), ExprTree.places(kept.expr(), e));
    }
    return kept.value();
  }

  private Sharing.Kept made(Expr e, Steps steps) {
    AtomicReference<Value> value = new AtomicReference<>(Rows.EMPTY);
    Annotations said = evaluation.annotatedApart(() -> value.set(evaluated(e, steps)));
    return new Sharing.Kept(e, steps, value.get(), said);
  }

  private Value evaluated(Expr e, Steps steps) {
    if (steps.count() <= 1 || !ExprTree.isStepInvariant(e)) {
      return dispatch(e, steps);
    }
    Value once = dispatch(e, Steps.at(steps.firstMs()));
    // Before there is that much of it.
    evaluation.budget().acquire(once.sampleCount() * steps.count());
    return once.repeat(steps.count());
  }

  private Value dispatch(Expr e, Steps steps) {
    return switch (e) {
      case Expr.NumberLiteral n -> Numbers.constant(n.value(), steps.count());
      case Expr.StringLiteral s -> new Words(s.value());
      case Expr.Paren p -> evaluate(p.inner(), steps);
      case Expr.Unary u -> unary(u, steps);
      case Expr.Binary b ->
          new BinaryOperators(names, steps, evaluation)
              .apply(b, evaluate(b.left(), steps), evaluate(b.right(), steps));
      case Expr.Aggregate a -> aggregate(a, steps);
      case Expr.Call c -> Functions.call(this, c, steps);
      case Expr.VectorSelector s -> new Selectors(evaluation, steps).instant(s);
      case Expr.MatrixSelector m -> throw rangeVectorOutOfPlace();
      case Expr.Subquery s -> throw rangeVectorOutOfPlace();
    };
  }

  private static Abort rangeVectorOutOfPlace() {
    return Abort.execution("expected a range vector only as a function's argument");
  }

  Rows rows(Expr e, Steps steps) {
    return (Rows) evaluate(e, steps);
  }

  double[] numbers(Expr e, Steps steps) {
    return ((Numbers) evaluate(e, steps)).values();
  }

  String text(Expr e) {
    return ((Words) evaluate(e, Steps.at(0))).text();
  }

  private Value unary(Expr.Unary u, Steps steps) {
    Value operand = evaluate(u.operand(), steps);
    if (!u.minus()) {
      return operand;
    }
    return switch (operand) {
      case Numbers n -> {
        double[] negated = n.values().clone();
        for (int i = 0; i < negated.length; i++) {
          negated[i] = -negated[i];
        }
        yield new Numbers(negated);
      }
      case Rows rows -> names.droppedApart(rows.map(MathFunctions::negated));
      case Words words -> throw Abort.execution("expected a number to negate, got a string");
    };
  }

  private Rows aggregate(Expr.Aggregate a, Steps steps) {
    Rows operand = rows(a.operand(), steps);
    Value parameter = a.parameter() == null ? Rows.EMPTY : evaluate(a.parameter(), steps);
    return new Aggregations(evaluation, steps).apply(a, operand, parameter);
  }

  /**
   * A function over the windows of a range vector expression; names are kept.
   *
   * @param name of the function; what it means for extended windows goes by it
   */
  Rows range(Expr argument, Steps steps, String name, RangeFunction function) {
    Selectors selectors = new Selectors(evaluation, steps);
    Expr range = ExprTree.unwrap(argument);
    Rows inner = Rows.EMPTY;
    evaluation.trace().enter(range);
    Rows result =
        switch (range) {
          case Expr.MatrixSelector m ->
              m.selector().extension() == Expr.RangeExtension.NONE
                  ? selectors.range(m, function)
                  : selectors.extendedRange(
                      m, name, new RangeNotes(evaluation.annotations(), argument.span()));
          case Expr.Subquery s -> {
            Windows windows = windows(s, steps);
            Steps innerSteps = innerSteps(s, windows);
            inner = innerSteps.count() == 0 ? Rows.EMPTY : innerRows(s.inner(), innerSteps);
            yield selectors.range(inner, innerSteps, windows, function);
          }
          case Expr other -> throw Abort.execution("expected a range vector, got " + other);
        };
    evaluation.trace().leave(inner.rows());
    return result;
  }

  /** A facet of the newest sample of each series. */
  Rows newest(Expr.VectorSelector selector, SampleFacet facet, Steps steps) {
    evaluation.trace().enter(selector);
    Rows facets = new Selectors(evaluation, steps).newest(selector, facet);
    evaluation.trace().leave(facets);
    return facets;
  }

  /** What a subquery is over: a vector, or a scalar as a vector without labels. */
  private Rows innerRows(Expr inner, Steps innerSteps) {
    Value value = evaluate(inner, innerSteps);
    return value instanceof Numbers n ? MathFunctions.vector(n.values()) : (Rows) value;
  }

  Windows windows(Expr.Subquery s, Steps steps) {
    return new Windows(
        steps, evaluation.times().shift(s.shift()), evaluation.times().positiveMs(s.range()));
  }

  /** The multiples of the subquery's step that lie in any window. */
  Steps innerSteps(Expr.Subquery s, Windows windows) {
    long stepMs =
        s.step() == null
            ? evaluation.options().subqueryStep().toMillis()
            : evaluation.times().positiveMs(s.step());
    List<long[]> stretches = new ArrayList<>();
    long total = 0;
    long next = Long.MIN_VALUE;
    for (int i = 0; i < windows.count(); i++) {
      long first = Math.max(next, firstMultipleAfter(windows.startMs(i), stepMs));
      long end = windows.endMs(i);
      if (first <= end) {
        long count = (end - first) / stepMs + 1;
        total += count;
        evaluation.budget().acquire(count);
        stretches.add(new long[] {first, count});
        next = first + count * stepMs;
      }
    }
    evaluation.budget().release(total);
    return Steps.of(expanded(stretches, stepMs, Math.toIntExact(total)));
  }

  private static long[] expanded(List<long[]> stretches, long stepMs, int total) {
    long[] times = new long[total];
    int n = 0;
    for (long[] stretch : stretches) {
      for (long k = 0; k < stretch[1]; k++) {
        times[n++] = stretch[0] + k * stepMs;
      }
    }
    return times;
  }

  /** Truncation is toward zero, so for negative times the multiple may be the one after next. */
  private static long firstMultipleAfter(long timeMs, long stepMs) {
    long multiple = stepMs * (timeMs / stepMs);
    return multiple <= timeMs ? multiple + stepMs : multiple;
  }
}
