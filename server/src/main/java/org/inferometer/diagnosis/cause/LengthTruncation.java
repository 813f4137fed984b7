package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.number;
import static org.inferometer.diagnosis.cause.OutsideEvidence.share;

import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * Answers are cut at their length limit more often than they were. All latencies look better for
 * it; what suffers is the answer. That they always were cut proves nothing: a small limit may be
 * wanted, and load tests have one.
 */
public final class LengthTruncation implements Check {
  @Override
  public String cause() {
    return "length-truncation";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    return List.of(outcome(service, thresholds));
  }

  private Outcome outcome(ServiceWorld service, Thresholds thresholds) {
    Reading cut = service.get("length_share");
    double recent = OutsideLine.recent(cut, service.window(), thresholds.get("recent_seconds"));
    double now = Double.isNaN(recent) ? cut.value() : Math.max(cut.value(), recent);
    double least = thresholds.get("truncated_share");
    Argument argument = new Argument(cause());
    argument.needsKnown(!Double.isNaN(now), cut.signal());
    if (argument.isOver()) {
      return argument.over();
    }
    argument.needs(
        now >= least,
        Strength.MODERATE,
        Evidence.of(cut, least, share(now) + " of the answers are cut at their limit."));
    if (!argument.isOver()) {
      rise(argument, cut, now, thresholds);
      length(argument, service, thresholds);
      if (OutsideLine.isReturn(cut, service.baseline(), now)) {
        argument.opposes(
            Strength.STRONG,
            Evidence.of(cut, null, "As many were cut before the baseline: it is the exception."));
      }
    }
    double before = cut.baselineOr(Double.NaN);
    return argument.conclude(
        service,
        null,
        null,
        new Effect(
            "length_share",
            (now - before) / now,
            now,
            before,
            "With the former limit as many would end by themselves as before."),
        share(now)
            + " of the answers are cut at their length limit"
            + (Double.isNaN(before) ? "." : ", before it were " + share(before) + "."),
        OutsideLine.onset(cut, service.window(), now));
  }

  private static void rise(Argument argument, Reading cut, double now, Thresholds thresholds) {
    if (Double.isNaN(cut.baseline())) {
      return;
    }
    double least = thresholds.get("truncated_rise");
    argument.needs(
        now - cut.baseline() >= least,
        Strength.STRONG,
        Evidence.of(
            cut,
            cut.baseline() + least,
            "Before, " + share(cut.baseline()) + " of the answers were cut."));
  }

  /** Where answers got longer and then met the limit, the limit isn't what changed. */
  private static void length(Argument argument, ServiceWorld service, Thresholds thresholds) {
    Reading length = service.get("output_length_mean");
    if (!length.isComparable()) {
      return;
    }
    double recent = OutsideLine.recent(length, service.window(), thresholds.get("recent_seconds"));
    double now = Double.isNaN(recent) ? length.value() : recent;
    Evidence fact =
        Evidence.of(
            length,
            length.baseline(),
            "Answers have "
                + number(now)
                + " tokens on average, before "
                + number(length.baseline())
                + ".");
    double factor = OutsideAnswerLengths.factor(service, thresholds);
    if (now * factor <= length.baseline()) {
      argument.supports(Strength.STRONG, fact);
    } else if (now >= factor * length.baseline()) {
      argument.opposes(Strength.STRONG, fact);
    }
  }
}
