package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.inferometer.model.Matcher;
import org.inferometer.model.Version;
import org.junit.jupiter.api.Test;

class RecognitionTest {
  private static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final Recognition RECOGNITION = new Recognition(CATALOGUE);

  /** The version in a dump's name, such as vllm_v0.10.0-... or vllm_v0.7-v0.8-... */
  private static final Pattern TRUTH =
      Pattern.compile("vllm_v([0-9.]+?)(?:\\.x)?(?:-v([0-9.]+))?[-_].*");

  @Test
  void everyDump() {
    StringBuilder table = new StringBuilder("dump\tdialect\tmodels\tversion\tbecause\n");
    for (Dump dump : Dump.all()) {
      for (Recognition.Recognised found : RECOGNITION.recognise(dump.facts(CATALOGUE))) {
        table
            .append(dump.name())
            .append('\t')
            .append(found.dialect() == null ? "-" : found.dialect().id())
            .append('\t')
            .append(found.models().isEmpty() ? "-" : String.join(", ", found.models()))
            .append('\t')
            .append(found.version() == null ? "-" : found.version().text())
            .append('\t')
            .append(found.version() == null ? found.because() : found.version().because())
            .append('\n');
      }
    }
    Golden.check(Path.of("src/test/resources/signals/recognition.tsv"), table.toString());
  }

  @Test
  void theTrueVersionLiesInTheRange() {
    int checked = 0;
    for (Dump dump : Dump.all()) {
      java.util.regex.Matcher truth = TRUTH.matcher(dump.name());
      Recognition.Recognised found = RECOGNITION.recognise(dump.facts(CATALOGUE)).getFirst();
      if (!truth.matches() || dump.samples().isEmpty()) {
        continue;
      }
      VersionRange range = found.version();
      assertThat(range).as(dump.name()).isNotNull();
      Version from = Version.parse(truth.group(1));
      Version to = truth.group(2) == null ? from : Version.parse(truth.group(2));
      assertThat(range.low() == null || !Version.parse(range.low()).isAfter(to))
          .as(dump.name() + " against " + range)
          .isTrue();
      assertThat(range.high() == null || !from.isAfter(Version.parse(range.high())))
          .as(dump.name() + " against " + range)
          .isTrue();
      checked++;
    }
    assertThat(checked).isEqualTo(6);
  }

  @Test
  void namesThatContradictEachOtherGiveNoRange() {
    VersionRange range =
        recognise(
                """
            vllm:tokens_total{model_name="m"} 0
            vllm:num_requests_waiting_by_reason{model_name="m",engine="0"} 0
            """)
            .version();
    assertThat(range).isNotNull();
    assertThat(range.low()).isNull();
    assertThat(range.high()).isNull();
    assertThat(range.because()).contains("contradict");
  }

  @Test
  void aFilteredPage_isJudgedByWhatItHas() {
    VersionRange range =
        recognise(
                """
            vllm:num_requests_running{model_name="m",engine="0"} 3
            vllm:num_requests_waiting{model_name="m",engine="0"} 0
            vllm:kv_cache_usage_perc{model_name="m",engine="0"} 0.5
            """)
            .version();
    assertThat(range).isNotNull();
    assertThat(range.text()).isEqualTo("0.9.2 or newer");
    assertThat(range.because()).isEqualTo("it has vllm:kv_cache_usage_perc, so since 0.9.2");
  }

  @Test
  void aRouterThatBorrowsNamesIsNoEngine() {
    Recognition.Recognised found =
        recognise("vllm:num_requests_running{server=\"http://a:8000\"} 3\n");
    assertThat(found.dialect()).isNotNull();
    assertThat(found.dialect().id()).isEqualTo("production-stack-router");
  }

  @Test
  void aRouterBesideAnEngineOnOnePageIsBoth() {
    List<Recognition.Recognised> found =
        all(
            """
            vllm:num_requests_running{server="http://a:8000"} 3
            vllm:num_requests_running{model_name="m",engine="0"} 3
            vllm:num_requests_waiting_by_reason{server="http://a:8000"} 3
            """);
    assertThat(found)
        .extracting(one -> one.dialect() == null ? "" : one.dialect().id())
        .containsExactly("production-stack-router", "vllm");
    assertThat(found.getLast().own()).containsExactly(Matcher.equal("server", ""));
    assertThat(Objects.requireNonNull(found.getLast().version()).low())
        .as("the router's names say nothing of the engine's release")
        .isNotEqualTo("0.20");
  }

  @Test
  void whatIsCoveredIsNotToldAsWell() {
    String worker =
        "dynamo_component_uptime_seconds 3\nvllm:num_requests_running{model_name=\"m\"} 3\n";
    assertThat(all(worker)).hasSize(1);
    assertThat(all(worker + "node_load1 1\n"))
        .extracting(one -> one.dialect() == null ? "" : one.dialect().id())
        .containsExactly("dynamo", "node");
  }

  @Test
  void aPageOfUnknownNamesCountsItsFamilies() {
    Recognition.Recognised found =
        recognise("a_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\nb_total 2\n");
    assertThat(found.dialect()).isNull();
    assertThat(found.because()).isEqualTo("no engine recognised; 2 families");
  }

  @Test
  void severalModelsOfOnePage() {
    Recognition.Recognised found =
        recognise(
            "vllm:num_requests_running{model_name=\"b\"} 1\n"
                + "vllm:num_requests_running{model_name=\"a\"} 1\n");
    assertThat(List.copyOf(found.models())).containsExactly("a", "b");
  }

  private static Recognition.Recognised recognise(String page) {
    assertThat(all(page)).hasSize(1);
    return all(page).getFirst();
  }

  private static List<Recognition.Recognised> all(String page) {
    return RECOGNITION.recognise(Dump.of("page", page).facts(CATALOGUE));
  }
}
