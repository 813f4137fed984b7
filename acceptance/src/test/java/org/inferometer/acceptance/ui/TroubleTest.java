package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.assertions.LocatorAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The pages when there is nothing to see, when the server dies, and when the data means harm. */
@ExtendWith(SiteExtension.class)
class TroubleTest {
  private static final String HARM = "<img src=x onerror=alert(1)>'&{}\u202e";
  private static final double PATIENCE_MS = 40_000;

  @Test
  void nothingWatched_saysWhatToDo(@TempDir Path folder, Chromium chromium) throws Exception {
    // Without a config the server would look for engines on this machine.
    Path config = Files.writeString(folder.resolve("empty.yml"), "scrape_configs: []\n");
    try (Server server = new Server(folder, List.of("--config", config.toString()));
        Screen screen = chromium.screen(Theme.DARK, 1280)) {
      screen.open(server.url("/"), ".empty");
      assertThat(screen.find(".command").first()).hasText("./inferometer serve http://host:8000");
      screen.photograph("empty");
      screen.page().navigate(server.url("/targets"));
      assertThat(screen.find(".sentence")).hasText("Nothing is scraped yet.");
      screen.assertCalm();
    }
  }

  @Test
  void deadServer_isSaidAndThePictureStays(@TempDir Path folder, Chromium chromium)
      throws Exception {
    try (LiveDump dump = new LiveDump(List.of("# TYPE a gauge", "a 1"), 0);
        Server server = new Server(folder, List.of(dump.url()));
        Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(server.url("/targets"), ".targets tbody tr");
      server.stop();
      LocatorAssertions.IsVisibleOptions soon =
          new LocatorAssertions.IsVisibleOptions().setTimeout(PATIENCE_MS);
      assertThat(screen.find(".gone")).isVisible(soon);
      assertThat(screen.find(".gone")).containsText("doesn't answer since");
      assertThat(screen.find(".targets tbody tr")).hasCount(1);
      screen.photograph("gone");
      server.start();
      assertThat(screen.find(".gone"))
          .isHidden(new LocatorAssertions.IsHiddenOptions().setTimeout(PATIENCE_MS));
      assertThat(screen.find(".targets tbody tr .word")).hasText("OK");
    }
  }

  @Test
  void deadTarget_isSaidInWords(@TempDir Path folder, Chromium chromium) throws Exception {
    try (Server server = new Server(folder, List.of("http://127.0.0.1:9/metrics"));
        Screen screen = chromium.screen(Theme.LIGHT, 400)) {
      screen.open(server.url("/targets"), ".targets .mark[data-state=down]");
      assertThat(screen.find(".sentence"))
          .containsText("http://127.0.0.1:9/metrics doesn't answer");
      assertThat(screen.find(".targets .c3").last()).not().hasText("");
      screen.photograph("target-down");
      screen.assertCalm();
    }
  }

  @Test
  void hostileNames_areOnlyText(@TempDir Path folder, Chromium chromium) throws Exception {
    String labels = "{model_name=\"" + HARM + "\",engine=\"0\"}";
    List<String> page =
        List.of(
            "# TYPE vllm:num_requests_running gauge",
            "vllm:num_requests_running" + labels + " 3",
            "# TYPE vllm:num_requests_waiting gauge",
            "vllm:num_requests_waiting" + labels + " 1",
            "# TYPE vllm:kv_cache_usage_perc gauge",
            "vllm:kv_cache_usage_perc" + labels + " 0.5",
            "<script>alert(2)</script> 1");
    try (LiveDump dump = new LiveDump(page, 0);
        Server server = new Server(folder, List.of(dump.url()));
        Screen screen = chromium.screen(Theme.DARK, 1280)) {
      server.awaitService("engine");
      screen.open(server.url("/"), ".services a.name");
      assertHarmless(screen);
      screen.photograph("hostile");
      screen.find(".services a.name").click();
      assertThat(screen.find("h1")).containsText("<img src=x");
      assertThat(screen.find(".panel .u-over").first()).isVisible();
      assertHarmless(screen);
      screen.open(server.url("/targets"), ".disclose");
      screen.find(".disclose").click();
      assertThat(screen.find(".details-row")).containsText("<script>alert(2)</script>");
      assertHarmless(screen);
      screen.open(server.url("/query?view=graph&q=vllm%3Anum_requests_running"), ".graph .u-over");
      assertThat(screen.find(".metric").first()).containsText("<img src=x");
      assertHarmless(screen);
      screen.find("textarea").fill("vllm:num_requests_running{model_name=\"");
      assertThat(screen.find(".offers")).containsText("<img src=x");
      screen.press("Tab");
      assertThat(screen.find(".under [data-kind=string]")).containsText("<img src=x");
      assertHarmless(screen);
    }
  }

  private static void assertHarmless(Screen screen) {
    assertThat(screen.page().evaluate("document.querySelectorAll('img, main script').length"))
        .isEqualTo(0);
    screen.assertCalm();
  }
}
