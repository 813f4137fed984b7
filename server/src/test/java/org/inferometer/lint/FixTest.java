package org.inferometer.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Corrected copies: what is certain is gone, all else is as it was. */
class FixTest {
  private static String fixed(String name, String text) {
    LintFile file = Written.file(name, text);
    return Linter.fix(file, Written.findings(name, text)).text();
  }

  @Test
  void renamed_keepsTheRestByteForByte() {
    String text =
        "# a comment\n"
            + "groups:\n"
            + "- name: g # another\n"
            + "  rules:\n"
            + "  - alert:   A\n"
            + "    expr:    vllm:gpu_cache_usage_perc{model_name=\"m\"}   >  0.9 # why\n"
            + "    for: 1m\n";
    assertThat(fixed("a.yml", text))
        .isEqualTo(text.replace("gpu_cache_usage_perc", "kv_cache_usage_perc"));
  }

  @Test
  void linesOfYaml_endAsYamlSays() {
    String lines =
        "groups:\n- name: g\n  rules:\n  - alert: A\n    expr: rate(vllm:prefix_cache_hits[5m])\n"
            + "      > 1\n    for: 1m\n";
    for (String text :
        List.of(
            lines.replace('\n', '\r'),
            lines.replace("\n", "\r\n"),
            "# \u2028# \u0085\n" + lines,
            "\ufeff{groups: [{name: g, rules: [{alert: A, for: 1m,"
                + " expr: 'rate(vllm:prefix_cache_hits[5m]) > 1'}]}]}\n")) {
      assertThat(fixed("a.yml", text))
          .isEqualTo(text.replace("prefix_cache_hits", "prefix_cache_hits_total"));
    }
  }

  @Test
  void jsonEscapes_areRespected() {
    String text =
        "{\"title\": \"t\", \"panels\": [{\"title\": \"p\", \"targets\": [{\"expr\":"
            + " \"\\u0073um(\\n  rate(vllm:prefix_cache_hits{model_name=\\\"$m\\\"}[5m]))\"}]}]}";
    assertThat(fixed("a.json", text))
        .isEqualTo(text.replace("vllm:prefix_cache_hits{", "vllm:prefix_cache_hits_total{"));
  }

  @Test
  void missingLe_isAddedToEachFormOfGrouping() {
    for (String[] pair :
        List.of(
            new String[] {"sum by (a) (R)", "sum by (le, a) (R)"},
            new String[] {"sum(R) by (a, b)", "sum(R) by (le, a, b)"},
            new String[] {"sum(R)", "sum by (le) (R)"},
            new String[] {"sum by () (R)", "sum by (le) (R)"})) {
      String rate = "rate(x_bucket[5m])";
      String before = "histogram_quantile(0.9, " + pair[0].replace("R", rate) + ")";
      String after = "histogram_quantile(0.9, " + pair[1].replace("R", rate) + ")";
      String text = Written.alertFile("A", before + " > 1", "      for: 1m\n");
      assertThat(fixed("a.yml", text)).isEqualTo(text.replace(before, after));
    }
  }

  @Test
  void variables_areNeverWrittenOver() {
    String text = Written.board("A", "", "rate(${metric}[5m]) + rate(vllm:prefix_cache_$x[5m])");
    assertThat(fixed("a.json", text)).isEqualTo(text);
  }

  @Test
  void documentsInDocuments_areEditedThroughBothLayers() {
    String board = Written.board("A", "", "vllm:gpu_cache_usage_perc{model_name=\"m\"}");
    String text =
        "kind: ConfigMap\ndata:\n  board.json: |-\n" + board.strip().indent(4) + "  other: x\n";
    assertThat(fixed("a.yaml", text))
        .isEqualTo(text.replace("gpu_cache_usage_perc", "kv_cache_usage_perc"));
  }

  @Test
  void anchors_areEditedOnce() {
    String text =
        "groups:\n- name: g\n  rules:\n  - &a\n    alert: A\n    for: 1m\n"
            + "    expr: rate(vllm:prefix_cache_hits[5m]) > 1\n  - *a\n";
    assertThat(fixed("a.yml", text)).isEqualTo(text.replace("_hits[", "_hits_total["));
  }

  @TestFactory
  Stream<DynamicTest> realFiles_areCorrectedOnceAndForAll() {
    return Stream.of("dashboards", "rules", "scrape-configs")
        .flatMap(folder -> EveryFileTest.files(Shared.path("fixtures/" + folder)))
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
  }

  private static void check(Path path) throws IOException {
    String name = path.getFileName().toString();
    String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    LintFile file;
    try {
      file = LintFile.read(name, text.getBytes(StandardCharsets.UTF_8));
    } catch (LintFileException e) {
      return;
    }
    List<Finding> findings = Written.findings(name, text);
    Linter.Fixed fixed = Linter.fix(file, findings);
    List<Finding> after = Written.findings(name, fixed.text());
    assertThat(after).noneMatch(Finding::isFixable);
    assertThat(after.size()).isLessThanOrEqualTo(findings.size());
    if (fixed.changes() == 0) {
      assertThat(fixed.text()).isEqualTo(text);
    }
    assertThat(fixed.text().lines().count()).isEqualTo(text.lines().count());
  }
}
