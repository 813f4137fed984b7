package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.inferometer.api.DiagnosisJson;
import org.inferometer.diagnosis.Change;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.LayerLine;
import org.inferometer.diagnosis.PathStep;
import org.inferometer.diagnosis.RandomWorlds;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.RuledOut;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryValue.MatrixSeries;
import org.inferometer.signals.Quality;
import org.junit.jupiter.api.Test;

class DiagnosisViewsTest {
  private static final String HOSTILE =
      "a\u001b[2J\u202eb</td><script>alert('x')</script>|`*[x](http://evil)\n# y";

  private static Report report(String name) {
    Evidence fact =
        new Evidence(
            "engine",
            "request_queue_and_prefill_waiting_share_of_all",
            0.98,
            "ratio",
            0.61,
            0.95,
            Quality.EXACT,
            name,
            null,
            "avg(kv{a=\"" + name + "\"})",
            "The cache of " + name + " is 98 % full, so the scheduler puts requests back.");
    Finding finding =
        new Finding(
            "kv-exhaustion",
            0.953,
            new Scope("vllm/m", "m", name, "node-1/gpu3"),
            new Effect("ttft_p95", 0.82, 9.1, 0.4, "Without it the first token took 0.4 s."),
            "The KV cache is full.",
            List.of(fact),
            List.of(fact),
            180_000L);
    Action action =
        new Action(
            "Set --gpu-memory-utilization to 0.95 (0.9 now)", name, "more", "OOM", "kv_usage");
    Diagnosis one =
        new Diagnosis(
            "vllm/" + name,
            new Period(0, 300_000),
            new Period(-300_000, 0),
            Diagnosis.State.CRITICAL,
            "First tokens take 9.1 s since " + name + " has no room left in its KV cache.",
            List.of(new Verdict(finding, "KV cache exhausted", "capacity", List.of(action))),
            List.of(new PathStep("Is it slow?", "Yes.", "ttft_p95", 9.1, "seconds", 2.0)),
            List.of(
                new RuledOut("capacity", "It has room: " + name, false),
                new RuledOut("power-throttle", "Nothing tells of the GPU.", true)),
            List.of(new TelemetryProblem("p", name, List.of("s"), "It lies.", true)),
            List.of(new LayerLine("gpu", "gpu_util", name, 0.5, "ratio", 0.25, null, "Busy.")),
            List.of(new Change("config", name, "A flag changed.", 0.5, 60_000L)),
            List.of(new Happening(2_000, Happening.Kind.CAME, name, "", null, "b", "It came.")),
            List.of());
    return new Report(one, List.of(one));
  }

  private static List<String> text(String name) {
    return new DiagnosisText(new Captured().console(false)).lines(report(name));
  }

  @Test
  void text_fitsIntoEightyColumns() {
    assertThat(text("gpu-7.example.internal:8000"))
        .allSatisfy(line -> assertThat(line.codePointCount(0, line.length())).isLessThan(81));
  }

  @Test
  void text_hasEveryPartInOrder() {
    assertThat(String.join("\n", text("gpu-7:8000")))
        .startsWith("vllm/gpu-7:8000: critical\nFirst tokens take 9.1 s since gpu-7:8000 has no")
        .containsSubsequence(
            "Judged: 1970-01-01 00:00:00 to 00:05:00 UTC; before: 1969-12-31 23:55:00",
            "First: Set --gpu-memory-utilization to 0.95 (0.9 now)",
            "KV cache exhausted (kv-exhaustion, 95 % sure)",
            "At gpu-7:8000; on node-1/gpu3; follows from capacity; since 00:03:00 UTC, for",
            "Without it the first token took 0.4 s.",
            "For it",
            "LAYER   SIGNAL",
            " 98 %    61 %       95 %",
            "gpu-7:8000: The cache of",
            "Against it",
            "The same requests, layer by layer",
            "How it was found",
            "   1. Is it slow?\n      Yes. [ttft_p95 9.1 s, held against 2 s]",
            "Ruled out\n  capacity: It has room",
            "Can't be told\n  power-throttle: ",
            "What changed\n  00:01:00 gpu-7:8000: A flag changed. (can carry 50 %",
            "What can't be trusted or isn't measured",
            "What to do now\n   1. Set --gpu-memory-utilization to 0.95 (0.9 now)",
            "expect   more",
            "risk     OOM",
            "confirm  kv_usage");
  }

  @Test
  void text_obeysNothing() {
    assertThat(String.join("", text(HOSTILE))).doesNotContain("\u001b", "\u202e");
  }

  /** Numbers that are none, or endless, and names from outside, in all forms. */
  @Test
  void views_ofWorldsThatNoEngineMakes() throws IOException {
    for (long seed = 0; seed < 40; seed++) {
      String which = "seed " + seed;
      Diagnosis one = RandomWorlds.diagnosis(seed);
      Report report = new Report(one, List.of(one));
      assertThat(String.join("", new DiagnosisText(new Captured().console(false)).lines(report)))
          .as(which)
          .doesNotContain("\u001b", "\u202e");
      assertThat(String.join("", DiagnosisMarkdown.lines(report)))
          .as(which)
          .doesNotContain("\u001b", "\u202e");
      assertThat(String.join("", DiagnosisHtml.lines(report, EvidenceCharts.none())))
          .as(which)
          .doesNotContain("<script", "\u001b", "\u202e");
      String json = JsonText.of(out -> DiagnosisJson.write(out, report));
      assertThat(new ObjectMapper().readTree(json).path("services").size()).as(which).isOne();
    }
  }

  @Test
  void markdown_showsMarkupAsItIs() {
    List<String> lines = DiagnosisMarkdown.lines(report(HOSTILE));
    String all = String.join("\n", lines);
    assertThat(all).doesNotContain("\u001b", "\u202e");
    assertThat(all.replaceAll("``[^\\n]*``", ""))
        .doesNotContain("<script>", " [x](", "*[x](", "http://evil");
    assertThat(lines.stream().filter(line -> line.startsWith("# "))).hasSize(1);
    assertThat(all)
        .contains("## KV cache exhausted (kv-exhaustion, 95 % sure)", "| 98 % | 61 % | 95 % |");
    assertThat(DiagnosisMarkdown.text("a_b|c")).isEqualTo("a\\_b\\|c");
    assertThat(DiagnosisMarkdown.code("a`b")).isEqualTo("`` a`b ``");
  }

  @Test
  void html_isOneFileThatRunsAndLoadsNothing() {
    Report report = report(HOSTILE);
    String query = report.whole().verdicts().getFirst().finding().evidence().getFirst().query();
    MatrixSeries series =
        new MatrixSeries(
            Labels.EMPTY,
            new long[] {0, 60_000, 120_000, 180_000},
            new double[] {0.5, Double.NaN, 0.9, 0.98});
    var charts = new EvidenceCharts(0, 300_000, Map.of(String.valueOf(query), List.of(series)));
    String html = String.join("\n", DiagnosisHtml.lines(report, charts));
    assertThat(html)
        .doesNotContain("<script", "src=", "href=", "\u001b", "\u202e", "url(", "@import")
        .contains("default-src 'none'", "prefers-color-scheme: dark", "<svg viewBox=", "M62.0 ")
        .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    assertThat(html.split("<svg", -1)).hasSize(3);
    for (String element : List.of("section", "table", "ol", "ul", "dl", "svg", "tr", "td")) {
      assertThat(html.split("<" + element + "[ >]", -1))
          .as(element)
          .hasSameSizeAs(html.split("</" + element + ">", -1));
    }
  }
}
