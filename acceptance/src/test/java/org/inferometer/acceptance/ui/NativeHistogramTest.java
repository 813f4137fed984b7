package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A native histogram from the scrape to the page: offered, in a table, as a heat map. */
@ExtendWith(SiteExtension.class)
class NativeHistogramTest {
  @Test
  void nativeHistogram_isSeenOnThePage(@TempDir Path folder, Chromium chromium) throws Exception {
    try (NativeExporter exporter = new NativeExporter()) {
      Path config = folder.resolve("native.yml");
      Files.writeString(
          config,
          """
          global: {scrape_interval: 1s}
          scrape_configs:
            - job_name: native
              scrape_native_histograms: true
              static_configs: [{targets: ["%s"]}]
          """
              .formatted(exporter.instance()));
      try (Server server = new Server(folder, List.of("--config", config.toString()));
          Screen screen = chromium.screen(Theme.DARK, 1280)) {
        server.awaitResult("rate(reply_seconds[10s])");
        assertOffered(server, screen);
        assertTable(server, screen);
        assertHeatMap(screen);
        screen.assertCalm();
      }
    }
  }

  private static void assertOffered(Server server, Screen screen) {
    screen.open(server.url("/query"), "textarea");
    screen.find("textarea").pressSequentially("rep");
    assertThat(screen.find(".offers .offer-name").first()).hasText("reply_seconds");
    assertThat(screen.find(".offer-help p")).hasText("Time to answer.");
    screen.press("Tab", "Enter");
    assertThat(screen.find(".histogram")).isVisible();
  }

  private static void assertTable(Server server, Screen screen) throws Exception {
    // Far enough back that no scrape of that time is still under way.
    long moment = System.currentTimeMillis() / 1000 - 3;
    JsonNode histogram =
        server.get("/api/v1/query?query=reply_seconds&time=" + moment).at("/result/0/histogram/1");
    screen.open(server.url("/query?q=reply_seconds&to=" + moment), ".histogram");
    assertThat(screen.find(".histogram-line"))
        .containsText("count " + histogram.get("count").asText());
    assertThat(screen.find(".histogram-bars rect")).hasCount(histogram.get("buckets").size());
    screen.find(".histogram summary").click();
    assertThat(screen.find(".buckets tr td:first-child"))
        .hasText(new String[] {"[-0.001, 0.001]", "(0.25, 0.5]", "(0.5, 1]", "(1, 2]"});
    for (int i = 0; i < histogram.get("buckets").size(); i++) {
      assertThat(screen.find(".buckets td.number").nth(i))
          .hasText(histogram.get("buckets").get(i).get(3).asText());
    }
  }

  private static void assertHeatMap(Screen screen) {
    screen.find("[data-view=heat]").click();
    screen.page().waitForFunction(QueryPageTest.DRAWN, null);
    assertThat(screen.find(".heat-line")).containsText("native histogram");
    screen.find(".heat-box").focus();
    screen.press("ArrowLeft");
    assertThat(screen.find(".heat-tip")).isVisible();
    assertThat(screen.place()).contains("view=heat");
    screen.photograph("query-native-real");
  }
}
