package org.inferometer.signals;

import java.util.List;
import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * One way in which a dialect feeds a signal.
 *
 * @param template the PromQL
 * @param buckets whether the PromQL gives rates of classic buckets, of which the quantile is taken
 * @param needs metric names without which it gives nothing
 * @param since the first release that has them, null if unknown
 * @param last the last release that has them, null if it still does
 * @param counts what its values count, null if that isn't known
 * @param mixes why a quotient of two populations is sound here, a sentence, or null
 * @param note how it deviates from what the signal means, or null
 */
record Alternative(
    Template template,
    boolean buckets,
    List<String> needs,
    Quality quality,
    @Nullable Version since,
    @Nullable Version last,
    @Nullable Population counts,
    @Nullable String mixes,
    @Nullable String note) {
  Alternative {
    needs = List.copyOf(needs);
  }

  /** The same by other PromQL. */
  Alternative with(Template other, List<String> otherNeeds) {
    return new Alternative(other, buckets, otherNeeds, quality, since, last, counts, mixes, note);
  }
}
