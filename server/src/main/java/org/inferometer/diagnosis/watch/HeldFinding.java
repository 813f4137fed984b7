package org.inferometer.diagnosis.watch;

import org.inferometer.diagnosis.finding.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A finding that holds, or held for a while.
 *
 * @param title the cause in a few words
 * @param follows the cause that it is a consequence of, or null for a root
 * @param confidence when it was last seen
 * @param says a sentence, as last seen
 * @param startMs when it began as far as can be told, else when it was first seen
 * @param seenMs when it was first seen
 * @param lastSeenMs when it was last seen
 * @param endMs when it was over, or null if it holds
 */
public record HeldFinding(
    Scope scope,
    String cause,
    String title,
    @Nullable String follows,
    double confidence,
    String says,
    long startMs,
    long seenMs,
    long lastSeenMs,
    @Nullable Long endMs) {
  public boolean isRoot() {
    return follows == null;
  }

  /** The same as a consequence of another cause, or as a root. */
  public HeldFinding following(@Nullable String root) {
    return new HeldFinding(
        scope, cause, title, root, confidence, says, startMs, seenMs, lastSeenMs, endMs);
  }

  public FindingKey key() {
    return new FindingKey(scope.service(), cause, scope.instance(), scope.gpu());
  }

  /** Whether some of it lies in a stretch of time, both ends included. */
  public boolean overlaps(long fromMs, long toMs) {
    return startMs <= toMs && (endMs == null || endMs >= fromMs);
  }
}
