package org.inferometer.diagnosis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a check found.
 *
 * @param cause its id
 * @param confidence from 0 to 1
 * @param says what is the matter, a sentence with its most telling numbers
 * @param evidence that speaks for it, the most telling first; never empty
 * @param against what speaks against it
 * @param onsetMs when it began, or null if it was there all along
 */
public record Finding(
    String cause,
    double confidence,
    Scope scope,
    Effect effect,
    String says,
    List<Evidence> evidence,
    List<Evidence> against,
    @Nullable Long onsetMs) {
  public Finding {
    evidence = List.copyOf(evidence);
    against = List.copyOf(against);
    if (evidence.isEmpty()) {
      throw new IllegalArgumentException("a finding needs evidence: " + cause);
    }
  }

  /** This, surer or less sure. */
  public Finding withConfidence(double other) {
    return new Finding(cause, other, scope, effect, says, evidence, against, onsetMs);
  }
}
