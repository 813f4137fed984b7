package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnThresholdsTest {
  private static final String NAME = "verdict_confidence_min";

  @TempDir Path folder;

  private ThresholdSource read(String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("c.yml"), yaml);
    return Settings.load(List.of(), file).thresholds();
  }

  @Test
  void withoutConfig_areTheBuiltInOnes() throws Exception {
    assertThat(Settings.load(List.of(), null).thresholds()).isSameAs(ThresholdSource.BUILT_IN);
    assertThat(read("scrape_configs: []\n")).isSameAs(ThresholdSource.BUILT_IN);
  }

  @Test
  void ofAll_ofAModel_ofAService_theNearestCounts() throws Exception {
    ThresholdSource source =
        read(
            """
            inferometer:
              diagnosis:
                thresholds: {verdict_confidence_min: 0.7}
                services:
                  m: {thresholds: {verdict_confidence_min: 0.8}}
                  vllm/m: {thresholds: {verdict_confidence_min: 0.9}}
            """);
    assertThat(source.of("vllm/x", "x").get(NAME)).isEqualTo(0.7);
    assertThat(source.of("vllm/x", null).get(NAME)).isEqualTo(0.7);
    assertThat(source.of("sglang/m", "m").get(NAME)).isEqualTo(0.8);
    assertThat(source.of("vllm/m", "m").get(NAME)).isEqualTo(0.9);
    assertThat(source.of("vllm/m", "m").threshold(NAME).source()).isEqualTo("set by the user");
  }

  @Test
  void unknownName_isRefusedWithTheNearestOne() {
    assertThat(Thresholds.builtIn().has(NAME)).isTrue();
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(
            () -> read("inferometer: {diagnosis: {thresholds: {verdict_confidence_mim: 0.7}}}\n"))
        .withMessageContaining("c.yml:1:40: ")
        .withMessageContaining("did you mean verdict_confidence_min?");
  }
}
