package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.BoundingBox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of a service with four replicas, of which one is slow and full. */
@ExtendWith(SiteExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class ReplicasTest {
  private static final String MODEL = "acme/chat-8b";
  private static final String PATH = "/services/vllm/acme/chat-8b";

  private final List<LiveDump> dumps = new ArrayList<>();
  private Server server;
  private String slow;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, InterruptedException {
    for (int i = 0; i < 4; i++) {
      boolean isSlow = i == 2;
      List<String> lines =
          Lines.engine(MODEL, isSlow ? 5 : 0.5, isSlow ? 9 : 2, isSlow ? 40 : 8 + i);
      dumps.add(new LiveDump(lines, 0.02));
    }
    slow = dumps.get(2).instance();
    server = new Server(folder, dumps.stream().map(LiveDump::url).toList());
    // The last column of the heat maps lies up to a step of 15 s before the present.
    server.awaitValue("vllm/" + MODEL, "ttft_p95", 16);
  }

  @AfterAll
  void stop() {
    server.close();
    dumps.forEach(LiveDump::close);
  }

  /** The browser, where the pattern runs, doesn't know quoting. */
  private static String escaped(String text) {
    return text.replaceAll("[.]", "\\\\.");
  }

  private Screen open(Chromium chromium, Theme theme, int width, String search) {
    return chromium.screen(theme, width).open(server.url(PATH + search), ".panel .u-over");
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1280", "DARK, 1280", "LIGHT, 400", "DARK, 400"})
  void oddReplica_isMarkedAndNamedWithWhy(Theme theme, int width, Chromium chromium) {
    try (Screen screen = open(chromium, theme, width, "?open=heat")) {
      assertThat(screen.find(".replica-says"))
          .containsText(
              Pattern.compile(
                  escaped(slow) + ": .*first token \\d\\.\\dx the median of its peers"));
      Locator rows = screen.find(".replica-grid tbody tr");
      assertThat(rows).hasCount(4);
      assertThat(rows.first()).hasAttribute("data-odd", "");
      assertThat(rows.first()).containsText(slow);
      assertThat(screen.find(".replica-grid tbody tr[data-odd]")).hasCount(1);
      assertThat(screen.find(".heat-canvas").first()).isVisible();
      screen.assertFits();
      screen.assertAccessible();
      screen.photograph("replicas");
      screen.assertCalm();
    }
  }

  @Test
  void heatMap_saysWhatIsInACellAndHasATable(Chromium chromium) {
    try (Screen screen = open(chromium, Theme.DARK, 1280, "?open=heat")) {
      Locator panel = screen.find("[data-panel='heat.ttft']");
      Locator box = panel.locator(".heat-box");
      box.scrollIntoViewIfNeeded();
      BoundingBox at = box.boundingBox();
      screen.page().mouse().move(at.x + at.width - 13, at.y + at.height / 2);
      assertThat(panel.locator(".heat-tip"))
          .containsText(Pattern.compile("\\(.* s, .* s\\]\\nabout .* in \\d+ s"));
      assertThat(panel.locator(".heat-scale")).containsText("requests in");
      panel.locator(".menu").click();
      assertThat(panel.locator(".details table tbody tr").first()).isVisible();
      assertThat(panel.locator(".details")).containsText("In the range");
      assertThat(screen.page()).hasURL(Pattern.compile("heat\\.ttft"));
      screen.assertCalm();
    }
  }

  @Test
  void panel_saysBoundsWindowAndQualityOnDemand(Chromium chromium) {
    try (Screen screen = open(chromium, Theme.LIGHT, 1280, "?open=ttft_p50")) {
      Locator details = screen.find("[data-panel=ttft_p50] .details");
      assertThat(details.locator(".query-of").first()).containsText("measured");
      assertThat(details.locator(".window").first()).containsText("over");
      assertThat(details.locator(".at-cursor tbody tr").first()).containsText("between");
      assertThat(details.locator(".caveat").first()).isVisible();
      screen.photograph("panel-details");
      screen.assertCalm();
    }
  }

  @Test
  void byReplica_splitsTheCurves(Chromium chromium) {
    try (Screen screen = open(chromium, Theme.LIGHT, 1280, "?by=instance&open=running")) {
      assertThat(screen.find("[data-panel=running] .details thead").last())
          .containsText(dumps.getFirst().instance());
      assertThat(screen.find(".toggle")).hasAttribute("aria-pressed", "true");
      screen.assertCalm();
    }
  }

  /** A tick asks once for all numbers of the moment; what is folded away asks for nothing. */
  @Test
  void aTick_isOneRequestAndFoldsAskForNothing(Chromium chromium) {
    List<String> bodies = new CopyOnWriteArrayList<>();
    try (Screen screen = open(chromium, Theme.LIGHT, 1280, "?range=24h")) {
      screen.page().onRequest(request -> note(request, bodies));
      screen
          .page()
          .waitForRequest(
              request -> bodies.size() >= 2,
              new Page.WaitForRequestOptions().setTimeout(30_000),
              () -> {});
      assertThat(bodies).allSatisfy(body -> assertThat(body).contains("\"time\":"));
      assertThat(bodies.getFirst()).contains("ttft_p95").doesNotContain("decode_time", "buckets");
      assertThat(bodies.stream().distinct().count()).isEqualTo(bodies.size());
      screen.assertCalm();
    }
  }

  private static void note(Request request, List<String> bodies) {
    if (request.url().endsWith("/api/v1/signals/query")) {
      bodies.add(request.postData());
    }
  }

  @Test
  void palette_goesToASignal(Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.DARK, 1280)) {
      screen.open(server.url("/"), ".services tbody tr");
      screen.press("Control+k");
      screen.page().keyboard().type("decode time");
      assertThat(screen.find(".palette li").first()).containsText("Decode time");
      screen.press("Enter");
      assertThat(screen.find("[data-fold=stages] [data-panel^=decode_time]").first())
          .isInViewport();
      assertThat(screen.page()).hasURL(Pattern.compile(escaped(PATH) + ".*open=stages"));
      assertThat(screen.place()).doesNotContain("signal=");
      screen.assertCalm();
    }
  }
}
