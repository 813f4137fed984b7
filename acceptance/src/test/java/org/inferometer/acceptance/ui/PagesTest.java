package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every page on real dumps: it opens without complaint and shows what the API says. */
@ExtendWith(SiteExtension.class)
class PagesTest {
  private static final double ROUNDING = 0.006;

  /** A page, and what is there once it has drawn. */
  private record Opening(String name, String path, String ready) {}

  static String servicePath(JsonNode service) {
    String id = service.get("id").asText();
    return "/services/" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String targetPath(JsonNode service) {
    String instance = service.at("/replicas/0/instance").asText();
    return "/targets/" + URLEncoder.encode(instance, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1280", "DARK, 1280", "LIGHT, 400", "DARK, 400"})
  void everyPage_opensWithoutComplaint(Theme theme, int width, Site site, Chromium chromium) {
    List<Opening> pages =
        List.of(
            new Opening("overview", "/", ".services .mark[data-state]"),
            new Opening("engine", servicePath(site.engine()), ".panel .u-over"),
            new Opening("gpu", servicePath(site.gpu()), ".panel .u-over"),
            new Opening("host", servicePath(site.host()), ".panel .u-over"),
            new Opening("gpus", "/gpus", ".gpus tbody tr"),
            new Opening("targets", "/targets", ".targets tbody tr"),
            new Opening("target", targetPath(site.engine()), ".report .todo, .report .part"),
            new Opening("query", "/query?q=up&view=graph", ".graph .u-over"));
    for (Opening page : pages) {
      try (Screen screen = chromium.screen(theme, width)) {
        screen.open(site.server().url(page.path()), page.ready());
        assertThat(screen.find("html"))
            .hasAttribute("data-theme", theme == Theme.DARK ? "dark" : "light");
        screen.assertWellMade(page.name());
      }
    }
  }

  @Test
  void overview_showsTheNumbersOfTheApi(Site site, Chromium chromium) throws Exception {
    long moment = System.currentTimeMillis() / 1000;
    Map<String, String> columns =
        Map.of("rate", "request_rate", "ttft", "ttft_p95", "errors", "error_share");
    List<String> signals = List.copyOf(columns.values());
    String id = site.engine().get("id").asText();
    JsonNode results = site.server().signals(id, signals, (double) moment).get("results");
    try (Screen screen = chromium.screen(Theme.LIGHT, 1600)) {
      screen.open(site.server().url("/?to=" + moment), ".services tbody tr");
      Locator row = screen.find(".services tbody tr");
      columns.forEach(
          (column, signal) -> {
            JsonNode value = results.get(signals.indexOf(signal)).at("/series/0/values/0");
            assertShows(row.locator("[data-column=" + column + "] .figure"), value);
          });
      screen.assertCalm();
    }
  }

  /** The sentence is of now: it may become another one between the page's question and ours. */
  @Test
  void overview_saysOfAServiceWhatTheApiSays(Site site, Chromium chromium) throws Exception {
    String id = site.engine().get("id").asText();
    List<String> seen = new ArrayList<>();
    for (int attempt = 0; attempt < 5; attempt++) {
      String before = sentenceNow(site, id);
      try (Screen screen = chromium.screen(Theme.LIGHT, 1600)) {
        screen.open(site.server().url("/"), ".services tbody tr .says");
        String shown = screen.find(".services tbody tr .says").textContent();
        String after = sentenceNow(site, id);
        if (shown.equals(before) || shown.equals(after)) {
          return;
        }
        seen.add(before + " / " + shown + " / " + after);
      }
    }
    throw new AssertionError("expected the API's sentence on the page, got " + seen);
  }

  /** What the diagnosis says of it; until it has looked, what the rules say. */
  private static String sentenceNow(Site site, String id) throws Exception {
    for (JsonNode found : site.server().get("/api/v1/findings").get("services")) {
      if (found.get("service").asText().equals(id)) {
        return found.get("sentence").asText();
      }
    }
    return serviceNow(site, id).get("sentence").asText();
  }

  private static JsonNode serviceNow(Site site, String id) throws Exception {
    for (JsonNode service : site.server().get("/api/v1/services").get("services")) {
      if (service.get("id").asText().equals(id)) {
        return service;
      }
    }
    throw new AssertionError("gone: " + id);
  }

  private static void assertShows(Locator figure, JsonNode value) {
    assertThat(value.isNumber()).as("the API has a value").isTrue();
    assertThat(figure.locator(".number")).not().hasText("–");
    assertThat(Quantities.read(figure.textContent()))
        .isCloseTo(
            value.asDouble(),
            org.assertj.core.data.Offset.offset(Math.abs(value.asDouble()) * ROUNDING + 1e-12));
  }

  @Test
  void service_showsTheNumbersOfTheApi(Site site, Chromium chromium) throws Exception {
    long moment = System.currentTimeMillis() / 1000;
    List<String> signals = List.of("request_rate", "ttft_p95", "error_share");
    String id = site.engine().get("id").asText();
    JsonNode results = site.server().signals(id, signals, (double) moment).get("results");
    try (Screen screen = chromium.screen(Theme.DARK, 1280)) {
      screen.open(
          site.server().url(servicePath(site.engine()) + "?to=" + moment), ".panel .u-over");
      for (int i = 0; i < signals.size(); i++) {
        String tile = "[data-signal=" + signals.get(i) + "] .figure";
        assertShows(screen.find(tile), results.get(i).at("/series/0/values/0"));
      }
      screen.assertCalm();
    }
  }

  @Test
  void service_drawsWhatItFeedsAndSaysWhyTheRestIsAbsent(Site site, Chromium chromium) {
    List<String> fed = new ArrayList<>();
    site.engine().get("signals").forEach(signal -> fed.add(signal.asText()));
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(site.server().url(servicePath(site.engine())), ".panel .u-over");
      String drawn = ".band[data-layer=request] .panel:not(.absent-panel)";
      for (Locator panel : screen.find(drawn).all()) {
        assertThat(fed).contains(panel.getAttribute("data-panel"));
      }
      for (JsonNode absent : site.engine().get("absent")) {
        Locator panel =
            screen.find(".absent-panel[data-panel='" + absent.get("signal").asText() + "']");
        if (panel.count() > 0 && absent.get("fix").isTextual()) {
          assertThat(panel.first()).containsText(absent.get("fix").asText());
        }
      }
      Locator fold = screen.find(".absent-fold[data-fold~=speculation]");
      assertThat(fold).containsText("absent");
      assertThat(fold.locator(".fold-title")).hasCount(0);
      screen.assertCalm();
    }
  }

  @Test
  void absentSignals_areToldOnceAFix(Site site, Chromium chromium) {
    Set<String> fixes = new HashSet<>();
    site.engine().get("absent").forEach(absent -> fixes.add(absent.get("fix").asText()));
    fixes.remove("null");
    try (Screen screen = chromium.screen(Theme.DARK, 1280)) {
      screen.open(
          site.server().url(servicePath(site.engine()) + "?open=absent"), ".absent-list .muted");
      assertThat(screen.find(".absent-list .fix code").allTextContents())
          .containsExactlyInAnyOrderElementsOf(fixes);
      screen.photograph("absent");
      screen.assertCalm();
    }
  }

  @Test
  void panel_opensItsQueryWhichRuns(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(
          site.server().url(servicePath(site.engine()) + "?open=running"),
          "[data-panel=running] .query-of");
      Locator query = screen.find("[data-panel=running] .query-of code").first();
      String text = query.textContent();
      screen.find("[data-panel=running] .query-of a").first().click();
      assertThat(screen.find("textarea")).hasValue(text);
      assertThat(screen.find(".graph .u-over")).isVisible();
      screen.assertCalm();
    }
  }

  @Test
  void targets_sayWhatTheyAreRecognisedAs(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(site.server().url("/targets"), ".targets tbody tr");
      JsonNode targets = site.server().get("/api/v1/targets").get("activeTargets");
      assertThat(screen.find(".targets tbody tr")).hasCount(targets.size());
      for (JsonNode target : targets) {
        Locator row =
            screen
                .find(".targets tbody tr")
                .filter(new Locator.FilterOptions().setHasText(target.get("scrapeUrl").asText()));
        assertThat(row.locator(".c2")).hasText(target.at("/inferometer/title").asText());
        assertThat(row.locator(".word")).hasText("OK");
      }
      screen.find(".disclose").first().click();
      assertThat(screen.find(".details-row .label").first()).isVisible();
      screen.assertCalm();
    }
  }

  @Test
  void query_tableShowsTheValues(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(site.server().url("/query?q=" + "count(up)"), ".results tbody tr");
      int targets = site.server().get("/api/v1/targets").get("activeTargets").size();
      assertThat(screen.find(".results td.number")).hasText(Integer.toString(targets));
    }
  }

  @Test
  void query_marksAnErrorAtItsPlace(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.DARK, 1280)) {
      screen.open(site.server().url("/query?q=sum(rate(up))"), ".query-message[data-level=error]");
      assertThat(screen.find(".query-message")).containsText("Line 1, column 10:");
      assertThat(screen.find(".under mark")).hasText("up");
      screen.photograph("query-error");
      screen.find("textarea").fill("up");
      screen.press("Enter");
      assertThat(screen.find(".results tbody tr").first()).isVisible();
      assertThat(screen.find(".query-message")).isEmpty();
      assertThat(screen.place()).isEqualTo("/query?q=up");
    }
  }

  @Test
  void query_offersNames(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(site.server().url("/query"), "textarea");
      screen.find("textarea").pressSequentially("vllm:num_requests_run");
      assertThat(screen.find(".offers li").first()).containsText("vllm:num_requests_running");
      screen.press("Tab", "Enter");
      assertThat(screen.find(".results tbody tr").first()).isVisible();
      assertThat(screen.place()).isEqualTo("/query?q=vllm%3Anum_requests_running");
      screen.assertCalm();
    }
  }
}
