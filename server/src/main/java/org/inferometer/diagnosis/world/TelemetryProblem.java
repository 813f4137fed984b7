package org.inferometer.diagnosis.world;

import java.util.List;

/**
 * Why something that was measured can't be trusted, or isn't measured.
 *
 * @param problem in small letters with hyphens: {@code quantile-above-last-bucket}
 * @param target what it is of: an instance, or a service's id
 * @param signals that are taken out for it
 * @param says a sentence, with what to do
 * @param isFault whether something broke, rather than was never there
 */
public record TelemetryProblem(
    String problem, String target, List<String> signals, String says, boolean isFault) {
  public TelemetryProblem {
    signals = List.copyOf(signals);
  }
}
