package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.number;
import static org.inferometer.diagnosis.cause.OutsideEvidence.seconds;
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
import org.inferometer.diagnosis.world.Symptom;

/**
 * Answers got longer, so requests take longer: the first token and the pace of tokens are what they
 * were, and the added tokens at the old pace explain the added time.
 */
public final class OutputLength implements Check {
  @Override
  public String cause() {
    return "output-length";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    return List.of(outcome(service, thresholds));
  }

  private Outcome outcome(ServiceWorld service, Thresholds thresholds) {
    Reading length = service.get("output_length_mean");
    Reading total = service.get("e2e_mean");
    Reading pace = service.get("tpot_mean");
    Argument argument = new Argument(cause());
    argument
        .needsKnown(length.isComparable(), length.signal())
        .needsKnown(total.isComparable(), total.signal())
        .needsKnown(!Double.isNaN(pace.baseline()), pace.signal());
    if (argument.isOver()) {
      return argument.over();
    }
    double now = length.value();
    double recent = OutsideLine.recent(length, service.window(), thresholds.get("recent_seconds"));
    double longest = Double.isNaN(recent) ? now : Math.max(now, recent);
    double factor = OutsideAnswerLengths.factor(service, thresholds);
    argument.needs(
        longest >= factor * length.baseline(),
        Strength.STRONG,
        Evidence.of(
            length,
            factor * length.baseline(),
            "Answers have "
                + number(longest)
                + " tokens on average, before they had "
                + number(length.baseline())
                + "."));
    double late = total.rise();
    double carried = (now - length.baseline()) * pace.baseline();
    boolean isItsPace = isItsPace(service, thresholds);
    double explained = isItsPace ? 1 : Math.min(1, carried / late);
    boolean isFelt = service.symptoms().hasAnywhere(Symptom.Kind.E2E);
    argument.needs(
        isFelt,
        Strength.WEAK,
        Evidence.of(total, null, "Requests take " + seconds(total.value()) + " on average."));
    argument.needs(
        explained >= thresholds.get("explained_share"),
        Strength.STRONG,
        Evidence.computed(
            "request",
            "e2e_explained_share",
            explained,
            "ratio",
            thresholds.get("explained_share"),
            isItsPace
                ? "Of the added "
                    + seconds(late)
                    + ", "
                    + seconds(carried)
                    + " are the added tokens at the old pace; for the rest more requests run at a"
                    + " time, since each stays longer."
                : share(explained)
                    + " of the added "
                    + seconds(late)
                    + " are the added tokens at the old pace."));
    if (!argument.isOver()) {
      others(argument, service, thresholds, isItsPace);
      arrivals(argument, service, thresholds);
      if (OutsideLine.isReturn(length, service.baseline(), now)) {
        argument.opposes(
            Strength.STRONG,
            Evidence.of(
                length, null, "Answers were as long before the baseline: it is the exception."));
      }
    }
    return argument.conclude(
        service,
        null,
        null,
        new Effect(
            "e2e_mean",
            carried / total.value(),
            total.value(),
            total.value() - carried,
            "Answers of the former length at the former pace would take "
                + seconds(total.value() - carried)
                + "."),
        "Answers are "
            + number(longest / length.baseline())
            + " times as long as before, and that is why requests take longer.",
        OutsideLine.onset(length, service.window(), longest));
  }

  /**
   * Whether a slower pace is of the longer answers' making. By Little's law requests that stay
   * longer are more at a time, and a step reads the contexts of all of them. A request's time is
   * its answer's length times its pace, so lengths must have grown by more than the pace, and no
   * more requests come.
   */
  private static boolean isItsPace(ServiceWorld service, Thresholds thresholds) {
    double length = service.get("output_length_mean").ratio();
    double pace = service.get("tpot_mean").ratio();
    return pace > thresholds.get("steady_factor")
        && length > pace
        && service.get("running").ratio() >= length
        && service.get("request_start_rate").ratio() < thresholds.get("workload_more");
  }

  /** When fewer requests come, the long ones are the last to end. */
  private static void arrivals(Argument argument, ServiceWorld service, Thresholds thresholds) {
    Reading began = service.get("request_start_rate");
    double now = OutsideLine.recent(began, service.window(), thresholds.get("recent_seconds"));
    // Where none comes any more that is so already, whatever came within the last minute.
    boolean isOver =
        OutsideLine.newest(began, service.window(), thresholds.get("last_seconds")) <= 0;
    double least = thresholds.get("same_arrivals_share");
    boolean isAsBefore = now >= least * began.baseline() && !isOver;
    if (!Double.isNaN(now) && !Double.isNaN(began.baseline())) {
      argument.needs(
          isAsBefore,
          Strength.WEAK,
          Evidence.of(
              began,
              least * began.baseline(),
              isAsBefore
                  ? "Requests arrive as before."
                  : "Fewer requests arrive than before, and of those inside the long ones end"
                      + " last."));
    }
  }

  /** First token and pace, if they got worse too, are other causes'. */
  private static void others(
      Argument argument, ServiceWorld service, Thresholds thresholds, boolean isItsPace) {
    double most = thresholds.get("steady_factor");
    Reading first = service.get("ttft_mean");
    boolean isSteady = first.ratio() <= most;
    if (first.isComparable() && (isSteady || service.symptoms().hasAnywhere(Symptom.Kind.TTFT))) {
      argument.weighs(
          isSteady,
          Strength.MODERATE,
          Strength.STRONG,
          Evidence.of(
              first,
              most * first.baseline(),
              "The first token takes "
                  + seconds(first.value())
                  + ", before "
                  + seconds(first.baseline())
                  + "."));
    }
    Reading pace = service.get("tpot_mean");
    if (pace.isComparable() && !isItsPace) {
      argument.weighs(
          pace.ratio() <= most,
          Strength.MODERATE,
          Strength.MODERATE,
          Evidence.of(
              pace,
              most * pace.baseline(),
              "A token takes "
                  + seconds(pace.value())
                  + ", before "
                  + seconds(pace.baseline())
                  + "."));
    }
  }
}
