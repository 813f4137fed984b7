package org.inferometer.diagnosis.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static final long STEP_MS = 15_000;

  private static Line line(int count, IntToDoubleFunction value) {
    long[] times = new long[count];
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      times[i] = i * STEP_MS;
      values[i] = value.applyAsDouble(i);
    }
    return new Line(times, values);
  }

  @Test
  void of_aLevelWithNoise_isOne() {
    Random random = new Random(1);
    Line line = line(80, _ -> 0.2 * (1 + 0.1 * random.nextGaussian()));
    assertThat(Segments.of(line, 0.05, 1.25)).hasSize(1);
  }

  @Test
  void of_aStep_tellsWhenAndHowFar() {
    Random random = new Random(2);
    Line line = line(80, i -> (i < 50 ? 0.2 : 0.6) * (1 + 0.1 * random.nextGaussian()));
    var segments = Segments.of(line, 0.05, 1.25);
    assertThat(segments).hasSize(2);
    assertThat(segments.get(1).startMs()).isBetween(49 * STEP_MS, 51 * STEP_MS);
    assertThat(segments.get(0).level()).isBetween(0.18, 0.22);
    assertThat(segments.get(1).level()).isBetween(0.55, 0.65);
  }

  @Test
  void of_oneOutlier_isNoLevel() {
    assertThat(Segments.of(line(60, i -> i == 30 ? 50 : 1), 0.05, 1.25)).hasSize(1);
  }

  @Test
  void of_noiseFarBelowTheScale_isNoLevel() {
    assertThat(Segments.of(line(60, i -> i < 30 ? 0.0001 : 0.0004), 0.05, 1.25)).hasSize(1);
  }

  @Test
  void of_gaps_leavesThemOut() {
    Line line = line(60, i -> i % 5 == 0 ? Double.NaN : i < 30 ? 1 : 3);
    assertThat(Segments.of(line, 0.05, 1.25)).hasSize(2);
  }

  @Test
  void of_nothing_isEmpty() {
    assertThat(Segments.of(line(10, _ -> Double.NaN), 0.05, 1.25)).isEmpty();
  }
}
