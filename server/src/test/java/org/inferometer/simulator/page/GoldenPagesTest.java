package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole pages, kept to be looked at; -Dinferometer.golden=write writes them anew. */
class GoldenPagesTest {
  private static final Path FOLDER = Path.of("src/test/resources/simulator/pages");

  @ParameterizedTest
  @CsvSource({
    "vllm, 0.8.5, python",
    "vllm, 0.11.2, python",
    "vllm, 0.15.1, multiprocess",
    "vllm, 0.31.0, python",
    "vllm, 0.31.0, rust",
    "sglang, 0.4.0, ''",
    "sglang, 0.5.12, ''",
    "tgi, 3.3.0, ''",
  })
  void page_isTheReviewedOne(String page, String release, String frontend) throws IOException {
    String text = VllmSample.text(page, release, frontend, "speculation", "2", "adapters", "4");
    String suffix = frontend.isEmpty() ? "" : "-" + frontend;
    Path file = FOLDER.resolve(page + "-" + release + suffix + ".prom");
    if ("write".equals(System.getProperty("inferometer.golden"))) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, text);
    }
    assertThat(text)
        .as(file + " (rerun with -Dinferometer.golden=write and review)")
        .isEqualTo(Files.readString(file));
  }
}
