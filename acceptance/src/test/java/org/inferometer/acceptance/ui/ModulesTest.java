package org.inferometer.acceptance.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The modules of the pages that only compute, called in the browser as the pages call them. */
@ExtendWith(SiteExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class ModulesTest {
  private Screen screen;

  @BeforeAll
  void open(Site site, Chromium chromium) {
    screen = chromium.screen(Theme.LIGHT, 800);
    screen.open(site.server().url("/query"), ".editor");
  }

  @AfterAll
  void close() {
    screen.close();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0034728, seconds, 3.47 ms",
    "0.00002, seconds, 20.0 µs",
    "0.9996, seconds, 1.00 s",
    "6.1, seconds, 6.10 s",
    "119.4, seconds, 119 s",
    "150, seconds, 2.50 min",
    "0, seconds, 0 s",
    "999.96, tokens/s, 1.00 k tok/s",
    "1234567, tokens/s, 1.23 M tok/s",
    "12.3456, requests/s, 12.3 req/s",
    "3, requests, 3 req",
    "0.9551, ratio, 95.5 %",
    "0.9996, ratio, 99.96 %",
    "0.99996, ratio, >99.99 %",
    "1, ratio, 100 %",
    "0.004, ratio, 0.40 %",
    "0.000000001, ratio, <0.001 %",
    "85000000000, bytes, 79.2 GiB",
    "1024, bytes, 1 KiB",
    "412.4, watts, 412 W",
    "1410000000, hertz, 1.41 GHz",
    "61, celsius, 61 °C",
    "-0.25, celsius, -0.250 °C",
    "1500, count, 1.50 k",
    "42, furlongs, 42 furlongs",
  })
  void format_roundsToWhatCanBeRead(double value, String unit, String shown) {
    assertThat(screen.call("format.js", "format", value, unit)).isEqualTo(shown);
  }

  @Test
  void format_ofNothingIsADash() {
    Object shown =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {format} = await import('/ui/format.js');
                  return [null, undefined, NaN, Infinity].map((value) => format(value, 'seconds'));
                }""");
    assertThat(shown).isEqualTo(List.of("–", "–", "–", "–"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "10, 10, null, > 10 s",
        "0.04, 0, 0.1, < 100 ms",
        "0.04, null, 0.1, < 100 ms",
        "3.1416, 2.5, 5, 3.1 s",
        "3.1416, 3, 3.2, 3.14 s",
        "null, null, null, –",
        "null, 0.91, 0.97, 910 to 970 ms",
        "null, 0.5, 2, 500 ms to 2 s",
        "3.1416, null, null, 3.14 s",
      })
  void boundedQuantity_saysNoMoreThanIsKnown(Double value, Double low, Double high, String shown) {
    Object found =
        screen
            .page()
            .evaluate(
                """
                async ([value, low, high]) => {
                  const {boundedQuantity} = await import('/ui/format.js');
                  const {text, unit} = boundedQuantity(value, 'seconds', low, high);
                  return `${text} ${unit}`.trim();
                }""",
                Arrays.asList(value, low, high));
    assertThat(found).isEqualTo(shown);
  }

  @Test
  void boundedQuantity_ofASharePrintsBothBounds() {
    Object shown =
        screen
            .page()
            .evaluate(
                """
                async () => (await import('/ui/format.js'))
                  .boundedQuantity(null, 'ratio', 0.91, 0.97)""");
    assertThat(shown).isEqualTo(Map.of("text", "91 to 97", "unit", "%"));
  }

  @Test
  void boundsWords_sayWhereTheTrueValueLies() {
    Object words =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {boundsWords} = await import('/ui/format.js');
                  return [[2.5, 5], [0, 0.1], [10, null], [null, null]]
                    .map(([low, high]) => boundsWords('seconds', low, high));
                }""");
    assertThat(words)
        .isEqualTo(List.of("between 2.50 s and 5 s", "below 100 ms", "above 10 s", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "119, 119 s",
    "240, 4 min",
    "7500, 2 h 5 min",
    "7200, 2 h",
    "187200, 2 d 4 h"
  })
  void duration_inWords(double seconds, String words) {
    assertThat(screen.call("format.js", "duration", seconds)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "0.137, seconds, 0.15",
    "0.62, ratio, 1",
    "0.004, ratio, 0.004",
    "0, ratio, 0.01",
    "73000000000, bytes, 103079215104",
    "4200, tokens/s, 6000",
  })
  void axisTop_isARoundNumberInTheUnitShown(double largest, String unit, double top) {
    Number found = (Number) screen.call("ticks.js", "axisTop", largest, unit, 4);
    assertThat(found.doubleValue()).isEqualTo(top);
  }

  @Test
  void valueTicks_neverRunAway() {
    Object counts =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {axisTop, valueTicks} = await import('/ui/ticks.js');
                  let most = 0;
                  for (let power = -12; power < 20; power++) {
                    for (const unit of ['seconds', 'ratio', 'bytes', 'count']) {
                      const top = axisTop(3.7 * 10 ** power, unit);
                      most = Math.max(most, valueTicks(0, top, unit, 4).length);
                    }
                  }
                  return most;
                }""");
    assertThat((Integer) counts).isBetween(2, 8);
  }

  @Test
  void timeTicks_stayFewAndInside() {
    Object found =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {timeTicks} = await import('/ui/ticks.js');
                  return [10, 900, 3600, 86400, 604800, 31536000].every((span) => {
                    const {times} = timeTicks(1700000000, 1700000000 + span, 8);
                    return times.length >= 1 && times.length <= 10 &&
                      times.every((time) => time >= 1700000000 && time <= 1700000000 + span);
                  });
                }""");
    assertThat(found).isEqualTo(true);
  }

  @ParameterizedTest
  @CsvSource({
    "/",
    "/?range=1h",
    "/?range=736s&to=1795973603",
    "/services/vllm/Qwen/Qwen3-32B?to=1795973603&cursor=1795973500.5&by=instance&open=ttft_p50%2Cstages",
    "/services/vllm%2F%2Fmodels%2F..%2Fx",
    "/services/vllm/%3Cimg%20src%3Dx%3E%22'%26%7B%7D",
    "/targets?filter=gpu+node",
    "/query?q=sum%28rate%28a%5B5m%5D%29%29+%2B+1&view=graph&range=6h",
    "/query?q=a&view=heat&explain=1&group=x%7Ba%3D%22b%22%7D&q=&q=c&view=graph&q=d&range=1h",
    "/query?view=graph",
    "/gpus?open=gpu%3Anode-1+3&filter=idle",
    "/targets/http%3A%2F%2F127.0.0.1%3A8000%2Fmetrics",
    "/services/vllm/x?signal=kv_eviction_rate",
  })
  void place_survivesTheUrl(String url) {
    Object again =
        screen
            .page()
            .evaluate(
                """
                async (url) => {
                  const {parse, format} = await import('/ui/state.js');
                  const {pathname, search} = new URL(url, location.origin);
                  return format(parse(pathname, search));
                }""",
                url);
    assertThat(again).isEqualTo(url);
  }

  @ParameterizedTest
  @CsvSource({"range=0s, 900", "range=1e9h, 900", "range=-5m, 900", "range=99999999d, 900"})
  void place_refusesRangesOutOfBounds(String search, int span) {
    Object place = screen.call("state.js", "parse", "/", search);
    assertThat(((Map<?, ?>) place).get("span")).isEqualTo(span);
  }

  @Test
  void window_liesOnWholeSteps() {
    Object window =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {parse, windowOf} = await import('/ui/state.js');
                  return windowOf(parse('/', ''), 1700000003.7);
                }""");
    assertThat(window).isEqualTo(Map.of("start", 1699999100, "end", 1700000000, "step", 5));
  }

  @Test
  void anchoredWindow_beginsWithTheNewestAndMovesByWholeSteps() {
    Object ends =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {parse, anchoredWindow} = await import('/ui/state.js');
                  const place = parse('/', '?range=6h');
                  return [1700000003, 1700000122, 1700000124].map(
                    (now) => anchoredWindow(place, 1700000003, now).end);
                }""");
    assertThat(ends).isEqualTo(List.of(1700000003, 1700000003, 1700000123));
  }

  @Test
  void withNow_endsEveryCurveWithTheMoment() {
    Object values =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {withNow} = await import('/ui/series.js');
                  const one = (x, values) => ({labels: {x}, values});
                  const answer = (times, series) => ({times, results: [{quality: 'exact', series}]});
                  const {times, results} = withNow(
                    answer([10, 20], [one('a', [1, 2]), one('gone', [3, null])]),
                    answer([23], [one('new', [5]), one('a', [4])]));
                  return [times, ...results[0].series.map((series) => series.values)];
                }""");
    assertThat(values)
        .isEqualTo(
            List.of(
                List.of(10, 20, 23),
                List.of(1, 2, 4),
                Arrays.asList(3, null, null),
                Arrays.asList(null, null, 5)));
  }

  @Test
  void commonTitle_setsApartWhatDiffers() {
    assertThat(
            screen.call(
                "names.js",
                "commonTitle",
                List.of("Time to first token, P50", "Time to first token, P95")))
        .isEqualTo(Map.of("title", "Time to first token", "labels", List.of("P50", "P95")));
    assertThat(
            screen.call("names.js", "commonTitle", List.of("Running requests", "Waiting requests")))
        .isEqualTo(Map.of("title", "Requests", "labels", List.of("Running", "Waiting")));
  }

  @Test
  void seriesNames_areTheShortestThatTellApart() {
    assertThat(
            screen.call(
                "names.js",
                "seriesNames",
                List.of(
                    Map.of("gpu", "0", "UUID", "GPU-aa", "job", "x"),
                    Map.of("gpu", "1", "UUID", "GPU-bb", "job", "x"))))
        .isEqualTo(List.of("gpu 0", "gpu 1"));
  }
}
