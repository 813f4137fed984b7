package org.inferometer.diagnosis.cause;

import java.util.List;
import java.util.Map;
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
import org.inferometer.signals.Phrases;

/**
 * Nothing is wrong: requests are answered, and what users feel is within its limits. It holds where
 * no cause is found; damage that users don't feel yet is another check's.
 */
public final class Healthy implements Check {
  /** What users feel, in the words of a sentence. */
  private static final Map<String, String> FELT =
      Map.of(
          "ttft_p95", "The first token takes %s at P95.",
          "tpot_p95", "A token takes %s at P95.",
          "e2e_p95", "A request takes %s at P95.",
          "error_share", "%s of the requests fail.");

  @Override
  public String cause() {
    return "healthy";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    return List.of(outcome(service));
  }

  private Outcome outcome(ServiceWorld service) {
    Argument argument = new Argument(cause());
    Reading rate = service.get("request_rate");
    boolean isServing = rate.value() > 0 || service.get("request_start_rate").value() > 0;
    argument.needsKnown(
        rate.isKnown() || service.get("request_start_rate").isKnown(), rate.signal());
    if (argument.isOver()) {
      return argument.over();
    }
    argument.needs(
        isServing,
        Strength.MODERATE,
        Evidence.of(rate, null, Phrases.value(rate.unit(), rate.value()) + " are answered."));
    if (!argument.isOver() && !service.symptoms().isEmpty()) {
      Symptom worst = service.symptoms().all().getFirst();
      argument.needs(
          false,
          Strength.WEAK,
          Evidence.of(
              worst.reading(),
              worst.limit(),
              worst.reading().title()
                  + " is "
                  + Phrases.value(worst.reading().unit(), worst.reading().value())
                  + ", above "
                  + Phrases.value(worst.reading().unit(), worst.limit())
                  + " ("
                  + worst.because()
                  + ")."));
    }
    for (String signal : List.of("ttft_p95", "tpot_p95", "e2e_p95", "error_share")) {
      felt(argument, service.get(signal));
    }
    return argument.conclude(
        service,
        null,
        null,
        new Effect(rate.signal(), 0, rate.value(), rate.value(), null),
        "Requests are answered within their limits.",
        null);
  }

  private static void felt(Argument argument, Reading reading) {
    if (reading.isKnown() && !argument.isOver()) {
      String says = FELT.getOrDefault(reading.signal(), "%s");
      argument.supports(
          Strength.MODERATE,
          Evidence.of(
              reading,
              reading.goal(),
              says.formatted(Phrases.value(reading.unit(), reading.value()))));
    }
  }
}
