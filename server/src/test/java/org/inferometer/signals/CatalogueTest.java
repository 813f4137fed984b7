package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  private static final String SIGNALS =
      """
      signals:
        - {name: load, title: Load, layer: engine, unit: count, kind: gauge, meaning: Load.}
        - name: wait
          title: Wait
          layer: request
          unit: seconds
          kind: quantile
          quantiles: [0.5, 0.95]
          meaning: Wait.
      """;
  private static final String DIALECT =
      """
      dialect: {id: e, title: E, kind: engine, identify: [{prefix: e_}]}
      signals:
        - signal: load
          from:
            - {query: "sum by ($by) (e_load{$scope})", quality: exact}
        - signal: wait
          from:
            - {buckets: "sum by ($by, le) (rate(e_wait_bucket{$scope}[$window]))", quality: exact}
      """;
  private static final String FAMILIES =
      """
      dialect: e
      families:
        - {name: e_load, type: gauge}
        - {name: e_wait, type: histogram, unit: seconds}
      """;
  private static final String ENGINES =
      """
      dialects:
        - {id: o, title: O, kind: other, identify: [{family: o_info}]}
      """;
  private static final String JUDGEMENT =
      """
      limits:
        - {name: idle_window_seconds, value: 300, source: s}
        - {name: goal_degraded_factor, value: 1.15, source: s}
        - {name: goal_critical_factor, value: 3, source: s}
      rules:
        - {kind: engine, signal: load, above: 1, state: degraded, say: full, source: s}
      summaries:
        - {kind: engine, signals: [load]}
      """;

  @Test
  void smallFilesLoad() {
    Catalogue catalogue = load(SIGNALS, Map.of("e.yaml", DIALECT), ENGINES, JUDGEMENT);
    assertThat(catalogue.vocabulary().signals().stream().map(Signal::name))
        .containsExactly("load", "wait_p50", "wait_p95");
    assertThat(catalogue.dialects().stream().map(Dialect::id)).containsExactly("e", "o");
    assertThat(
            Objects.requireNonNull(catalogue.dialects().getFirst().mappings().get("wait"))
                .alternatives())
        .singleElement()
        .satisfies(a -> assertThat(a.needs()).containsExactly("e_wait_bucket"));
  }

  @Test
  void builtInFilesMapEverySignalSomewhere() {
    Catalogue catalogue = Catalogue.builtIn();
    Set<String> mapped =
        catalogue.dialects().stream()
            .flatMap(dialect -> dialect.mappings().keySet().stream())
            .collect(Collectors.toSet());
    assertThat(
            catalogue.vocabulary().signals().stream()
                .filter(signal -> signal.formula() == null)
                .filter(signal -> !Goodput.SIGNALS.contains(signal.name()))
                .map(Signal::base)
                .filter(base -> !mapped.contains(base)))
        .isEmpty();
  }

  @Test
  void builtInMappingsStayInTheirLayer() {
    Catalogue catalogue = Catalogue.builtIn();
    for (Dialect dialect : catalogue.dialects()) {
      Set<String> bases =
          catalogue.vocabulary().of(dialect.kind()).stream()
              .map(Signal::base)
              .collect(Collectors.toSet());
      assertThat(bases).as(dialect.id()).containsAll(dialect.mappings().keySet());
    }
  }

  @Test
  void builtInDialectsHaveDistinctIds() {
    assertThat(Catalogue.builtIn().dialects().stream().map(Dialect::id)).doesNotHaveDuplicates();
  }

  @Test
  void unknownSignal() {
    refused(
        DIALECT.replace("signal: load", "signal: laod"), "e.yaml:3:13: unknown signal \"laod\"");
  }

  @Test
  void unknownKey() {
    refused(
        DIALECT.replace("quality: exact}\n  - signal: wait", "qualiti: exact}\n  - signal: wait"),
        "unknown key \"qualiti\" in an alternative, expected one of");
  }

  @Test
  void wrongQuality() {
    refused(
        DIALECT.replaceFirst("quality: exact", "quality: superb"),
        "e.yaml:5:59: expected one of exact, derived, estimated, proxy, absent, not \"superb\"");
  }

  @Test
  void bucketsWhereAQueryIsNeeded() {
    refused(DIALECT.replace("{query:", "{buckets:"), "e.yaml:5:9: signal \"load\" needs \"query\"");
  }

  @Test
  void promqlThatDoesNotParse() {
    refused(
        DIALECT.replace("sum by ($by) (e_load", "sum by ($by) ((e_load"),
        "e.yaml:5:17: not PromQL: ");
  }

  @Test
  void aMetricThatNoFamilyHas() {
    refused(
        DIALECT.replace("e_load{", "e_laod{"),
        "e.yaml:5:17: no family of the families files has the metric \"e_laod\", did you mean"
            + " \"e_load\"?");
    refused(
        DIALECT.replace("e_wait_bucket", "e_wait_total"),
        "e.yaml:8:19: no family of the families files has the metric \"e_wait_total\"");
    refused(
        DIALECT + "markers: [{family: e_gone, since: \"1\"}]\n",
        "e.yaml:9:20: no family of the families files has the metric \"e_gone\"");
    String facet = "{facet: mode, value: M, query: 'e_mode{$targets}', because: B.}";
    refused(
        DIALECT + "facets: [" + facet + "]\n",
        "e.yaml:9:41: no family of the families files has the metric \"e_mode\"");
    refused(
        DIALECT
            + "traps: [{trap: t, weight: note, query: 'e_trap{$targets}', says: S., source: S.}]\n",
        "e.yaml:9:40: no family of the families files has the metric \"e_trap\"");
  }

  @Test
  void metricsOfScrapesAndPatternsNeedNoFamily() {
    String traps =
        """
        traps:
          - {trap: a, weight: note, query: "up{$targets} == 0", says: S., source: S.}
          - {trap: b, weight: note, query: "scrape_samples_scraped{$targets}", says: S., source: S.}
          - {trap: c, weight: note, query: "count({$targets, __name__=~'e_.*'})", says: S., source: S.}
        """;
    assertThat(load(SIGNALS, Map.of("e.yaml", DIALECT + traps), ENGINES, JUDGEMENT).profile("e"))
        .isNotNull();
  }

  @Test
  void callsInTraps() {
    refused(
        DIALECT
            + "traps: [{trap: t, weight: note, query: 'e_load * $fact(gpus)', says: S., source: S.}]",
        "e.yaml:9:40: expected a query without calls such as $fact(gpus) here");
  }

  @Test
  void missingUnit() {
    assertThatThrownBy(
            () -> load(SIGNALS.replace(" unit: count,", ""), Map.of(), ENGINES, JUDGEMENT))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("signals.yaml:2:5: \"unit\" is missing in a signal");
  }

  @Test
  void wrongUnit() {
    assertThatThrownBy(
            () ->
                load(
                    SIGNALS.replace("unit: count", "unit: furlongs/s"),
                    Map.of(),
                    ENGINES,
                    JUDGEMENT))
        .hasMessageContaining("signals.yaml:2:")
        .hasMessageContaining("not \"furlongs/s\"");
  }

  @Test
  void allProblemsAreToldAtOnce() {
    assertThatThrownBy(
            () ->
                load(
                    SIGNALS.replace("layer: engine", "layer: moon"),
                    Map.of("e.yaml", DIALECT.replace("kind: engine", "kind: motor")),
                    ENGINES,
                    JUDGEMENT
                        .replace("state: degraded", "state: sad")
                        .replace("value: 3,", "value: x,")))
        .hasMessageContaining("not \"moon\"")
        .hasMessageContaining("not \"motor\"")
        .hasMessageContaining("not \"sad\"")
        .hasMessageContaining("expected a number, not \"x\"");
  }

  @Test
  void duplicates() {
    refused(DIALECT.replace("signal: wait", "signal: load"), "signal \"load\" is mapped twice");
    refused(DIALECT.replace("{id: e,", "{id: e, id: f,"), "e.yaml:1:");
  }

  @Test
  void textThatIsNotYaml() {
    refused("dialect: {id: [", "e.yaml:1:");
    refused("", "e.yaml:1:1: the file is empty");
    refused("[]", "expected the file, a mapping, not a list");
    refused("a: ".repeat(3) + "{".repeat(50), "e.yaml:1:");
  }

  @Test
  void aFileThatNestsDeep() {
    refused("a: " + "[".repeat(2000), "e.yaml:1:");
  }

  private static void refused(String dialect, String message) {
    assertThatThrownBy(() -> load(SIGNALS, Map.of("e.yaml", dialect), ENGINES, JUDGEMENT))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining(message);
  }

  private static Catalogue load(
      String signals, Map<String, String> dialects, String engines, String judgement) {
    return Catalogue.load(
        new Catalogue.Files(
            signals,
            dialects,
            engines,
            judgement,
            Map.of("families/e.yaml", FAMILIES),
            "traps: []"));
  }
}
