package org.inferometer.query;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.promql.Expr;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.jspecify.annotations.Nullable;

/**
 * Where only the count and sum of histograms are asked for, Prometheus reads them without their
 * buckets and so has to find counter resets while it reads. Which selectors these are, and their
 * series with the hints that come of it; so that there are the same warnings.
 */
final class ResetTelling {
  private static final Set<String> COUNT_OR_SUM =
      Set.of("histogram_count", "histogram_sum", "histogram_avg");
  private static final Set<String> BUCKETS =
      Set.of("histogram_quantile", "histogram_quantiles", "histogram_fraction");

  private final Set<Expr> selectors = Collections.newSetFromMap(new IdentityHashMap<>());

  private ResetTelling() {}

  static ResetTelling in(Expr root) {
    ResetTelling found = new ResetTelling();
    found.look(root, false);
    return found;
  }

  private void look(Expr e, boolean countOrSum) {
    switch (e) {
      case Expr.VectorSelector s when countOrSum -> selectors.add(s);
      case Expr.Binary b -> b.children().forEach(child -> look(child, false));
      case Expr.Call c -> {
        String name = c.function().name();
        boolean inside = COUNT_OR_SUM.contains(name) || (countOrSum && !BUCKETS.contains(name));
        c.children().forEach(child -> look(child, inside));
      }
      default -> e.children().forEach(child -> look(child, countOrSum));
    }
  }

  boolean isEmpty() {
    return selectors.isEmpty();
  }

  /** The series of a selector, with hints if it is one of those. */
  Series of(Expr.VectorSelector selector, Series series) {
    return selectors.contains(selector) ? new Told(series) : series;
  }

  private record Told(Series series) implements Series {
    @Override
    public Labels labels() {
      return series.labels();
    }

    @Override
    public void read(long fromMs, long toMs, SampleColumns into) {
      int start = into.size();
      series.read(fromMs, toMs, into);
      NativeHistogram last = null;
      for (int i = start; i < into.size(); i++) {
        NativeHistogram histogram = into.histogram(i);
        if (histogram != null) {
          into.put(into.timestampMs(i), told(last, histogram));
          last = histogram;
        }
      }
    }

    private static NativeHistogram told(@Nullable NativeHistogram last, NativeHistogram histogram) {
      if (last == null || histogram.resetHint() != ResetHint.UNKNOWN) {
        return histogram;
      }
      return histogram.withHint(
          histogram.isResetSince(last) ? ResetHint.RESET : ResetHint.NOT_RESET);
    }
  }
}
