package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Signals that are known in part only: the pages say no more than is known. */
@ExtendWith(SiteExtension.class)
class RoughSignalsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static String path(Site site) {
    String id = site.engine().get("id").asText();
    return "/services/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  /** The server's answer, changed on its way. */
  private static void change(Route route, Consumer<JsonNode> edit) {
    APIResponse response = route.fetch();
    try {
      JsonNode body = JSON.readTree(response.text());
      edit.accept(body.get("data"));
      route.fulfill(
          new Route.FulfillOptions()
              .setContentType("application/json")
              .setBody(JSON.writeValueAsString(body)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void roughen(JsonNode data) {
    for (JsonNode result : data.get("results")) {
      ObjectNode one = (ObjectNode) result;
      switch (one.get("signal").asText()) {
        case "error_share" -> bounds(one, 0.91, 0.97);
        case "request_rate" ->
            one.put("quality", "proxy").put("reason", "Counted where the router stands.");
        case "ttft_p95" -> bounds(one, 10.0, null);
        case "running" -> absent(one);
        default -> {}
      }
    }
  }

  private static void absent(ObjectNode result) {
    result.put("quality", "absent").put("reason", "It says nothing of it").putNull("query");
    result.putArray("series");
  }

  /** Without a value where there are two bounds; at the last edge where there is one. */
  private static void bounds(ObjectNode result, double low, @Nullable Double high) {
    for (JsonNode series : result.get("series")) {
      ObjectNode one = (ObjectNode) series;
      int length = one.get("values").size();
      ArrayNode values = one.putArray("values");
      ArrayNode lows = one.putArray("low");
      ArrayNode highs = one.putArray("high");
      for (int i = 0; i < length; i++) {
        values.add(high == null ? (Double) low : null);
        lows.add(low);
        highs.add(high);
      }
    }
  }

  private static Screen open(Site site, Chromium chromium, String path, String ready) {
    Screen screen = chromium.screen(Theme.LIGHT, 1280);
    screen
        .page()
        .route("**/api/v1/signals/query", route -> change(route, RoughSignalsTest::roughen));
    screen
        .page()
        .route(
            "**/api/v1/signals",
            route ->
                change(
                    route,
                    data ->
                        data.forEach(
                            signal -> {
                              if (signal.get("name").asText().equals("error_share")) {
                                ((ObjectNode) signal).put("kind", "bounds");
                              }
                            })));
    return screen.open(site.server().url(path), ready);
  }

  @Test
  void service_saysNoMoreThanIsKnown(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, path(site), ".panel .u-over")) {
      assertThat(screen.find("[data-signal=error_share] .figure")).hasText("91 to 97 %");
      assertThat(screen.find("[data-panel=error_share] .now")).hasText("91 to 97 %");
      assertThat(screen.find("[data-panel=error_share] .u-over")).isVisible();
      assertThat(screen.find("[data-signal=ttft_p95] .figure")).hasText("> 10 s");
      assertThat(screen.find("[data-panel=ttft_p50] .now")).containsText("> 10 s");
      Locator rate = screen.find("[data-signal=request_rate]");
      assertThat(rate.locator(".goal-text")).containsText("stand-in");
      assertThat(rate.locator(".spark .trend")).hasAttribute("stroke-dasharray", "3 2");
      Locator running = screen.find("[data-panel=running]");
      assertThat(running.locator(".now").first()).not().containsText("Running");
      screen.photograph("rough");
      screen.assertCalm();
    }
  }

  @Test
  void overview_namesStandInsAndBounds(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "/", ".services tbody tr:has(.spark .trend[d^=M])")) {
      Locator row = screen.find(".services tbody tr").first();
      assertThat(row.locator("[data-column=rate] .tag")).hasText("stand-in");
      assertThat(row.locator("[data-column=rate]").getAttribute("title"))
          .contains("Counted where the router stands.");
      assertThat(row.locator("[data-column=ttft] .figure")).hasText("> 10 s");
      assertThat(row.locator("[data-column=errors] .figure")).hasText("91 to 97 %");
      screen.assertCalm();
    }
  }

  @Test
  void csvAndTable_haveTheBounds(Site site, Chromium chromium) {
    try (Screen screen =
        open(site, chromium, path(site) + "?open=error_share", ".details .at-cursor tbody tr")) {
      Locator details = screen.find("[data-panel=error_share] .details");
      assertThat(details.locator(".at-cursor tbody tr").first())
          .containsText("between 91 % and 97 %");
      assertThat(details.locator("table.values").last()).containsText("91 to 97 %");
      screen.assertCalm();
    }
  }
}
