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
    return facts.families().containsAll(families) && (prefix == null || hasRow(facts, prefix));
  }

  /** By names first, of which there are far fewer than rows. */
  private boolean hasRow(TargetFacts facts, String start) {
    return facts.byMetric().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(start))
        .anyMatch(entry -> entry.getValue().stream().anyMatch(this::hasLabels));
  }

  private boolean hasLabels(Labels row) {
    return (label == null || row.has(label)) && (unlessLabel == null || !row.has(unlessLabel));
  }

  /** Whether a series is somebody else's although its name begins like those meant. */
  boolean isOfOthers(Labels row) {
    return prefix != null
        && unlessLabel != null
        && row.metricName().startsWith(prefix)
        && row.has(unlessLabel);
  }

  /** What was looked for, for people. */
  String because() {
    return prefix == null
        ? "it exposes " + String.join(", ", families)
        : "it exposes families that begin with " + prefix;
  }
}
