package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page of one target: a check, with what is to be done first. */
@ExtendWith(SiteExtension.class)
class TargetPageTest {
  private static final double PATIENCE_MS = 30_000;

  private static String path(Site site) {
    String instance = site.engine().at("/replicas/0/instance").asText();
    return "/targets/" + URLEncoder.encode(instance, StandardCharsets.UTF_8);
  }

  @Test
  void check_saysWhatTheApiSays(Site site, Chromium chromium) throws Exception {
    String instance = site.engine().at("/replicas/0/instance").asText();
    JsonNode report = site.server().get("/api/v1/check?target=http://" + instance + "/metrics");
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(site.server().url(path(site)), ".target-page h1");
      assertThat(screen.find("[data-part=todo]"))
          .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(PATIENCE_MS));
      assertThat(screen.find(".sentence")).hasText(report.get("verdict").asText());
      assertThat(screen.find("[data-part=todo] .todo > li")).hasCount(report.get("todo").size());
      for (JsonNode todo : report.get("todo")) {
        Locator item = screen.find("[data-part=todo] [data-id='" + todo.get("id").asText() + "']");
        assertThat(item.first()).containsText(todo.get("says").asText());
      }
      assertThat(screen.find("[data-part=part]")).hasCount(report.get("parts").size());
      assertThat(screen.find(".check-now")).isEnabled();
      screen
          .page()
          .evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
      screen.assertAccessible();
      screen.photograph("target-open");
      screen.assertCalm();
    }
  }

  @Test
  void slowCheck_leavesThePageAlone(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.DARK, 400)) {
      // Nobody answers: the check goes on until the page is left.
      screen.page().route("**/api/v1/check*", route -> {});
      screen.open(site.server().url(path(site)), ".target-page progress");
      assertThat(screen.find(".target-facts")).containsText("instance=");
      assertThat(screen.find("progress")).hasAttribute("value", Pattern.compile("[1-9]\\d?"));
      screen.press("Escape");
      assertThat(screen.find(".overview, .targets-page").first()).isVisible();
      screen.assertCalm();
    }
  }

  @Test
  void failedCheck_saysWhyAndCanBeTriedAgain(Site site, Chromium chromium) {
    String body = "{\"status\":\"error\",\"errorType\":\"internal\",\"error\":\"out of luck\"}";
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen
          .page()
          .route(
              "**/api/v1/check*",
              route ->
                  route.fulfill(
                      new Route.FulfillOptions()
                          .setStatus(500)
                          .setContentType("application/json")
                          .setBody(body)));
      screen.open(site.server().url(path(site)), ".target-page .check-progress");
      assertThat(screen.find(".check-progress")).hasText("The check failed: out of luck");
      assertThat(screen.find(".check-now")).isEnabled();
    }
  }

  @Test
  void deadTarget_isUnreachable(@TempDir Path folder, Chromium chromium) throws Exception {
    try (Server server = new Server(folder, List.of("http://127.0.0.1:9/metrics"));
        Screen screen = chromium.screen(Theme.LIGHT, 400)) {
      screen.open(server.url("/targets/127.0.0.1%3A9"), ".target-page .mark[data-state=down]");
      assertThat(screen.find("[data-part=todo]"))
          .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(PATIENCE_MS));
      screen.assertFits();
      screen.photograph("target-unreachable");
      screen.assertCalm();
      screen.page().navigate(server.url("/targets/nobody"));
      assertThat(screen.find(".sentence")).hasText("No target of this name is scraped now.");
      assertThat(screen.find(".check-now")).isDisabled();
      screen.assertCalm();
    }
  }
}
