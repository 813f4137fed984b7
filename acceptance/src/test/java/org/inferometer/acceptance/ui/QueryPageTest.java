package org.inferometer.acceptance.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.BoundingBox;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The query page: offers, marks, several queries, heat maps, and the explain view. */
@ExtendWith(SiteExtension.class)
class QueryPageTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RUNNING = "vllm:num_requests_running";
  private static final String BUCKETS =
      "sum by (le) (rate(vllm:time_to_first_token_seconds_bucket[1m]))";

  private static Screen open(Site site, Chromium chromium, String search) {
    return chromium
        .screen(Theme.LIGHT, 1280)
        .open(site.server().url("/query" + search), "textarea");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void answer(Route route, int status, String json) {
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(status)
            .setContentType("application/json")
            .setBody(json));
  }

  private static void notThere(Route route) {
    answer(route, 404, "{\"status\":\"error\",\"errorType\":\"not_found\",\"error\":\"none\"}");
  }

  /** Whether a query is right, for servers of any age: it is wrong if it has the word in it. */
  private static void refuse(Screen screen, String word, String message) {
    screen
        .page()
        .route(
            "**/api/v1/parse_query",
            route -> {
              boolean wrong = route.request().postData().contains(word);
              String error =
                  JSON.createObjectNode()
                      .put("status", "error")
                      .put("errorType", "bad_data")
                      .put("error", message)
                      .toString();
              answer(
                  route, wrong ? 400 : 200, wrong ? error : "{\"status\":\"success\",\"data\":{}}");
            });
  }

  private static Locator input(Screen screen) {
    return screen.find("textarea").first();
  }

  @Test
  void offers_sayWhatTheyAreAndLeaveEnterAlone(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "")) {
      input(screen).pressSequentially("hist");
      Locator first = screen.find(".offers [role=option]").first();
      assertThat(first).containsText("histogram_quantile");
      assertThat(screen.find(".offer-help")).containsText("estimated within a bucket");
      assertThat(screen.find(".offer-help code"))
          .hasText("histogram_quantile(q: scalar, v: instant vector): instant vector");
      assertThat(input(screen)).hasAttribute("aria-expanded", "true");
      assertThat(screen.find(".offers [aria-selected=true]")).hasCount(0);
      screen.photograph("query-offers");

      screen.press("Enter");
      assertThat(input(screen)).hasValue("hist");
      assertThat(screen.page()).hasURL(Pattern.compile("q=hist$"));
      assertThat(screen.find(".offer-popup")).isHidden();
      screen.assertCalm();
    }
  }

  @Test
  void offers_areChosenWithTheArrows(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "")) {
      input(screen).pressSequentially("sum(rat");
      assertThat(screen.find(".offers [role=option]").first()).containsText("rate");
      screen.press("ArrowDown");
      Locator chosen = screen.find(".offers [aria-selected=true]");
      assertThat(chosen).containsText("rate");
      assertThat(input(screen)).hasAttribute("aria-activedescendant", chosen.getAttribute("id"));
      screen.press("Enter");
      assertThat(input(screen)).hasValue("sum(rate()");
      assertThat(screen.find(".offer-popup")).isHidden();
      assertThat(screen.place()).isEqualTo("/query");

      screen.press("Control+Space");
      assertThat(screen.find(".offers [role=option]").first()).isVisible();
      screen.press("Escape");
      assertThat(screen.find(".offer-popup")).isHidden();
      assertThat(input(screen)).isFocused();

      screen.press("Control+z");
      assertThat(input(screen)).hasValue("sum(rat");
      screen.assertCalm();
    }
  }

  @Test
  void offers_areOfTheSelectorThatIsTyped(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "")) {
      input(screen).pressSequentially("sum(");
      screen.press("Shift+Enter");
      input(screen).pressSequentially(RUNNING + "{");
      Locator options = screen.find(".offers [role=option] .offer-name");
      assertThat(options.first()).isVisible();
      List<String> labels = options.allTextContents();
      assertThat(labels).contains("instance", "model_name").doesNotContain("gpu", "__name__");

      input(screen).pressSequentially("mod");
      assertThat(options).hasText(new String[] {"model_name"});
      screen.press("Tab");
      assertThat(input(screen)).hasValue("sum(\n" + RUNNING + "{model_name=\"\"");
      assertThat(options).hasCount(1);
      String model = options.first().textContent();
      screen.press("Tab");
      assertThat(input(screen)).hasValue("sum(\n" + RUNNING + "{model_name=\"" + model + "\"");
      input(screen).pressSequentially("}) b");
      assertThat(options.first()).hasText("by");
      screen.press("Tab");
      assertThat(options.first()).isVisible();
      input(screen).pressSequentially("inst");
      assertThat(options).hasText(new String[] {"instance"});
      screen.press("Tab", "Enter");
      assertThat(screen.find(".results tbody tr")).hasCount(1);
      screen.assertCalm();
    }
  }

  @Test
  void metrics_haveTheHelpOfTheirTarget(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "")) {
      input(screen).pressSequentially("time_to_first_token_seconds_b");
      assertThat(screen.find(".offers .offer-detail").first()).hasText("histogram");
      assertThat(screen.find(".offer-help p")).not().isEmpty();
    }
  }

  @Test
  void typing_underlinesWhatIsWrongAndNothingMoves(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "?q=up")) {
      refuse(screen, "bar", "1:9: parse error: unexpected identifier \"bar\"");
      double before = screen.find(".tab-line").boundingBox().y;
      input(screen).fill("up + up bar");
      screen.press("Escape");
      assertThat(screen.find(".query-message"))
          .hasText("Line 1, column 9: unexpected identifier \"bar\"");
      assertThat(screen.find(".tab-line").boundingBox().y).isEqualTo(before);
      assertThat(screen.find(".under mark[data-level=error]")).hasText("bar");
      assertThat(input(screen)).hasAttribute("aria-invalid", "true");
      String id = screen.find(".query-message").getAttribute("id");
      assertThat(input(screen).getAttribute("aria-describedby")).contains(id);
      screen.photograph("query-typing");
      input(screen).fill("up");
      assertThat(screen.find(".query-message")).isEmpty();
      assertThat(screen.find(".under mark")).hasCount(0);
      screen.assertCalm();
    }
  }

  @Test
  void notes_areUnderlinedAtTheirPlace(Site site, Chromium chromium) {
    String query = "histogram_quantile(2, " + BUCKETS + ") or rate(" + RUNNING + "[1m])";
    try (Screen screen = open(site, chromium, "?q=" + encoded(query))) {
      assertThat(screen.find(".under mark[data-level=warning]")).hasText("2");
      assertThat(screen.find(".under mark[data-level=info]")).hasText(RUNNING);
      assertThat(screen.find(".query-notes .warning")).containsText("(line 1, column 20)");
      screen.photograph("query-notes");
      input(screen).press("End");
      input(screen).pressSequentially(" ");
      assertThat(screen.find(".under mark")).hasCount(0);
      screen.assertCalm();
    }
  }

  @Test
  void editor_coloursExactlyWhatIsTyped(Site site, Chromium chromium) {
    String query = "sum by (job) (\n  rate(a{b=~\"c|\\\"d\", e!=`<i>`}[5m]) # why\n) + 1e3";
    try (Screen screen = open(site, chromium, "?q=" + encoded(query))) {
      assertThat(screen.find(".under").textContent()).isEqualTo(query + "\n");
      assertThat(screen.find(".under [data-kind=function]")).hasText("rate");
      assertThat(screen.find(".under [data-kind=label]").first()).hasText("job");
      assertThat(screen.find(".under [data-kind=comment]")).hasText("# why");
      Object sameHeight =
          screen
              .page()
              .evaluate(
                  """
                  () => {
                    const [under, input] = [...document.querySelectorAll('.editor-field > *')];
                    return input.scrollHeight <= under.offsetHeight && input.clientWidth === under.clientWidth;
                  }""");
      assertThat(sameHeight).isEqualTo(true);
    }
  }

  @Test
  void format_laysOutAndCanBeUndone(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "")) {
      screen
          .page()
          .route(
              "**/api/v1/format_query",
              route -> answer(route, 200, "{\"status\":\"success\",\"data\":\"sum(\\n  up\\n)\"}"));
      input(screen).fill("sum ( up )");
      screen.find("button:text-is('Format')").click();
      assertThat(input(screen)).hasValue("sum(\n  up\n)");
      screen.press("Control+z");
      assertThat(input(screen)).hasValue("sum ( up )");
    }
  }

  @Test
  void tabs_showWhatWasTyped(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "?q=up")) {
      assertThat(screen.find(".results tbody tr").first()).isVisible();
      input(screen).fill("vector(7)");
      screen.find("[data-view=table]").focus();
      screen.press("ArrowRight", "Enter");
      assertThat(screen.find(".graph .u-over")).isVisible();
      assertThat(screen.page()).hasURL(Pattern.compile("q=vector%287%29&view=graph$"));
      screen.find(".plot.graph").focus();
      screen.press("ArrowLeft");
      assertThat(screen.page()).hasURL(Pattern.compile("&cursor=\\d+"));
      assertThat(screen.find(".legend td.number")).hasText("7");
      screen.page().goBack();
      assertThat(input(screen)).hasValue("up");
      assertThat(screen.find(".results thead")).isVisible();
      screen.assertCalm();
    }
  }

  @Test
  void severalQueries_areInTheUrlAndAskedTogether(Site site, Chromium chromium) {
    List<String> batches = new ArrayList<>();
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen
          .page()
          .route(
              "**/api/v1/query_batch",
              route -> {
                batches.add(route.request().postData());
                answer(route, 200, batchAnswer(route.request().postData()));
              });
      screen.open(site.server().url("/query?q=up&q=vector(2)&q=sum("), ".query-panel");
      Locator panels = screen.find(".query-panel");
      assertThat(panels).hasCount(3);
      assertThat(panels.nth(0).locator("td.number")).hasText("10");
      assertThat(panels.nth(1).locator("td.number")).hasText("11");
      assertThat(panels.nth(2).locator(".query-message")).hasText("Line 1, column 5: not done");
      assertThat(panels.nth(2).locator(".under mark")).hasCount(1);
      assertThat(batches.getFirst()).contains("\"query\":\"up\"", "\"query\":\"sum(\"", "\"time\"");

      panels.nth(1).locator("[data-view=graph]").click();
      assertThat(screen.page()).hasURL(Pattern.compile("q=up&q=vector%282%29&view=graph&q=sum%28"));
      panels.nth(0).locator("textarea").fill("not run yet");
      panels.nth(2).locator(".query-remove").click();
      assertThat(panels).hasCount(2);
      assertThat(panels.nth(0).locator("textarea")).hasValue("not run yet");
      screen.find(".query-add").click();
      assertThat(panels).hasCount(3);
      assertThat(panels.nth(2).locator("textarea")).isFocused();
      screen.page().goBack();
      screen.page().goBack();
      assertThat(panels).hasCount(3);
      assertThat(panels.nth(2).locator("textarea")).hasValue("sum(");
      screen.page().goBack();
      assertThat(panels.nth(1).locator("[data-view=table]")).hasAttribute("aria-selected", "true");
      screen.assertCalm();
    }
  }

  /** Answers the queries of a batch with 10, 11 and so on; what isn't closed with an error. */
  private static String batchAnswer(String request) {
    try {
      JsonNode asked = JSON.readTree(request);
      var body = JSON.createObjectNode().put("status", "success");
      var results = body.putObject("data").putArray("results");
      for (JsonNode query : asked.get("queries")) {
        var result = results.addObject().put("id", query.get("id").asText());
        if (query.get("query").asText().equals("sum(")) {
          result.put("status", "error").put("errorType", "bad_data");
          result.put("error", "invalid parameter \"query\": 1:5: parse error: not done");
        } else {
          result.put("status", "success");
          var data = result.putObject("data").put("resultType", "vector");
          var element = data.putArray("result").addObject();
          element.putObject("metric");
          element.putArray("value").add(1).add("1" + query.get("id").asText());
        }
      }
      return body.toString();
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new AssertionError("the page sent no JSON: " + request, e);
    }
  }

  @Test
  void withoutBatches_eachQueryIsAskedAlone(Site site, Chromium chromium) {
    List<String> batches = new ArrayList<>();
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen
          .page()
          .route(
              "**/api/v1/query_batch",
              route -> {
                batches.add(route.request().url());
                notThere(route);
              });
      screen.open(site.server().url("/query?q=1%2B1&q=2%2B2"), ".query-panel");
      assertThat(screen.find(".results td.number")).hasText(new String[] {"2", "4"});
      // What was asked before the first answer was there may have been asked twice.
      List<String> before = List.copyOf(batches);
      assertThat(before).isNotEmpty();
      screen.find(".query-panel [data-view=graph]").first().click();
      assertThat(screen.find(".graph .u-over")).isVisible();
      screen.find(".query-panel [data-view=graph]").nth(1).click();
      assertThat(screen.find(".graph .u-over")).hasCount(2);
      assertThat(batches).isEqualTo(before);
      screen.assertCalm();
    }
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1280", "DARK, 1280", "LIGHT, 320", "DARK, 320"})
  void heatMap_ofClassicBuckets(Theme theme, int width, Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(theme, width)) {
      screen.open(
          site.server().url("/query?view=heat&range=2m&q=" + encoded(BUCKETS)), ".heat-canvas");
      screen.page().waitForFunction(DRAWN, null);
      assertThat(screen.find(".heat-scale")).containsText("in a bucket");
      Locator box = screen.find(".heat-box");
      assertThat(box).hasAttribute("aria-label", Pattern.compile("^Heat map from .* at most "));
      box.focus();
      screen.press("ArrowLeft");
      assertThat(screen.find(".heat-tip")).containsText(Pattern.compile("\\(.* s, .* (s|min)\\]"));
      String fullest = screen.find(".heat-tip").textContent();
      screen.press("ArrowUp");
      assertThat(screen.find(".heat-tip")).not().hasText(fullest);
      assertThat(screen.page().evaluate("document.documentElement.scrollWidth <= innerWidth"))
          .isEqualTo(true);
      screen.photograph("query-heat");
      screen.assertCalm();
    }
  }

  /** The canvas has more colours than those of its axes. */
  static final String DRAWN =
      """
      () => {
        const canvas = document.querySelector('.heat-canvas');
        if (!canvas || canvas.width === 0) return false;
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const colours = new Set();
        for (let i = 0; i < data.length; i += 16) {
          if (data[i + 3] === 255 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 24) {
            colours.add(data[i] + ',' + data[i + 1] + ',' + data[i + 2]);
          }
        }
        return colours.size >= 2;
      }""";

  @Test
  void heatMap_zoomsByDragging(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "?view=heat&range=1h&q=" + encoded(BUCKETS))) {
      screen.page().waitForFunction(DRAWN, null);
      BoundingBox box = screen.find(".heat-box").boundingBox();
      double y = box.y + box.height / 2;
      screen.page().mouse().move(box.x + box.width * 0.5, y);
      screen.page().mouse().down();
      screen.page().mouse().move(box.x + box.width * 0.7, y);
      assertThat(screen.find(".heat-selection")).isVisible();
      screen.page().mouse().move(box.x + box.width * 0.9, y);
      screen.page().mouse().up();
      assertThat(screen.page()).hasURL(Pattern.compile("range=\\d+s.*&to=\\d+"));
      screen.assertCalm();
    }
  }

  @Test
  void heatMap_isRefusedWithAReasonWhereThereIsNoHistogram(Site site, Chromium chromium) {
    try (Screen screen = open(site, chromium, "?q=up&view=heat")) {
      assertThat(screen.find(".nothing")).containsText("There is no histogram in this answer.");
      screen.find("[data-view=table]").click();
      assertThat(screen.find(".results tbody tr").first()).isVisible();
      assertThat(screen.find("[data-view=heat]")).isDisabled();
    }
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1280", "DARK, 320"})
  void nativeHistograms_areShownWithTheirBuckets(
      Theme theme, int width, Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(theme, width)) {
      screen.page().route("**/api/v1/query", QueryPageTest::nativeMoment);
      screen.page().route("**/api/v1/query_range", QueryPageTest::nativeRange);
      screen.open(site.server().url("/query?q=ttft"), ".histogram");
      assertThat(screen.find(".histogram-line")).containsText("count 7");
      assertThat(screen.find(".histogram-line")).containsText("mean 0.5");
      assertThat(screen.find(".histogram-bars rect")).hasCount(3);
      screen.find(".histogram summary").click();
      assertThat(screen.find(".buckets td").first()).hasText("[-0.001, 0.001]");
      screen.photograph("query-native");

      screen.find("[data-view=heat]").click();
      screen.page().waitForFunction(DRAWN, null);
      assertThat(screen.find(".heat-line")).containsText("one of 2 histograms");
      screen.find(".heat-line select").selectOption("ttft{replica=\"b\"}");
      assertThat(screen.page()).hasURL(Pattern.compile("group=ttft%7Breplica%3D%22b%22%7D"));
      screen.find(".heat-box").focus();
      screen.press("ArrowLeft");
      screen.press("ArrowDown", "ArrowDown");
      assertThat(screen.find(".heat-tip")).containsText("[-0.001, 0.001]");
      screen.photograph("query-native-heat");

      screen.find("[data-view=graph]").click();
      assertThat(screen.find(".graph .u-over")).isVisible();
      assertThat(screen.find(".result")).containsText("Of histograms the count is drawn");
      screen.assertCalm();
    }
  }

  private static final String HISTOGRAM =
      """
      {"count":"7","sum":"3.5","buckets":[[3,"-0.001","0.001","1"],[0,"0.25","0.5","4"],[0,"0.5","1","2"]]}""";

  private static void nativeMoment(Route route) {
    answer(
        route,
        200,
        """
        {"status":"success","data":{"resultType":"vector","result":[
        {"metric":{"__name__":"ttft","replica":"a"},"histogram":[1,%s]}]}}"""
            .formatted(HISTOGRAM));
  }

  private static void nativeRange(Route route) {
    String start = route.request().postData().replaceFirst(".*start=(\\d+).*", "$1");
    String series =
        """
        {"metric":{"__name__":"ttft","replica":"%s"},"histograms":[%s]}""";
    List<String> histograms = new ArrayList<>();
    for (int i = 0; i <= 180; i++) {
      long time = Long.parseLong(start) + 5L * i;
      histograms.add("[" + time + "," + HISTOGRAM.replace("\"4\"", "\"" + (i % 9) + "\"") + "]");
    }
    String all = String.join(",", histograms);
    answer(
        route,
        200,
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
            + series.formatted("a", all)
            + ","
            + series.formatted("b", all)
            + "]}}");
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1280", "DARK, 320"})
  void explain_showsPartsWithTheirShare(Theme theme, int width, Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(theme, width)) {
      screen.page().route("**/api/v1/query_explain", QueryPageTest::explained);
      screen.page().route("**/api/v1/query", QueryPageTest::explained);
      screen.open(site.server().url("/query?explain=1&q=%22%C3%A9%22%20%2B%20sum(up)"), "textarea");
      Locator rows = screen.find(".explain-rows tbody tr");
      assertThat(rows).hasCount(3);
      assertThat(screen.find(".explain-sentence"))
          .hasText("1 selector read 3 samples of 3 series; the whole took 4 ms.");
      assertThat(rows.nth(1).locator(".explain-time")).hasText("2 ms");
      assertThat(rows.nth(2)).containsText("selector");
      assertThat(screen.find(".results td.number")).hasText("3");

      rows.first().focus();
      screen.press("ArrowDown", "ArrowDown");
      assertThat(screen.find(".under [data-stretch]")).hasText("up");
      rows.nth(1).hover();
      assertThat(screen.find(".under [data-stretch]"))
          .hasText(new String[] {"sum", "(", "up", ")"});
      assertThat(screen.page().evaluate("document.documentElement.scrollWidth <= innerWidth"))
          .isEqualTo(true);
      screen.photograph("query-explain");
      screen.find(".toggle-explain").click();
      assertThat(screen.find(".explain")).isHidden();
      assertThat(screen.page()).not().hasURL(Pattern.compile("explain"));
      screen.assertCalm();
    }
  }

  /** Offsets are in bytes: the text begins with a letter of two. */
  private static void explained(Route route) {
    answer(
        route,
        200,
        """
        {"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"3"]}],"explain":
        {"expr":"\\"é\\" + sum(up)","start":0,"end":14,"kind":"binary","series":1,"samples":3,"points":1,"seconds":0.004,"reused":false,"children":[
        {"expr":"sum(up)","start":7,"end":14,"kind":"aggregation","series":1,"samples":3,"points":1,"seconds":0.003,"reused":false,"children":[
        {"expr":"up","start":11,"end":13,"kind":"selector","series":3,"samples":3,"points":3,"seconds":0.001,"reused":false,"children":[]}]}]}}}""");
  }

  @Test
  void explain_agreesWithTheServer(Site site, Chromium chromium) throws Exception {
    int targets = site.server().get("/api/v1/targets").get("activeTargets").size();
    try (Screen screen = open(site, chromium, "?explain=1&q=" + encoded("sum(up) / sum(up)"))) {
      Locator rows = screen.find(".explain-rows tbody tr");
      assertThat(rows).hasCount(4);
      assertThat(rows.nth(2).locator("code")).hasText("up");
      assertThat(rows.nth(2).locator(".explain-series")).hasText(Integer.toString(targets));
      assertThat(rows.nth(3)).containsText("aggregation, reused");
      rows.nth(3).focus();
      assertThat(screen.find(".under [data-stretch]").first()).hasText("sum");
      screen.find("[data-view=graph]").click();
      assertThat(screen.find(".graph .u-over")).isVisible();
      assertThat(rows).hasCount(4);
      screen.assertCalm();
    }
  }

  @Test
  void severalQueries_areAnsweredByTheServerInOneRequest(Site site, Chromium chromium) {
    List<String> asked = new ArrayList<>();
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen
          .page()
          .onRequest(
              request -> {
                if (request.url().matches(".*/api/v1/query(_batch|_range)?")) {
                  asked.add(request.url());
                }
              });
      screen.open(site.server().url("/query?q=1%2B1&q=sum(&q=2%2B2"), ".query-panel");
      assertThat(screen.find(".results td.number")).hasText(new String[] {"2", "4"});
      assertThat(screen.find(".query-message[data-level=error]"))
          .hasText("Line 1, column 5: unclosed left parenthesis");
      assertThat(asked).isNotEmpty().allMatch(url -> url.endsWith("/query_batch"));
      screen.assertCalm();
    }
  }

  @Test
  void explain_ofAServerThatCannotIsSaid(Site site, Chromium chromium) {
    try (Screen screen = chromium.screen(Theme.LIGHT, 1280)) {
      screen.page().route("**/api/v1/query_explain", QueryPageTest::notThere);
      screen.open(site.server().url("/query?explain=1&q=1%2B1"), "textarea");
      assertThat(screen.find(".explain")).containsText("can't explain queries");
      assertThat(screen.find(".results td.number")).hasText("2");
      screen.assertCalm();
    }
  }
}
