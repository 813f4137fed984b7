package org.inferometer.query.differential;

import java.util.Map;

/** How many questions ended how. Not thread-safe. */
public final class Tally {
  private static final Outcome NOTHING = new Outcome.Answered(Map.of());

  private int answered;
  private int empty;
  private int failed;
  private int byDesign;
  private int undecidable;

  /** Both said this. */
  public void same(Outcome outcome) {
    if (outcome instanceof Outcome.Failed) {
      failed++;
    } else if (outcome.equals(NOTHING)) {
      empty++;
    } else {
      answered++;
    }
  }

  public void byDesign() {
    byDesign++;
  }

  public void undecidable() {
    undecidable++;
  }

  public void add(Tally other) {
    answered += other.answered;
    empty += other.empty;
    failed += other.failed;
    byDesign += other.byDesign;
    undecidable += other.undecidable;
  }

  @Override
  public String toString() {
    return "%d answers, %d empty ones and %d errors are the same, %d differ by design, %d undecidable"
        .formatted(answered, empty, failed, byDesign, undecidable);
  }
}
