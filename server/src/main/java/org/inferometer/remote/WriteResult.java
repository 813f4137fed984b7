package org.inferometer.remote;

import java.util.List;

/**
 * What became of a write.
 *
 * @param samples floats that were taken, those that were there already included
 * @param histograms likewise
 * @param exemplars likewise
 * @param rejected samples and histograms that can't be taken however often they are sent
 * @param refused samples and histograms for which there is no room now
 * @param problems of the first that weren't taken, in words
 */
public record WriteResult(
    long samples,
    long histograms,
    long exemplars,
    long rejected,
    long refused,
    List<String> problems) {
  public WriteResult {
    problems = List.copyOf(problems);
  }
}
