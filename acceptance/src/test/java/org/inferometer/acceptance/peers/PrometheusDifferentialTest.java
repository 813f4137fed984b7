package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few hundred of the questions that {@code bin/fuzz} asks Prometheus. */
class PrometheusDifferentialTest {
  private static final int QUESTIONS = 400;

  @Test
  void evaluatorSaysWhatPrometheusSays(@TempDir Path folder) throws Exception {
    PrometheusCampaign campaign = new PrometheusCampaign(1);
    try (Program prometheus = PrometheusBlocks.start(folder, campaign.data())) {
      assertThat(campaign.run(new PrometheusPeer(prometheus), QUESTIONS))
          .as(campaign.tally().toString())
          .isEmpty();
    }
  }
}
