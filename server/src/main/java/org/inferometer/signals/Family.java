package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A metric family that an engine or exporter has or had.
 *
 * @param dialect the id of the dialect that it belongs to
 * @param name as exposed, counters with {@code _total} where they have it, histograms and summaries
 *     without {@code _bucket}, {@code _sum} and {@code _count}
 * @param type what it is
 * @param declared what its type line says where that is something else, or null
 * @param unit of the exposed value, in words such as {@code seconds}, {@code microseconds}, {@code
 *     percent} (0..100), {@code ratio} (0..1), {@code mebibytes}; "" if it has none
 * @param labels that its series can carry, but for the bucket's edge and those of the target
 * @param since the first release or month that has it, as text, null if unknown
 * @param last the last release or month that has it, null if it still does
 * @param now the name of what replaced it, null if nothing did or it is still there
 * @param counts what it counts, null if that isn't known
 * @param enable what has to be set for it to be exposed, null if it is there by default
 * @param note a sentence on how it misleads, or null
 */
public record Family(
    String dialect,
    String name,
    FamilyType type,
    @Nullable FamilyType declared,
    String unit,
    List<String> labels,
    @Nullable String since,
    @Nullable String last,
    @Nullable String now,
    @Nullable Population counts,
    @Nullable String enable,
    @Nullable String note) {
  public Family {
    labels = List.copyOf(labels);
  }

  /** Whether current releases have it. */
  public boolean isCurrent() {
    return last == null;
  }
}
