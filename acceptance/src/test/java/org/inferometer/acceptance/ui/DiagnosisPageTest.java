package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The diagnosis on the pages: verdicts with their evidence, the path, actions, and incidents. */
@ExtendWith(SiteExtension.class)
class DiagnosisPageTest {
  private static final String ROOT = ".verdict-first .verdict";

  /** From doing something to the fleet until it is found: scrapes, then two looks. */
  private static final double FOUND_MS = 180_000;

  private static DiagnosisAnswers answers(Site site) {
    return new DiagnosisAnswers(site.engine());
  }

  private static String service(Site site) {
    return PagesTest.servicePath(site.engine());
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1440", "DARK, 1440", "LIGHT, 400", "DARK, 400"})
  void everyPage_isWellMadeWhenSomethingIsWrong(
      Theme theme, int width, Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(theme, width)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/diagnosis"), ROOT + " .chart-row");
      screen.find(".verdicts details").first().evaluate("node => (node.open = true)");
      screen.find(".ruled-out").evaluate("node => (node.open = true)");
      screen.assertWellMade("diagnosis");
      screen.open(site.server().url("/incidents"), ".lane-item[data-kind=root]");
      screen.assertWellMade("incidents");
      screen.open(site.server().url("/"), ".services .mark[data-state=critical]");
      screen.assertWellMade("overview-critical");
      screen.open(site.server().url(service(site) + "?open=why"), ".why .verdict");
      screen.assertWellMade("service-why");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "healthy, LIGHT, 1440, Healthy, Users get what they were promised.",
    "cannot-tell, DARK, 400, Cannot tell, The cause can't be told: queue time is missing."
  })
  void everyPage_isWellMadeWhenNothingIs(
      String state,
      Theme theme,
      int width,
      String word,
      String sentence,
      Site site,
      Chromium chromium)
      throws Exception {
    try (Screen screen = chromium.screen(theme, width)) {
      answers(site).calm(screen, state, sentence);
      screen.open(site.server().url("/diagnosis"), ".path-end");
      assertThat(screen.find(".title-line .mark")).hasText(word);
      assertThat(screen.find(".sentence")).hasText(sentence);
      assertThat(screen.find(".verdict")).hasCount(0);
      screen.assertWellMade("diagnosis-" + state);
      screen.open(site.server().url("/incidents"), ".sentence:not(:empty)");
      assertThat(screen.find(".sentence")).hasText("No incident in the last 24 h.");
      screen.assertWellMade("incidents-none");
    }
  }

  @Test
  void overview_saysThatAllMeetTheirGoals(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).calm(screen, "healthy", "Users get what they were promised.");
      screen.open(site.server().url("/"), ".services tbody tr");
      assertThat(screen.find(".sentence"))
          .containsText(site.engine().get("name").asText() + " meets its goals.");
      assertThat(screen.find(".services tbody .says").first())
          .hasText("Users get what they were promised.");
      screen.assertCalm();
    }
  }

  @Test
  void overview_leadsToWhyTheWorstServiceSuffers(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/"), ".services .mark[data-state=critical]");
      assertThat(screen.find(".sentence")).containsText("The KV cache is full.");
      screen.find(".sentence-line .why-button").click();
      assertThat(screen.find(ROOT)).isVisible();
      assertThat(screen.place()).startsWith("/diagnosis/");
      screen.assertCalm();
    }
  }

  @Test
  void diagnosis_hasTheRootFirstAndWhatFollowsFromIt(Site site, Chromium chromium)
      throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/diagnosis"), ROOT);
      assertThat(screen.find(ROOT + " .verdict-title h3")).hasText("KV cache full");
      assertThat(screen.find(ROOT + " .sure")).containsText("almost certain 0.95");
      assertThat(screen.find(ROOT)).containsText("82 % of time to first token");
      Locator follows = screen.find(".verdicts .verdict");
      assertThat(follows).hasCount(1);
      assertThat(follows).containsText("Follows from: KV cache full");
      assertThat(screen.find(".path .question"))
          .hasText(
              new String[] {"Do users suffer?", "Is the KV cache full, or do too many arrive?"});
      assertThat(screen.find(".path-end")).hasText("KV cache full");
      assertThat(screen.find(".layers .layer-word")).hasText(new String[] {"Client", "Engine"});
      screen.assertCalm();
    }
  }

  @Test
  void evidence_standsByLayerAndOpensItsChart(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.DARK, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/diagnosis"), ROOT + " .u-over");
      Locator rows = screen.find(ROOT + " .evidence").first();
      assertThat(rows.locator(".layer-word"))
          .hasText(new String[] {"Gateway", "Request", "Engine"});
      assertThat(rows.locator(".chart-row")).hasCount(1);
      Locator queue = rows.locator(".disclose").first();
      assertThat(queue).hasText("Queue time, P95");
      queue.focus();
      screen.press("Enter");
      assertThat(rows.locator(".chart-row")).hasCount(2);
      assertThat(queue).hasAttribute("aria-expanded", "true");
      assertThat(screen.place()).contains("open=");
      queue.click();
      assertThat(rows.locator(".chart-row")).hasCount(1);
      screen.assertCalm();
    }
  }

  @Test
  void action_isCopiedAndItsQueryOpens(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/diagnosis"), ".next-steps .action-step");
      Locator first = screen.find(".next-steps .action-step").first();
      assertThat(first.getByText("Copy --max-num-seqs=256")).isVisible();
      assertThat(first).containsText("Throughput falls by up to a tenth.");
      first.getByText("Open in Query").click();
      assertThat(screen.find("textarea")).hasValue("sum(rate(preempted_total[5m])) == 0");
      screen.assertCalm();
    }
  }

  @Test
  void ruledOut_isFoldedAndSearched(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/diagnosis"), ".ruled-out summary");
      assertThat(screen.find(".ruled-out .causes")).isHidden();
      screen.find(".ruled-out summary").click();
      assertThat(screen.find(".ruled-out .causes li")).hasCount(2);
      screen.find(".ruled-out input").fill("prefill");
      assertThat(screen.find(".ruled-out .causes li")).hasCount(1);
      assertThat(screen.find(".causes.unknown li")).containsText("The share of CPU is missing.");
      screen.assertCalm();
    }
  }

  @Test
  void names_thatMeanHarmAreText(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).sickness(screen);
      for (String path : List.of("/diagnosis", "/incidents", "/", service(site) + "?open=why")) {
        screen.open(site.server().url(path), ".mark[data-state]");
        assertThat(screen.find("main")).containsText("<img src=x onerror=alert(1)>");
        assertThat(screen.find("main img")).hasCount(0);
      }
      screen.assertCalm();
    }
  }

  @Test
  void why_opensBesideTheChartsByAKey(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.DARK, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url(service(site)), ".panel .u-over");
      assertThat(screen.find(".sentence")).containsText("The KV cache is full.");
      assertThat(screen.find(".why")).isHidden();
      screen.press("w");
      assertThat(screen.find(".why .verdict").first()).isVisible();
      assertThat(screen.find(".panel .u-over").first()).isVisible();
      assertThat(screen.find(".lane-event[data-kind=finding]")).containsText("KV cache full");
      assertThat(screen.place()).contains("open=why");
      screen.press("w");
      assertThat(screen.find(".why")).isHidden();
      screen.assertCalm();
    }
  }

  @Test
  void incidents_tellWhoMovedFirst(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/incidents"), ".order tbody tr");
      assertThat(screen.find(".incident")).hasCount(2);
      assertThat(screen.find(".incident").first().locator(".mark")).hasText("Goes on");
      assertThat(screen.find(".order .o2"))
          .hasText(new String[] {"Layer", "Engine", "Engine", "Request"});
      assertThat(screen.find("[data-layer=engine] [data-kind=first]")).containsText("1 · ");
      assertThat(screen.find("[data-layer=request] [data-kind=first]")).containsText("2 · ");
      screen.find(".lane-item[data-kind=root] .lane-name").first().click();
      assertThat(screen.find(ROOT)).isVisible();
      assertThat(screen.place()).startsWith("/diagnosis/");
      screen.assertCalm();
    }
  }

  @Test
  void palette_goesToACauseAndToADiagnosis(Site site, Chromium chromium) throws Exception {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      answers(site).sickness(screen);
      screen.open(site.server().url("/"), ".services .mark[data-state]");
      screen.press("Control+k");
      screen.find(".palette input").fill("kv-exhaustion");
      assertThat(screen.find(".palette li").first()).containsText("Cause");
      screen.press("Enter");
      assertThat(screen.find(ROOT)).isVisible();
      screen.press("Control+k");
      screen.find(".palette input").fill("diagnosis of");
      screen.press("Enter");
      assertThat(screen.find(ROOT)).isVisible();
      screen.assertCalm();
    }
  }

  @Test
  void nothingWatched_saysSo(@TempDir Path folder, Chromium chromium) throws Exception {
    Path config = Files.writeString(folder.resolve("empty.yml"), "scrape_configs: []\n");
    try (Server server = new Server(folder, List.of("--config", config.toString()));
        Screen screen = chromium.screen(Theme.DARK, 400)) {
      screen.open(server.url("/diagnosis"), ".sentence:not(:empty)");
      assertThat(screen.find(".sentence")).containsText("inferometer serve http://host:8000");
      screen.assertWellMade("diagnosis-empty");
      screen.open(server.url("/incidents"), ".sentence:not(:empty)");
      assertThat(screen.find(".sentence")).hasText("No incident in the last 24 h.");
      screen.assertCalm();
    }
  }

  @Test
  void injectedFault_isFoundWithItsEvidence(DemoSite demo, Chromium chromium) throws Exception {
    JsonNode engine = demo.engine();
    try (Screen screen = chromium.screen(Theme.LIGHT, 1440)) {
      demo.server().post("/api/v1/simulation/faults", "{\"id\":\"gateway-buffering\"}");
      String id = engine.get("id").asText();
      screen.open(demo.server().url("/diagnosis/" + id), ".title-line .mark[data-state]");
      assertThat(screen.find(".verdict[data-cause=gateway-buffering]").first())
          .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(FOUND_MS));
      assertThat(screen.find(ROOT)).hasAttribute("data-cause", "gateway-buffering");
      assertThat(screen.find(ROOT + " .evidence .u-over").first()).isVisible();
      assertThat(screen.find(ROOT + " .layer-word").first()).hasText("Client");
      screen.assertWellMade("diagnosis-of-a-fault");
    } finally {
      demo.server().delete("/api/v1/simulation/faults");
    }
  }
}
