package org.inferometer.query.differential;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few seeds of what {@code bin/fuzz} does with many. */
class DifferentialTest {
  private static final int QUESTIONS = 150;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void productSaysWhatTheSecondEvaluatorSays(long seed) {
    Campaign campaign = new Campaign(seed);
    assertThat(campaign.run(QUESTIONS)).as(campaign.tally().toString()).isEmpty();
  }
}
