package org.inferometer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosisReaderTest {
  private static final List<String> KNOWN = List.of("kv_usage_full", "queue_share_high");

  @TempDir Path folder;

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("c.yml"), yaml);
  }

  private DiagnosisConfig read(String yaml) throws IOException, ConfigException {
    return ConfigFile.load(file(yaml), KNOWN).diagnosis();
  }

  @Test
  void nothing_isTheUsual() throws Exception {
    assertThat(read("scrape_configs: []\n")).isEqualTo(DiagnosisConfig.DEFAULT);
    assertThat(read("inferometer: {diagnosis: {}}\n")).isEqualTo(DiagnosisConfig.DEFAULT);
  }

  @Test
  void everything_isRead() throws Exception {
    assertThat(
            read(
                """
                inferometer:
                  diagnosis:
                    enabled: false
                    interval: 10s
                    window: 2m
                    thresholds: {kv_usage_full: 0.9}
                    services:
                      Qwen/Qwen3-32B: {thresholds: {queue_share_high: 0.5}}
                """))
        .isEqualTo(
            new DiagnosisConfig(
                false,
                10_000,
                120_000,
                Map.of("kv_usage_full", 0.9),
                Map.of("Qwen/Qwen3-32B", Map.of("queue_share_high", 0.5))));
  }

  @Test
  void wrong_isRefusedWithItsPlace_allAtOnce() throws Exception {
    Path file =
        file(
            """
            inferometer:
              diagnosis:
                intervall: 10s
                interval: 10ms
                window: forever
                thresholds: {kv_usage_ful: 0.9, queue_share_high: many}
                services:
                  m: {thresholds: {queue_share: 1}, threshold: {}}
            """);
    ConfigException thrown =
        catchThrowableOfType(ConfigException.class, () -> ConfigFile.load(file, KNOWN));
    assertThat(thrown.problems())
        .extracting(p -> p.line() + ":" + p.column() + ": " + p.message())
        .containsExactlyInAnyOrder(
            "3:5: found the unknown key \"intervall\" in diagnosis; did you mean interval?",
            "4:15: found \"10ms\", expected a duration from 1s to 1h for interval",
            "5:13: found \"forever\", expected a duration such as 15s, 500ms or 1h30m for window",
            "6:18: found the unknown key \"kv_usage_ful\" in thresholds; did you mean"
                + " kv_usage_full?",
            "6:55: found \"many\", expected a number from 0 on for queue_share_high",
            "8:24: found the unknown key \"queue_share\" in thresholds",
            "8:41: found the unknown key \"threshold\" in services.m; did you mean thresholds?");
  }
}
