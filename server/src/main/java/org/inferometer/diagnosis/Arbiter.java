package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;

/** Puts findings in order: the root cause first, what follows from it after, others beside. */
final class Arbiter {
  private final Thresholds thresholds;

  Arbiter(Thresholds thresholds) {
    this.thresholds = thresholds;
  }

  /** The findings that are sure enough, in order. */
  List<Finding> order(List<Outcome> outcomes) {
    List<Finding> findings = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Found found
          && found.finding().confidence() >= thresholds.get("verdict_confidence_min")) {
        findings.add(found.finding());
      }
    }
    findings.sort(Comparator.comparingDouble(finding -> -finding.confidence()));
    return findings;
  }
}
