package org.inferometer.diagnosis.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.TargetHistory;
import org.inferometer.signals.TargetHistory.Setting;
import org.junit.jupiter.api.Test;

class HappeningReaderTest {
  private static final double NONE = Double.NaN;
  private static final long[] TIMES = {0, 30, 60, 90, 120, 150, 180, 210};

  private static TargetHistory target(
      double[] up, double[] starts, Map<String, List<Setting>> settings) {
    return new TargetHistory(
        "vllm/m", ServiceKind.ENGINE, "engine", "a:8000", TIMES, up, starts, starts, settings);
  }

  private static final double[] ALWAYS = {1, 1, 1, 1, 1, 1, 1, 1};
  private static final double[] ONE_START = {5, 5, 5, 5, 5, 5, 5, 5};

  private static List<Happening> read(TargetHistory target) {
    TargetHistory other = target(ALWAYS, ONE_START, Map.of());
    return HappeningReader.read(List.of(target), List.of(target, other));
  }

  @Test
  void read_calm_isNothing() {
    assertThat(read(target(ALWAYS, ONE_START, Map.of()))).isEmpty();
  }

  @Test
  void read_anotherStart_isARestartAtThatTime() {
    double[] starts = {5, 5, 5, NONE, 100, 100, 100, 100};
    assertThat(read(target(ALWAYS, starts, Map.of())))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.kind()).isEqualTo(Happening.Kind.RESTART);
              assertThat(one.timeMs()).isEqualTo(100_000);
            });
  }

  @Test
  void read_scrapesThatFail_areGoneAndBack() {
    double[] up = {1, 1, 0, 0, NONE, 1, 1, 1};
    assertThat(read(target(up, ONE_START, Map.of())))
        .extracting(Happening::kind)
        .containsExactly(Happening.Kind.GONE, Happening.Kind.CAME);
  }

  @Test
  void read_oneMissedScrape_isNothing() {
    double[] up = {1, 1, 1, NONE, 1, 0.5, 1, 1};
    assertThat(read(target(up, ONE_START, Map.of()))).isEmpty();
  }

  @Test
  void read_aTargetSeenLaterThanOthers_isNew() {
    double[] up = {NONE, NONE, NONE, NONE, NONE, 1, 1, 1};
    assertThat(read(target(up, ONE_START, Map.of())))
        .extracting(Happening::says)
        .containsExactly("a:8000 is new.");
  }

  @Test
  void read_anotherFlag_tellsBothValues() {
    List<Setting> values = List.of(new Setting("True", 0, 60), new Setting("False", 90, 210));
    assertThat(read(target(ALWAYS, ONE_START, Map.of("enable_prefix_caching", values))))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.kind()).isEqualTo(Happening.Kind.CONFIG);
              assertThat(one.timeMs()).isEqualTo(90);
              assertThat(one.from()).isEqualTo("True");
              assertThat(one.to()).isEqualTo("False");
            });
  }
}
