package org.inferometer.signals;

import java.util.List;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * A way to tell that a target speaks a dialect. All that is given must hold.
 *
 * @param prefix how a family's name begins, or null
 * @param families names that are all there, or none
 * @param label a label that one of the series with the prefix carries, or null
 * @param unlessLabel a label that makes a series somebody else's, or null
 */
record Fingerprint(
    @Nullable String prefix,
    List<String> families,
    @Nullable String label,
    @Nullable String unlessLabel) {
  Fingerprint {
    families = List.copyOf(families);
  }

  boolean matches(TargetFacts facts) {
    return facts.families().containsAll(families)
        && (prefix == null || facts.rows().stream().anyMatch(this::matchesRow));
  }

  private boolean matchesRow(Labels row) {
    return row.metricName().startsWith(prefix == null ? "" : prefix)
        && (label == null || row.has(label))
        && (unlessLabel == null || !row.has(unlessLabel));
  }

  /** What was looked for, for people. */
  String because() {
    return prefix == null
        ? "it exposes " + String.join(", ", families)
        : "it exposes families that begin with " + prefix;
  }
}
