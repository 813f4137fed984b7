package org.inferometer.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in files of each kind, and where. */
class ReadersTest {
  private static LintDocument read(String name, String text) {
    return Written.file(name, text).document();
  }

  private static List<String> queries(String name, String text) {
    return read(name, text).queries().stream()
        .map(q -> q.kind().word() + " " + q.name() + ": " + q.expr().text().strip())
        .toList();
  }

  /** The finding stands at the first character of what it speaks of, in any way of writing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "    expr: 1 + GONE\n",
        "    expr: '1 + GONE'\n",
        "    expr: \"1 + GONE\"\n",
        "    expr: \"1 \\\n      + GONE\"\n",
        "    expr: \"\\x31 + GONE\"\n",
        "    expr: 1 +\n      GONE\n",
        "    expr: |\n      1 +\n        GONE\n",
        "    expr: |-\n\n      1 + GONE\n",
        "    expr: |2\n        1 + GONE\n",
        "    expr: >\n      1\n      + GONE\n",
        "    expr: >-\n      1\n\n      + GONE\n\n",
        "    expr: '1 + (GONE{a=\"it''s\"})'\n",
      })
  void place_isThatInTheFile(String expr) {
    String text =
        "groups:\n- name: g\n  rules:\n  - record: r\n"
            + expr.replace("GONE", "vllm:prefix_cache_hits")
            + "    labels: {}\n";
    Finding finding = Written.findings("r.yml", text).getFirst();
    int offset = new SourceFile("", text).offset(finding.line(), finding.column());
    assertThat(text.substring(offset)).startsWith("vllm:prefix_cache_hits");
    assertThat(finding.expression().substring(finding.offset()))
        .startsWith("vllm:prefix_cache_hits");
    assertThat(finding.isFixable()).isTrue();
  }

  @Test
  void place_countsCharactersBehindOthersThanAscii() {
    String text =
        "{\"title\":\"t\",\"panels\":[{\"title\":\"🚀\",\"targets\":[{\"expr\":"
            + "\"x{a=\\\"é🚀\\\"} + vllm:prefix_cache_hits\"}]}]}";
    Finding finding = Written.findings("b.json", text).getFirst();
    int offset = new SourceFile("", text).offset(finding.line(), finding.column());
    assertThat(text.substring(offset)).startsWith("vllm:prefix_cache_hits");
  }

  @Test
  void dashboards_ofAllSchemasAreRead() {
    assertThat(
            queries(
                "a.json",
                "{\"dashboard\":{\"title\":\"t\",\"rows\":[{\"title\":\"row\",\"panels\":[{\"title\":"
                    + "\"p\",\"targets\":[{\"expr\":\"a\"}]}]}]}}"))
        .containsExactly("panel p: a");
    assertThat(
            queries(
                "a.json",
                "{\"title\":\"t\",\"panels\":[{\"type\":\"row\",\"title\":\"r\",\"panels\":[{\"title\":"
                    + "\"p\",\"targets\":[{\"expr\":\"a\"},{\"expr\":\"b\"}]}]}]}"))
        .containsExactly("panel p: a", "panel p: b");
    assertThat(
            queries(
                "a.json",
                "{\"kind\":\"Dashboard\",\"spec\":{\"title\":\"t\",\"elements\":{\"panel-1\":{\"kind\":"
                    + "\"Panel\",\"spec\":{\"title\":\"p\",\"data\":{\"kind\":\"QueryGroup\",\"spec\":"
                    + "{\"queries\":[{\"kind\":\"PanelQuery\",\"spec\":{\"query\":{\"kind\":\"DataQuery\","
                    + "\"group\":\"prometheus\",\"spec\":{\"expr\":\"a\"}}}}]}}}}}}}"))
        .containsExactly("panel p: a");
    assertThat(
            queries(
                "a.json",
                "{\"title\":\"t\",\"__elements\":{\"x\":{\"name\":\"lib\",\"model\":{\"title\":\"p\","
                    + "\"targets\":[{\"expr\":\"a\"}]}}},\"panels\":[]}"))
        .containsExactly("panel p: a");
  }

  @Test
  void variablesAndAnnotations_haveQueriesToo() {
    assertThat(
            queries(
                "a.json",
                "{\"title\":\"t\",\"panels\":[],\"annotations\":{\"list\":[{\"name\":\"n\",\"expr\":"
                    + "\"a\"}]},\"templating\":{\"list\":[{\"name\":\"v\",\"type\":\"query\",\"query\":\"label_values(b{x=\\\"$y\\\"},"
                    + " c)\"},{\"name\":\"w\",\"type\":\"query\",\"query\":"
                    + "{\"query\":\"query_result(sum(d))\"}}]}}"))
        .containsExactlyInAnyOrder(
            "annotation n: a", "variable v: b{x=\"$y\"}", "variable w: sum(d)");
  }

  @Test
  void otherLanguages_areToldNotJudged() {
    LintDocument document =
        read(
            "a.json",
            "{\"title\":\"t\",\"panels\":[{\"title\":\"p\",\"datasource\":{\"type\":\"loki\"},"
                + "\"targets\":[{\"expr\":\"{a=\\\"b\\\"} |= \\\"c\\\"\"}]}]}");
    assertThat(document.queries()).isEmpty();
    assertThat(document.notes()).containsExactly("1 query for loki not read: no PromQL");
  }

  @Test
  void libraryPanels_thatAreKeptElsewhereAreTold() {
    assertThat(
            read(
                    "a.json",
                    "{\"title\":\"t\",\"panels\":[{\"title\":\"p\",\"libraryPanel\":{\"name\":\"L\"}}]}")
                .notes())
        .containsExactly("the library panel \"L\" is kept in Grafana: its queries weren't seen");
  }

  @Test
  void manifests_areReadWhereverRulesStand() {
    String rule = "{alert: A, expr: a, for: 1m}";
    assertThat(queries("a.yml", "groups: [{name: g, rules: [" + rule + "]}]"))
        .containsExactly("alert A: a");
    assertThat(
            queries(
                "a.yml",
                "kind: PrometheusRule\nspec: {groups: [{rules: ["
                    + rule
                    + "]}]}\n"
                    + "---\n"
                    + "kind: List\n"
                    + "items: [{kind: PrometheusRule, spec: {groups: [{rules: [{record: r, expr:"
                    + " b}]}]}}]\n"))
        .containsExactly("alert A: a", "record r: b");
    assertThat(
            queries(
                "a.yml",
                "kind: ConfigMap\ndata:\n  r.yml: |\n    groups:\n    - rules:\n      - "
                    + rule
                    + "\n"))
        .containsExactly("alert A: a");
  }

  @Test
  void autoscalers_andAdaptersAreRead() {
    assertThat(
            queries(
                "a.yml",
                "kind: ScaledObject\n"
                    + "metadata: {name: s}\n"
                    + "spec:\n"
                    + "  triggers:\n"
                    + "  - type: prometheus\n"
                    + "    metadata: {query: sum(a), threshold: '5'}\n"
                    + "  - type: cpu\n"))
        .containsExactly("scaler s: sum(a)");
    assertThat(
            queries(
                "a.yml",
                "kind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec:\n  metrics:\n"
                    + "  - pods: {metric: {name: vllm_x}}\n"))
        .containsExactly("metric h: vllm_x");
    assertThat(
            queries(
                "a.yml",
                "rules:\n- seriesQuery: '{__name__=~\"^vllm:x$\"}'\n  name: {as: vllm_x}\n"
                    + "  metricsQuery: sum by (<<.GroupBy>>) (<<.Series>>{<<.LabelMatchers>>})\n"))
        .containsExactly(
            "series vllm_x: vllm:x", "scaler vllm_x: sum by (namespace) (vllm:x{var__l=\"x\"})");
  }

  @Test
  void adapterName_isKnownToAutoscalers() {
    String adapter =
        "rules:\n"
            + "- seriesQuery: 'vllm:num_requests_waiting'\n"
            + "  name: {as: vllm_gpu_cache_usage_perc}\n"
            + "---\n"
            + "kind: HorizontalPodAutoscaler\n"
            + "metadata: {name: h}\n"
            + "spec:\n"
            + "  metrics:\n"
            + "  - pods: {metric: {name: vllm_gpu_cache_usage_perc}}\n";
    assertThat(Written.findings("a.yml", adapter)).isEmpty();
    assertThat(Written.rules(Written.findings("a.yml", adapter.split("---\n", 2)[1])))
        .containsExactly(LintRule.REMOVED_METRIC);
  }

  @Test
  void thresholdOfAutoscaler_isJudged() {
    String object =
        "kind: ScaledObject\nmetadata: {name: s}\nspec:\n  triggers:\n  - type: prometheus\n"
            + "    metadata: {query: 'max(vllm:kv_cache_usage_perc)', threshold: '80'}\n";
    assertThat(Written.rules(Written.findings("a.yml", object)))
        .containsExactly(LintRule.UNIT_SCALE);
  }

  @Test
  void unitTestsAndTemplates_areTold() {
    assertThat(read("a.yml", "rule_files: [a.yml, b.yml]\ntests: [{}]\n").notes())
        .containsExactly("unit tests of rules: not read; the rules are in a.yml, b.yml");
    assertThat(
            queries(
                "a.yml",
                "{{- if .Values.on }}\ngroups:\n- rules:\n  - alert: A\n"
                    + "    expr: a > {{ .Values.x }}\n{{- end }}\n"))
        .containsExactly("alert A: a > 1");
  }

  @Test
  void configuration_givesTheInterval() {
    LintFile config = Written.file("p.yml", "global: {scrape_interval: 1m}\nscrape_configs: []\n");
    LintFile rules =
        Written.file("r.yml", Written.alertFile("A", "rate(a_total[2m]) > 1", "      for: 1m\n"));
    LintReport report = Written.LINTER.lint(List.of(config, rules), LintOptions.offline());
    assertThat(report.files().get(1).findings())
        .extracting(Finding::message)
        .containsExactly(
            "a window of 2 min holds 2 scrapes at an interval of 1 min (p.yml): take at least 4"
                + " min");
  }

  @Test
  void namesOfRules_areKnownInAllFiles() {
    LintFile one =
        Written.file(
            "a.yml", "groups:\n- rules:\n  - {record: 'vllm:num_requests_all', expr: up}\n");
    LintFile two =
        Written.file(
            "b.yml", "groups:\n- rules:\n  - {record: r, expr: 'vllm:num_requests_all'}\n");
    assertThat(Written.LINTER.lint(List.of(one, two), LintOptions.offline()).files())
        .allMatch(file -> file.findings().isEmpty());
    assertThat(
            Written.LINTER.lint(List.of(two), LintOptions.offline()).files().getFirst().findings())
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"${x}", "$x", "[[x]]", "${x:regex}", "${x.y:csv}", "${__range_s}"})
  void variables_areFilledIn(String variable) {
    for (String form :
        List.of("a{b=~\"V\"}", "sum by (V) (a)", "topk(V, a)", "a > V", "aV_b", "rate(a[Vs])")) {
      String expr = form.replace("V", variable);
      if (form.contains("Vs") != variable.equals("${__range_s}")) {
        continue;
      }
      assertThat(Written.rules(Written.panel("A", "", expr)))
          .as(expr)
          .doesNotContain(LintRule.PARSE_ERROR);
    }
  }

  @Test
  void damagedFiles_areRefusedWithTheirLine() {
    assertThatThrownBy(
            () -> LintFile.read("a.json", "{\n \"a\": }".getBytes(StandardCharsets.UTF_8)))
        .hasMessageStartingWith("a.json:2:7: not JSON: ");
    assertThatThrownBy(
            () -> LintFile.read("a.yml", "a: b\nc: [\n".getBytes(StandardCharsets.UTF_8)))
        .hasMessageStartingWith("a.yml:2:5: not YAML: ");
    assertThatThrownBy(() -> LintFile.read("a.yml", new byte[] {'a', '\n', (byte) 0xff, 'b'}))
        .hasMessage("a.yml:2: found bytes that aren't UTF-8, expected text");
    assertThatThrownBy(() -> LintFile.read("a.yml", new byte[LintFile.BYTES_MAX + 1]))
        .hasMessageContaining("expected at most 16777216");
  }

  @Test
  void hostileFiles_areRefused() {
    for (String text :
        List.of(
            "[".repeat(100_000),
            "{\"a\":".repeat(10_000),
            "- ".repeat(500) + "a",
            "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                + "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                + "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n")) {
      assertThatThrownBy(() -> LintFile.read("a.yml", text.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(LintFileException.class)
          .hasMessageStartingWith("a.yml:");
    }
  }

  @Test
  void manyFindings_areCut() {
    StringBuilder text = new StringBuilder("groups:\n- rules:\n");
    for (int i = 0; i < 3000; i++) {
      text.append("  - {record: r, expr: 'vllm:nothing_like_this'}\n");
    }
    LintReport.OfFile report =
        Written.LINTER
            .lint(List.of(Written.file("a.yml", text.toString())), LintOptions.offline())
            .files()
            .getFirst();
    assertThat(report.findings()).hasSize(Linter.FINDINGS_MAX + 1);
    assertThat(report.notes()).anyMatch(note -> note.startsWith("more than 2000 findings"));
  }
}
