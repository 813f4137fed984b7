package org.inferometer.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/**
 * Subexpressions that occur more than once in the queries of one evaluation, and their values from
 * the first occurrence to the last. Two are the same if their trees are, wherever they stand. Not
 * thread-safe.
 *
 * <p>Kept values count in a budget; one that doesn't fit isn't kept, and is evaluated again.
 */
final class Sharing {
  private final SampleBudget budget;
  private final Map<List<@Nullable Object>, Integer> ids = new HashMap<>();
  private final IdentityHashMap<Expr, Integer> idOf = new IdentityHashMap<>();
  private final Map<Integer, Shared> shared = new HashMap<>();

  /**
   * @param queries those that will be evaluated, in this order
   */
  Sharing(List<Expr> queries, SampleBudget budget) {
    this.budget = budget;
    queries.forEach(this::count);
    shared.values().removeIf(value -> value.uses < 2);
  }

  /** A value, where it comes from, and what was said while it was made. */
  record Kept(Expr expr, Steps steps, Value value, Annotations said) {}

  /** One subexpression that occurs several times. */
  final class Shared {
    private int uses;
    private @Nullable Kept kept;

    /** The value if it is there for these steps. */
    @Nullable Kept take(Steps steps) {
      uses--;
      Kept found = kept;
      if (found == null || !found.steps.equals(steps)) {
        return null;
      }
      if (uses <= 0) {
        drop();
      }
      return found;
    }

    void keep(Kept made) {
      if (uses > 0 && kept == null && budget.tryAcquire(made.value.sampleCount())) {
        kept = made;
      }
    }

    private void drop() {
      if (kept != null) {
        budget.release(kept.value.sampleCount());
        kept = null;
      }
    }
  }

  boolean isEmpty() {
    return shared.isEmpty();
  }

  /** The entry of a subexpression that occurs more than once, or null. */
  @Nullable Shared find(Expr e) {
    Integer id = idOf.get(e);
    return id == null ? null : shared.get(id);
  }

  /** What is below a repeated subexpression isn't evaluated again, so it isn't counted again. */
  private void count(Expr e) {
    if (isCostly(e)) {
      Shared entry = shared.computeIfAbsent(id(e), _ -> new Shared());
      entry.uses++;
      if (entry.uses > 1) {
        return;
      }
    }
    e.children().forEach(this::count);
  }

  /** Whether a value is worth keeping: anything that comes from series. */
  private static boolean isCostly(Expr e) {
    return switch (e) {
      case Expr.NumberLiteral _, Expr.StringLiteral _, Expr.Paren _ -> false;
      case Expr.MatrixSelector _, Expr.Subquery _ -> false; // they are no values
      case Expr.Call call -> !call.arguments().isEmpty();
      case Expr.Unary _, Expr.Binary _, Expr.Aggregate _, Expr.VectorSelector _ -> true;
    };
  }

  /** A number for a tree, the same for all trees that differ only in where they stand. */
  private int id(Expr e) {
    Integer known = idOf.get(e);
    if (known != null) {
      return known;
    }
    int id = ids.computeIfAbsent(shape(e), _ -> ids.size());
    idOf.put(e, id);
    return id;
  }

  private List<@Nullable Object> shape(Expr e) {
    List<@Nullable Object> shape = new ArrayList<>(own(e));
    shape.add(e.getClass());
    e.children().forEach(child -> shape.add(id(child)));
    return shape;
  }

  /** What makes a node what it is, its children and its place aside. */
  private static List<@Nullable Object> own(Expr e) {
    return switch (e) {
      case Expr.NumberLiteral n -> List.of(Double.doubleToRawLongBits(n.value()));
      case Expr.StringLiteral s -> List.of(s.value());
      case Expr.Paren _ -> List.of();
      case Expr.Unary u -> List.of(u.minus());
      case Expr.Binary b -> Arrays.asList(b.op(), b.returnBool(), b.matching());
      case Expr.Aggregate a -> List.of(a.op(), a.grouping(), a.without(), a.parameter() == null);
      case Expr.Call c -> List.of(c.function().name());
      case Expr.VectorSelector s -> List.of(s.metricName(), s.matchers(), s.shift(), s.extension());
      case Expr.MatrixSelector m -> List.of(m.range());
      case Expr.Subquery s -> Arrays.asList(s.range(), s.step(), s.shift());
    };
  }
}
