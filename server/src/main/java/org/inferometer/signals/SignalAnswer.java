package org.inferometer.signals;

import java.util.List;

/**
 * What a batch of signals came to, in the order asked.
 *
 * @param timesMs the times of all values
 */
public record SignalAnswer(List<Long> timesMs, List<SignalResult> results) {
  public SignalAnswer {
    timesMs = List.copyOf(timesMs);
    results = List.copyOf(results);
  }
}
