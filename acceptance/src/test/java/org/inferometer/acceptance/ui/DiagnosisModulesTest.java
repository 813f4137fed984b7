package org.inferometer.acceptance.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The modules of the diagnosis that only compute. */
@ExtendWith(SiteExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class DiagnosisModulesTest {
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
    "1, almost certain",
    "0.9, almost certain",
    "0.899, likely",
    "0.75, likely",
    "0.6, more likely than not",
    "0.59, a guess"
  })
  void sureness_hasWords(double confidence, String words) {
    assertThat(screen.call("verdicts.js", "sureness", confidence)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "sum(rate(a_total[5m])) == 0 | query | sum(rate(a_total[5m])) == 0 | ''",
        "(rate(x{a=\"b\"}[60s])) > 0) falls to 0 | query | (rate(x{a=\"b\"}[60s])) > 0) | falls to 0",
        "up{job=\"a\"} stays below 95 % | query | up{job=\"a\"} | stays below 95 %",
        "job:up < 1 | query | job:up < 1 | ''",
        "inferometer diagnose http://host:8000 | command | inferometer diagnose http://host:8000 | ''",
        "nvidia-smi -q -d PERFORMANCE | command | nvidia-smi -q -d PERFORMANCE | ''",
        "pidstat -u -w 1 5; sar -u 1 5 | command | pidstat -u -w 1 5; sar -u 1 5 | ''",
        "The queue is empty (after two minutes). | words | '' | The queue is empty (after two minutes).",
        "Its P95 falls below 2 s | words | '' | Its P95 falls below 2 s"
      })
  void confirmation_isAQueryACommandOrWords(String text, String kind, String code, String should) {
    Map<?, ?> parts = (Map<?, ?>) screen.call("verdicts.js", "confirmation", text);
    assertThat(List.of(parts.get("kind"), parts.get("code"), parts.get("should")))
        .isEqualTo(List.of(kind, code, should));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Set --max-num-seqs=256 to 128. | --max-num-seqs=256",
        "Set `nvidia-smi -pl 700`, then wait. | nvidia-smi -pl 700",
        "Add --enable-prefix-caching. | --enable-prefix-caching",
        "Set --max-num-batched-tokens 2048 (the default). | --max-num-batched-tokens 2048",
        "a--b stays | "
      })
  void flagsAndCommands_areWhatIsTyped(String text, @Nullable String typed) {
    List<?> pieces = (List<?>) screen.call("verdicts.js", "pieces", text);
    List<Object> code =
        pieces.stream()
            .map(piece -> (Map<?, ?>) piece)
            .filter(piece -> Boolean.TRUE.equals(piece.get("isCode")))
            .map(piece -> (Object) piece.get("text"))
            .toList();
    assertThat(code).isEqualTo(typed == null ? List.of() : List.of(typed));
  }

  @Test
  void verdicts_standAfterWhatTheyFollowFrom() {
    Object placed =
        screen.call(
            "verdicts.js",
            "inOrder",
            List.of(
                verdict("power-throttle", null),
                verdict("gateway-buffering", null),
                verdict("capacity", "decode-saturated"),
                verdict("decode-saturated", "power-throttle"),
                verdict("lost", "not-found")));
    assertThat(causes(placed))
        .containsExactly(
            "power-throttle 0",
            "decode-saturated 1",
            "capacity 2",
            "gateway-buffering 0",
            "lost 0");
  }

  @Test
  void verdicts_thatFollowFromOneAnotherAreAllShown() {
    Object placed =
        screen.call("verdicts.js", "inOrder", List.of(verdict("a", "b"), verdict("b", "a")));
    assertThat(causes(placed)).containsExactly("a 0", "b 1");
  }

  private static List<String> causes(Object placed) {
    return ((List<?>) placed)
        .stream()
            .map(one -> (Map<?, ?>) one)
            .map(one -> ((Map<?, ?>) one.get("verdict")).get("cause") + " " + one.get("depth"))
            .toList();
  }

  private static Map<String, Object> verdict(String cause, @Nullable String follows) {
    Map<String, Object> verdict = new HashMap<>();
    verdict.put("cause", cause);
    verdict.put("follows", follows);
    return verdict;
  }

  @ParameterizedTest
  @CsvSource({
    "ok, critical, critical, found",
    "critical, degraded, critical, found",
    "down, critical, down, own",
    "degraded, healthy, degraded, own",
    "ok, healthy, ok, found",
    "ok, no-traffic, idle, found",
    "ok, cannot-tell, unknown, found",
    "critical, cannot-tell, critical, own"
  })
  void service_hasTheWorseOfBothStates(String own, String found, String state, String sentence) {
    Map<?, ?> fare =
        (Map<?, ?>)
            screen.call(
                "findings.js",
                "fare",
                Map.of("state", own, "sentence", "own"),
                Map.of("state", found, "sentence", "found", "findings", List.of()));
    assertThat(fare.get("state")).isEqualTo(state);
    assertThat(fare.get("sentence")).isEqualTo(sentence);
  }

  @ParameterizedTest
  @CsvSource({
    "/diagnosis, diagnosis, '', 300, /diagnosis",
    "/diagnosis/vllm/a?window=10m, diagnosis, vllm/a, 600, /diagnosis/vllm/a?window=10m",
    "/diagnosis/a%2F..%2Fb, diagnosis, a/../b, 300, /diagnosis/a%2F..%2Fb",
    "/incidents?to=5, incidents, '', 300, /incidents?to=5"
  })
  void place_ofADiagnosisIsAUrl(String url, String page, String id, int judged, String back) {
    Object place =
        screen
            .page()
            .evaluate(
                """
                async (url) => {
                  const {parse, format} = await import('/ui/state.js');
                  const {pathname, search} = new URL(url, location.origin);
                  const place = parse(pathname, search);
                  return [place.page, place.id, place.judged, format(place)];
                }""",
                url);
    assertThat((List<?>) place).isEqualTo(Arrays.asList(page, id, judged, back));
  }
}
