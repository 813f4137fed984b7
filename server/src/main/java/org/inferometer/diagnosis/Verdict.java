package org.inferometer.diagnosis;

import java.util.List;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Finding;
import org.jspecify.annotations.Nullable;

/**
 * A finding in its place among the others.
 *
 * @param title the cause in a few words
 * @param follows the cause of the verdict that this one is a consequence of, or null for a root
 * @param next what to do, the best first
 */
public record Verdict(Finding finding, String title, @Nullable String follows, List<Action> next) {
  public Verdict {
    next = List.copyOf(next);
  }

  public String cause() {
    return finding.cause();
  }
}
