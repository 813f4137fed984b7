package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TargetHealthTest {
  @Test
  void upSinceTheFirstScrape() {
    TargetHealth health =
        TargetHealth.of(new long[] {0, 10_000, 20_000}, new double[] {1, 1, 1}, 21_000);
    assertThat(health.status()).isEqualTo(TargetHealth.Status.UP);
    assertThat(health.intervalMs()).isEqualTo(10_000);
    assertThat(health.sinceIsExact()).isFalse();
  }

  @Test
  void downSinceTheFirstFailure() {
    TargetHealth health =
        TargetHealth.of(new long[] {0, 10_000, 20_000}, new double[] {1, 0, 0}, 21_000);
    assertThat(health.status()).isEqualTo(TargetHealth.Status.DOWN);
    assertThat(health.sinceMs()).isEqualTo(10_000);
    assertThat(health.sinceIsExact()).isTrue();
  }

  @Test
  void silentAfterFourIntervals() {
    TargetHealth health = TargetHealth.of(new long[] {0, 10_000}, new double[] {1, 1}, 50_001);
    assertThat(health.status()).isEqualTo(TargetHealth.Status.SILENT);
  }

  @Test
  void oneMissedScrapeDoesNotChangeTheInterval() {
    TargetHealth health =
        TargetHealth.of(new long[] {0, 10_000, 30_000, 40_000}, new double[] {1, 1, 1, 1}, 40_000);
    assertThat(health.intervalMs()).isEqualTo(10_000);
  }

  @Test
  void windowHoldsFourIntervalsAndAStep() {
    assertThat(RateWindow.of(5_000, 0)).isEqualTo(60_000);
    assertThat(RateWindow.of(30_000, 0)).isEqualTo(120_000);
    assertThat(RateWindow.of(15_000, 300_000)).isEqualTo(315_000);
  }

  @Test
  void hostOfAnInstance() {
    assertThat(new Target("j", "h1:8000").host()).isEqualTo("h1");
    assertThat(new Target("j", "localhost:8000").host()).isEqualTo("127.0.0.1");
    assertThat(new Target("j", "[fe80::1]:8000").host()).isEqualTo("[fe80::1]");
    assertThat(new Target("j", "plain").host()).isEqualTo("plain");
  }
}
