package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of GPUs, on an exporter's real page and on as many GPUs as a large site has. */
@ExtendWith(SiteExtension.class)
class GpuPageTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An answer of the API with so many GPUs, the last of which fell off the bus. */
  private static String answer(int count) {
    ObjectNode data = JSON.createObjectNode().put("time", 1.8e9).put("left_out", 0);
    ArrayNode gpus = data.putArray("gpus");
    for (int i = 0; i < count; i++) {
      boolean fallen = i == count - 1;
      boolean hot = i % 50 == 7;
      ObjectNode gpu = gpus.addObject();
      gpu.put("service", "dcgm/node-" + i / 8 + ":9400").put("host", "node-" + i / 8);
      gpu.put("gpu", Integer.toString(i % 8)).put("uuid", "GPU-" + i);
      gpu.put("model", "NVIDIA H100 80GB HBM3").putNull("instance").putNull("pod");
      ObjectNode utilisation = gpu.putObject("utilisation").put("gpu_util", 0.97);
      utilisation.put("gpu_sm_active", 0.4).put("gpu_tensor_active", 0.1);
      utilisation.put("gpu_dram_active", 0.004).putNull("kv_usage");
      ObjectNode state = gpu.putObject("state").put("id", i % 2 == 0 ? "decode" : "idle");
      state.put("name", i % 2 == 0 ? "Decode, bound by memory" : "Idle").put("says", "So it is.");
      state.putArray("inputs").add("gpu_util");
      gpu.put("sm_clock", 1.98e9).put("memory_clock", 2.6e9).put("temperature", 60);
      gpu.put("power", 312).put("power_limit", 700).put("memory_used", 1L << 36);
      gpu.put("memory_total", 80L << 30);
      ArrayNode reasons = gpu.putArray("reasons");
      reasons.addObject().put("name", "power cap").put("says", "Normal.").put("matters", false);
      if (hot) {
        reasons
            .addObject()
            .put("name", "hardware thermal")
            .put("says", "Hot.")
            .put("matters", true);
      }
      if (fallen) {
        ObjectNode xid = gpu.putObject("xid").put("code", 79).put("says", "Fell off the bus.");
        xid.put("action", "Drain the node.").put("severity", "node").put("since", 1.79e9);
      }
    }
    ObjectNode event = data.putArray("events").addObject().put("time", 1.79e9);
    event.put("service", "dcgm/node-0:9400").put("gpu", "0").put("uuid", "GPU-0");
    event.put("kind", "xid").put("says", "XID 79").put("action", "Drain the node.");
    return JSON.createObjectNode().put("status", "success").set("data", data).toString();
  }

  private static Screen open(Site site, Chromium chromium, Theme theme, int width, int count) {
    Screen screen = chromium.screen(theme, width);
    screen
        .page()
        .route(
            "**/api/v1/gpus",
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(answer(count))));
    return screen.open(site.server().url("/gpus"), ".gpus tbody tr");
  }

  @ParameterizedTest
  @CsvSource({
    "LIGHT, 1280, 2",
    "DARK, 1280, 500",
    "LIGHT, 400, 500",
    "DARK, 400, 2",
  })
  void gpus_areRowsWorstFirst(Theme theme, int width, int count, Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, theme, width, count)) {
      assertThat(screen.find(".gpus tbody tr")).hasCount(count);
      Locator worst = screen.find(".gpus tbody tr").first();
      assertThat(worst).containsText("node-" + (count - 1) / 8 + " GPU " + (count - 1) % 8);
      assertThat(worst.locator(".mark")).hasAttribute("data-state", "critical");
      assertThat(worst.locator("[data-matters]").first()).containsText("XID 79");
      assertThat(worst.locator(".util").first()).containsText("97");
      assertThat(worst.locator(".util[data-signal=gpu_dram_active]")).containsText("<1");
      assertThat(worst.locator(".util[data-signal=kv_usage] .bar")).hasAttribute("data-empty", "");
      assertThat(screen.find(".sentence")).containsText("Fell off the bus");
      assertThat(screen.find(".events tbody tr")).hasCount(1);
      screen.assertFits();
      screen.assertAccessible();
      screen.photograph("gpus-" + count);
      screen.assertCalm();
    }
  }

  @Test
  void states_areCountedAndNarrowTheRows(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, Theme.LIGHT, 1280, 40)) {
      screen.find(".toggle-state").filter(new Locator.FilterOptions().setHasText("Idle")).click();
      assertThat(screen.find(".gpus tbody tr")).hasCount(20);
      assertThat(screen.place()).contains("filter=Idle");
      screen.press("Escape");
      assertThat(screen.find(".gpus tbody tr")).hasCount(40);
      screen.assertCalm();
    }
  }

  @Test
  void row_opensToTheCurvesOfThatGpu(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.DARK, 1280)) {
      screen.open(site.server().url("/gpus"), ".gpus tbody tr");
      screen.press("j", "Enter");
      assertThat(screen.find(".gpus .details-row .panel .u-over").first()).isVisible();
      assertThat(screen.find(".gpus .facts")).containsText("What it does");
      assertThat(screen.place()).contains("open=gpu");
      String url = screen.page().url();
      screen.open(url, ".gpus .details-row .panel .u-over");
      screen.photograph("gpu-open");
      screen.press("Escape");
      screen.assertCalm();
    }
  }

  @Test
  void serverWithoutTheRoute_isSaid(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 400)) {
      screen.page().route("**/api/v1/gpus", route -> route.fulfill(none()));
      screen.open(site.server().url("/gpus"), ".gpus-page .sentence:not(:empty)");
      assertThat(screen.find(".sentence")).hasText("This server has no list of GPUs.");
    }
  }

  private static Route.FulfillOptions none() {
    return new Route.FulfillOptions()
        .setStatus(404)
        .setContentType("application/json")
        .setBody("{\"status\":\"error\",\"errorType\":\"not_found\",\"error\":\"no such route\"}");
  }
}
