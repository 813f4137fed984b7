package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.BoundingBox;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Finding the way: links that show another person the same picture, keys, the mouse on a chart. */
@ExtendWith(SiteExtension.class)
class NavigationTest {
  private static final String CHART = "[data-panel=running] .u-over";

  private static Screen service(Site site, Chromium chromium, String search) {
    String id = site.engine().get("id").asText();
    Screen screen = chromium.screen(Theme.LIGHT, 1280);
    screen.open(site.server().url("/"), ".services a.name");
    screen.page().evaluate("(url) => history.replaceState(null, '', url)", "/" + search);
    screen.page().reload();
    screen.find(".services a.name").first().click();
    screen.page().waitForSelector(CHART);
    assertThat(screen.find(".rail-services [aria-current]")).hasAttribute("data-key", id);
    return screen;
  }

  @Test
  void link_showsTheSamePicture(Site site, Chromium chromium) {
    long to = System.currentTimeMillis() / 1000;
    try (Screen first = service(site, chromium, "?range=6h&to=" + to);
        Screen second = chromium.screen(Theme.LIGHT, 1280)) {
      first.find(CHART).scrollIntoViewIfNeeded();
      first.find(CHART).click();
      first.find("[data-panel=running] button[aria-expanded]").last().click();
      first.find("[data-fold=stages] .fold-title").click();
      assertThat(first.place()).contains("range=6h", "to=" + to, "cursor=", "running", "stages");

      second.open(first.page().url(), CHART);
      assertThat(second.find("[data-panel=running] .details")).isVisible();
      assertThat(second.find("[data-fold=stages] .panel").first()).isVisible();
      assertThat(second.find("[data-span='21600']")).hasAttribute("aria-pressed", "true");
      assertThat(second.find(".side .cursor-time"))
          .hasText(first.find(".side .cursor-time").textContent());
      assertThat(second.find("[data-panel=running] .now"))
          .hasText(first.find("[data-panel=running] .now").textContent());
      assertThat(second.place()).isEqualTo(first.place());
      first.assertCalm();
      second.assertCalm();
    }
  }

  @Test
  void keys_reachEverything(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.DARK, 1280)) {
      screen.open(site.server().url("/"), ".services tbody tr");
      screen.press("j", "Enter");
      assertThat(screen.page()).hasURL(Pattern.compile("/services/"));
      screen.page().waitForSelector(".panel .u-over");
      screen.press(" ");
      assertThat(screen.find(".live")).hasText("Paused");
      assertThat(screen.place()).contains("to=");
      screen.press("[", "-");
      assertThat(screen.place()).contains("range=30m");
      screen.press("+", "+");
      assertThat(screen.place()).contains("range=450s");
      screen.press(" ");
      assertThat(screen.find(".live")).hasText("Live");
      assertThat(screen.place()).doesNotContain("to=");
      screen.press("Escape");
      assertThat(screen.find(".overview")).isVisible();
      screen.press("?");
      assertThat(screen.find("dialog.help")).isVisible();
      screen.press("Escape", "Control+k");
      assertThat(screen.find("dialog.palette")).isVisible();
      screen.page().keyboard().type("targ");
      screen.press("Enter");
      assertThat(screen.find(".targets-page")).isVisible();
      screen.press(":");
      screen.page().keyboard().type("1 + 1");
      screen.press("Enter");
      assertThat(screen.find(".results td.number")).hasText("2");
      screen.assertCalm();
    }
  }

  @Test
  void filter_narrowsTheRows(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(site.server().url("/targets"), ".targets tbody tr");
      screen.press("/");
      screen.page().keyboard().type("no such target");
      assertThat(screen.find(".targets tbody tr")).hasCount(0);
      screen.press("Escape");
      assertThat(screen.find(".targets tbody tr").first()).isVisible();
    }
  }

  @Test
  void drag_zoomsAndShiftDragPans(Site site, Chromium chromium) {
    // The end of the hour is where there are samples.
    try (Screen screen = service(site, chromium, "?range=1h")) {
      screen.find(CHART).scrollIntoViewIfNeeded();
      drag(screen, 0.5, 0.999);
      assertThat(screen.page()).hasURL(Pattern.compile("range=(17[5-9]\\d|18[0-4]\\d)s|range=30m"));
      String zoomed = screen.place();
      screen.page().keyboard().down("Shift");
      drag(screen, 0.5, 0.75);
      screen.page().keyboard().up("Shift");
      assertThat(screen.page()).not().hasURL(Pattern.compile(Pattern.quote(zoomed)));
      assertThat(screen.place()).contains("to=");
      screen.page().goBack();
      assertThat(screen.place()).isEqualTo(zoomed);
      screen.assertCalm();
    }
  }

  private static void drag(Screen screen, double from, double to) {
    BoundingBox box = screen.find(CHART).boundingBox();
    double y = box.y + box.height / 2;
    screen.page().mouse().move(box.x + box.width * from, y);
    screen.page().mouse().down();
    screen.page().mouse().move(box.x + box.width * (from + to) / 2, y);
    screen.page().mouse().move(box.x + box.width * to, y);
    screen.page().mouse().up();
  }

  @Test
  void theme_isRememberedAndBeatsTheSystem(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.open(site.server().url("/targets"), ".targets tbody tr");
      screen.find(".theme").click();
      screen.find(".theme").click();
      assertThat(screen.find("html")).hasAttribute("data-theme", "dark");
      screen.page().reload();
      assertThat(screen.find("html")).hasAttribute("data-theme", "dark");
      assertThat(screen.find("html")).hasAttribute("data-theme-choice", "dark");
    }
  }
}
