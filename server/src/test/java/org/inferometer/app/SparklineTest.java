package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SparklineTest {
  @Test
  void values_goFromTheLowestBlockToTheHighest() {
    assertThat(Sparkline.of(new double[] {0, 1, 2, 3, 4, 5, 6, 7}, 8)).isEqualTo("▁▂▃▄▅▆▇█");
  }

  @Test
  void moreValuesThanColumns_areAveraged() {
    assertThat(Sparkline.of(new double[] {0, 2, 9, 11}, 2)).isEqualTo("▁█");
  }

  @Test
  void gapsAreBlank_andAFlatLineIsLow() {
    assertThat(Sparkline.of(new double[] {5, Double.NaN, Double.POSITIVE_INFINITY, 5}, 8))
        .isEqualTo("▁  ▁");
    assertThat(Sparkline.of(new double[0], 8)).isEmpty();
  }
}
