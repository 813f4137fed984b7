package org.inferometer.diagnosis;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;

/**
 * Says why what isn't among the verdicts isn't: what isn't the matter first, what is open after.
 */
final class RuledOutReader {
  private final List<Verdict> verdicts;
  private final Thresholds thresholds;

  /** Without repetition: what holds for each of many replicas is said once. */
  private final Set<RuledOut> out = new LinkedHashSet<>();

  private final Set<RuledOut> open = new LinkedHashSet<>();

  RuledOutReader(List<Verdict> verdicts, Thresholds thresholds) {
    this.verdicts = verdicts;
    this.thresholds = thresholds;
  }

  List<RuledOut> read(List<Outcome> outcomes) {
    for (Outcome outcome : outcomes) {
      switch (outcome) {
        case Outcome.Found found -> add(found.finding());
        case Outcome.RuledOut one -> out.add(new RuledOut(one.cause(), one.because(), false));
        case Outcome.Unknown one -> open.add(new RuledOut(one.cause(), one.because(), true));
      }
    }
    out.addAll(open);
    return List.copyOf(out);
  }

  private void add(Finding finding) {
    String cause = finding.cause();
    boolean isTold = verdicts.stream().anyMatch(verdict -> verdict.cause().equals(cause));
    if (isTold || cause.equals("healthy")) {
      return;
    }
    if (finding.confidence() < thresholds.get("verdict_confidence_min")) {
      long percent = Math.round(finding.confidence() * 100);
      open.add(new RuledOut(cause, "Not sure enough (" + percent + " %): " + finding.says(), true));
    } else {
      out.add(new RuledOut(cause, "Users feel nothing of it: " + finding.says(), false));
    }
  }
}
