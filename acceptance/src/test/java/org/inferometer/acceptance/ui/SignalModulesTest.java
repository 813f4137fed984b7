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

/** What the pages work out of signals: what is absent, who is odd, where buckets lie. */
@ExtendWith(SiteExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class SignalModulesTest {
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

  private Object evaluate(String script, Object argument) {
    return screen.page().evaluate(script, argument);
  }

  private Object evaluate(String script) {
    return screen.page().evaluate(script);
  }

  @Test
  void absentGroups_tellEachFixOnceAndWhatCanBeDoneFirst() {
    Object groups =
        evaluate(
            """
            async () => {
              const {absentGroups} = await import('/ui/absence.js');
              const absent = [
                {signal: 'a', why: 'engine', reason: 'it has nothing for it', fix: null},
                {signal: 'b', why: 'release', reason: 'since 2', fix: 'release 2'},
                {signal: 'c', why: 'setting', reason: 'off', fix: '--on'},
                {signal: 'd', why: 'engine', reason: 'it has nothing for it', fix: null},
                {signal: 'e', why: 'setting', reason: 'off too', fix: '--on'}];
              return absentGroups({absent}).map(({fix, signals}) => `${fix} ${signals}`);
            }""");
    assertThat(groups).isEqualTo(List.of("--on c,e", "release 2 b", "null a,d"));
  }

  @ParameterizedTest
  @CsvSource({
    "vLLM has nothing for it, vLLM has nothing for it.",
    "off by default, Off by default.",
    "a:b isn't exposed., a:b isn't exposed.",
    "'', Nothing exposes it here.",
  })
  void asSentence_leavesNamesAsTheyAre(String text, String sentence) {
    assertThat(screen.call("absence.js", "asSentence", text)).isEqualTo(sentence);
  }

  @Test
  void sortedPanels_standInForWhatIsAbsent() {
    Object found =
        evaluate(
            """
            async () => {
              const {sortedPanels, BANDS} = await import('/ui/layout.js');
              const {fed, absent} = sortedPanels(BANDS.request, {signals: ['e2e_mean', 'request_rate']});
              return [fed, absent.map(([first]) => first)];
            }""");
    assertThat(found)
        .isEqualTo(
            List.of(
                List.of(List.of("e2e_mean"), List.of("request_rate")),
                List.of("tpot_p50", "queue_time_p50", "prompt_token_rate", "error_share")));
  }

  @Test
  void bucketColumns_areTakenFromRatesByUpperEdge() {
    Object columns =
        evaluate(
            """
            async () => {
              const {bucketColumns} = await import('/ui/heat-panel.js');
              const series = [
                {labels: {le: '+Inf'}, values: [0, 0.5]},
                {labels: {le: '0.5'}, values: [2, null]},
                {labels: {le: '1'}, values: [1, 1]}];
              const text = (column) => column && column.map(({low, high, count}) => `${low} ${high} ${count}`);
              return bucketColumns(series, 3, 10).map(text);
            }""");
    assertThat(columns)
        .isEqualTo(
            Arrays.asList(
                List.of("0 0.5 20", "0.5 1 10", "1 Infinity 0"),
                List.of("0 0.5 0", "0.5 1 10", "1 Infinity 5"),
                null));
  }

  private static final String ODD =
      """
      async ([key, title, lowIsBad, unit, values]) => {
        const {oddOnes, replicaSentence} = await import('/ui/replicas.js');
        const rows = values.map((value, i) => ({name: 'abcdefgh'[i], value}));
        return replicaSentence(oddOnes(rows, {key, title, lowIsBad}, unit), values.length);
      }""";

  @Test
  void oddOne_isNamedWithHowMuch() {
    assertThat(
            evaluate(
                ODD,
                List.of("latency", "First token", false, "seconds", List.of(2.0, 6.2, 2.1, 1.9))))
        .isEqualTo("b: first token 3.1x the median of its peers (6.20 s against 2 s).");
  }

  @Test
  void oddOne_amongTwoIsTheOneThatIsWorseOff() {
    assertThat(
            evaluate(ODD, List.of("latency", "First token", false, "seconds", List.of(2.0, 6.0))))
        .isEqualTo("b: first token 3.0x the other (6 s against 2 s).");
    assertThat(
            evaluate(ODD, List.of("tokens", "Output tokens", true, "tokens/s", List.of(900, 200))))
        .isEqualTo("b: output tokens 0.2x the other (200 tok/s against 900 tok/s).");
  }

  @Test
  void oddOne_isNoneWhereAllDiffer() {
    assertThat(
            evaluate(
                ODD, List.of("latency", "First token", false, "seconds", List.of(1, 1.5, 2, 2.5))))
        .isEqualTo("In these values none of 4 replicas is far from the others.");
    assertThat(evaluate(ODD, List.of("kv", "KV cache", false, "ratio", List.of(0.45, 0.5, 0.55))))
        .isEqualTo("In these values none of 3 replicas is far from the others.");
    assertThat(evaluate(ODD, List.of("running", "Running", false, "requests", List.of(0, 0, 0))))
        .isEqualTo("In these values none of 3 replicas is far from the others.");
  }

  @Test
  void recentMean_leavesGapsOut() {
    Object mean =
        evaluate(
            """
            async () => {
              const {recentMean} = await import('/ui/replicas.js');
              return [recentMean([0, 100, 200, 300, 400], [9, 1, null, 3, 7], 350, 300),
                recentMean([0, 100], [null, null], 100)];
            }""");
    assertThat(mean).isEqualTo(Arrays.asList(2, null));
  }

  private static Map<String, Object> gpu(String index, Map<String, Object> more) {
    Map<String, Object> all =
        new java.util.HashMap<>(
            Map.of(
                "service",
                "dcgm/n:9400",
                "host",
                "n",
                "gpu",
                index,
                "utilisation",
                Map.of("gpu_util", 0.5),
                "state",
                Map.of("id", "decode", "name", "Decode", "says", ""),
                "reasons",
                List.of()));
    all.putAll(more);
    return all;
  }

  @Test
  void gpus_areSortedWorstFirst() {
    Map<String, Object> idle =
        gpu("0", Map.of("state", Map.of("id", "idle", "name", "Idle", "says", "")));
    Map<String, Object> slowed =
        gpu("1", Map.of("reasons", List.of(Map.of("name", "hot", "says", "", "matters", true))));
    Map<String, Object> capped =
        gpu("2", Map.of("reasons", List.of(Map.of("name", "cap", "says", "", "matters", false))));
    Map<String, Object> fallen =
        gpu("3", Map.of("xid", Map.of("code", 79, "says", "Off the bus.", "severity", "node")));
    Object order =
        evaluate(
            """
            async (gpus) => {
              const {gpuMark, gpusSentence, worstFirst} = await import('/ui/gpu-judging.js');
              const sorted = worstFirst(gpus);
              return [...sorted.map((gpu) => `${gpu.gpu} ${gpuMark(gpu)}`), gpusSentence(sorted)];
            }""",
            List.of(idle, slowed, capped, fallen));
    assertThat(order)
        .isEqualTo(
            List.of(
                "3 critical",
                "1 degraded",
                "2 ok",
                "0 idle",
                "2 of 4 GPUs need a look. n GPU 3: XID 79: Off the bus."));
  }

  @Test
  void isOf_tellsTheSeriesOfOneGpu() {
    Object found =
        evaluate(
            """
            async () => {
              const {isOf} = await import('/ui/gpu-judging.js');
              const whole = {gpu: '1', uuid: 'GPU-b', instance: null};
              const part = {gpu: '1', uuid: 'GPU-b', instance: '3'};
              return [isOf(whole, {gpu: '1', UUID: 'GPU-b'}), isOf(whole, {gpu: '0', UUID: 'GPU-a'}),
                isOf(part, {UUID: 'GPU-b', GPU_I_ID: '3'}), isOf(part, {UUID: 'GPU-b', GPU_I_ID: '4'}),
                isOf({gpu: '1', uuid: null, instance: null}, {gpu: '1'})];
            }""");
    assertThat(found).isEqualTo(List.of(true, false, true, false, true));
  }

  @Test
  void windowSeconds_readsTheQueryWhereTheServerDoesNotSay() {
    Object seconds =
        evaluate(
            """
            async () => {
              const {windowSeconds} = await import('/ui/panel-details.js');
              return [{window: 45, query: 'x'}, {query: 'rate(x[2m])'}, {query: 'up'}].map(windowSeconds);
            }""");
    assertThat(seconds).isEqualTo(Arrays.asList(45, 120, null));
  }
}
