package org.inferometer.diagnosis.world;

import org.jspecify.annotations.Nullable;

/**
 * Something that users feel and that is worse than it should be.
 *
 * @param kind what they feel
 * @param reading the signal that tells
 * @param edge the id of the gateway or client that tells, null if the engine does
 * @param limit what it should stay below
 * @param because where the limit comes from: a goal, the baseline, a common default; a phrase
 * @param isCritical whether it is far beyond
 */
public record Symptom(
    Kind kind,
    Reading reading,
    @Nullable String edge,
    double limit,
    String because,
    boolean isCritical) {
  /** The same, far beyond. */
  Symptom critical() {
    return new Symptom(kind, reading, edge, limit, because, true);
  }

  /** What users feel. */
  public enum Kind {
    TTFT,
    TPOT,
    /** Tokens come in jerks though their mean rate is well. */
    ITL_TAIL,
    E2E,
    /** Requests fail or are cut. */
    FAILURES,
    /** Requests hardly come any more. */
    TRAFFIC
  }
}
