package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demonstration: its pages have data, and what is done to its fleet is seen. */
@ExtendWith(SiteExtension.class)
class DemoPageTest {
  private static final String THROTTLE = "[data-fault=thermal-throttle]";

  /** A page, and what is there once it has drawn. */
  private record Opening(String name, String path, String ready) {}

  private static List<Opening> pages(DemoSite demo) throws Exception {
    List<Opening> pages = new ArrayList<>();
    pages.add(new Opening("demo", "/demo", ".fault"));
    pages.add(new Opening("demo-overview", "/", ".services .mark[data-state]"));
    pages.add(new Opening("demo-gpus", "/gpus", ".gpus tbody tr"));
    pages.add(new Opening("demo-targets", "/targets", ".targets tbody tr"));
    for (JsonNode service : demo.server().get("/api/v1/services").get("services")) {
      String kind = service.get("kind").asText();
      if (kind.equals("engine") || kind.equals("router")) {
        String id = service.get("id").asText();
        pages.add(new Opening("demo-" + id.replaceAll("[/:]", "-"), "/services/" + id, ".u-over"));
      }
    }
    return pages;
  }

  @AfterEach
  void undoAll(DemoSite demo) throws Exception {
    demo.server().delete("/api/v1/simulation/faults");
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1400", "DARK, 1400", "LIGHT, 400", "DARK, 400"})
  void everyPage_opensWithoutComplaint(Theme theme, int width, DemoSite demo, Chromium chromium)
      throws Exception {
    List<Opening> pages = pages(demo);
    assertThat(pages).as("two engines, a gateway and the clients").hasSize(8);
    for (Opening page : pages) {
      try (Screen screen = chromium.screen(theme, width)) {
        screen.open(demo.server().url(page.path()), page.ready());
        screen.assertWellMade(page.name());
      }
    }
  }

  @Test
  void fault_isDoneByAClickAndUndoneByAnother(DemoSite demo, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1400)) {
      screen.open(demo.server().url("/demo"), THROTTLE);
      assertThat(screen.find(".sentence")).hasText("Nothing is done to the fleet.");
      screen.find(THROTTLE + " button").click();
      assertThat(screen.find(THROTTLE)).hasAttribute("data-active", "");
      assertThat(screen.find(".sentence")).containsText("Cooling fails (qwen-0), since ");
      Locator happened = screen.find(".happened tbody tr").first();
      assertThat(happened).containsText("Cooling fails");
      assertThat(happened).containsText("goes on");
      screen.photograph("demo-fault");
      assertThat(screen.find(THROTTLE + " button")).hasText("Undo");
      screen.find(THROTTLE + " button").click();
      assertThat(screen.find(".sentence")).hasText("Nothing is done to the fleet.");
      assertThat(happened).not().containsText("goes on");
      screen.assertCalm();
    }
  }

  @Test
  void fault_isReachedAndDoneByKeys(DemoSite demo, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.DARK, 1400)) {
      screen.open(demo.server().url("/demo"), THROTTLE);
      screen.find(THROTTLE + " button").focus();
      screen.press("Enter");
      assertThat(screen.find(THROTTLE)).hasAttribute("data-active", "");
      screen.press("Tab");
      assertThat(screen.page().evaluate("document.activeElement.textContent")).isEqualTo("Do it");
      screen.assertCalm();
    }
  }

  @Test
  void serviceOfTheDemo_marksWhatHappenedAboveItsBands(DemoSite demo, Chromium chromium)
      throws Exception {
    demo.server().post("/api/v1/simulation/faults", "{\"id\":\"load-spike\"}");
    String id = demo.engine().get("id").asText();
    try (Screen screen = chromium.screen(Theme.LIGHT, 1400)) {
      screen.open(demo.server().url("/services/" + id), ".lane-event");
      Locator event = screen.find(".lane-event").last();
      assertThat(event).containsText("Load beyond capacity, goes on");
      event.click();
      assertThat(screen.find(".cursor-time")).not().hasText("Now");
      for (String layer : List.of("request", "engine", "gpu")) {
        Locator band = screen.find(".band[data-layer=" + layer + "]").first();
        band.scrollIntoViewIfNeeded();
        assertThat(band.locator(".u-over").first()).isVisible();
      }
      assertThat(screen.find(".demo-line")).containsText("Load beyond capacity since");
      screen.photograph("demo-marks");
      screen.assertCalm();
    }
  }

  @Test
  void server_thatWatchesRealThings_hasNoDemo(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1400)) {
      screen.open(site.server().url("/"), ".services tbody tr");
      assertThat(screen.find(".rail [data-page=demo]")).isHidden();
      assertThat(screen.find(".demo-line")).isHidden();
      screen.open(site.server().url("/demo"), ".sentence:not(:empty)");
      assertThat(screen.find(".sentence")).containsText("inferometer demo");
      screen.assertCalm();
    }
  }
}
