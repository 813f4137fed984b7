package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.query.QueryException;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;

/** Dialect files of the user's: new ones, and what they change in built-in ones. */
class OwnDialectTest {
  private static final String ACME =
      """
      dialect:
        id: acme
        title: Acme Serve
        kind: engine
        models: [model]
        identify: [{prefix: acme_}]
      families:
        - {name: acme_active, type: gauge, unit: requests, labels: [model], counts: moment}
      signals:
        - signal: running
          from: [{query: 'sum by ($by) (acme_active{$scope})', quality: exact}]
        - signal: kv_usage
          absent: Acme Serve doesn't tell how full its cache is.
      """;

  private static Catalogue with(String... texts) {
    List<Catalogue.OwnFile> files =
        List.of(texts).stream().map(text -> new Catalogue.OwnFile("own.yaml", text)).toList();
    return Catalogue.builtInWith(files);
  }

  private static SignalResult running(Catalogue catalogue, String page, String service)
      throws QueryException {
    TestWorld world = new TestWorld().add(Dump.of("page", page), "job", "host:1");
    Signals signals =
        new Signals(
            catalogue,
            Backend.queries(world),
            () -> TestWorld.NOW_MS,
            () -> 0,
            Goals.NONE,
            Facts.NONE);
    return signals
        .query(
            SignalBatch.at(
                TestWorld.NOW_MS,
                List.of(new SignalBatch.Request(service, List.of("running"), List.of()))))
        .results()
        .getFirst();
  }

  @Test
  void aNewEngineIsRecognisedAndFeedsItsSignals() throws QueryException {
    SignalResult running = running(with(ACME), "acme_active{model=\"m\"} 3\n", "acme/m");
    assertThat(running.series()).hasSize(1);
    assertThat(running.series().getFirst().values()).containsExactly(3);
    assertThat(running.quality()).isEqualTo(Quality.EXACT);
  }

  @Test
  void aLaterFileStandsOverAnEarlierOne() throws QueryException {
    String twice =
        """
        dialect: {id: acme}
        signals:
          - signal: running
            from: [{query: '2 * sum by ($by) (acme_active{$scope})', quality: estimated}]
        """;
    SignalResult running = running(with(ACME, twice), "acme_active{model=\"m\"} 3\n", "acme/m");
    assertThat(running.series().getFirst().values()).containsExactly(6);
  }

  @Test
  void aBuiltInDialectKeepsWhatTheFileDoesNotSay() throws QueryException {
    Catalogue changed =
        with(
            """
            dialect: {id: vllm, title: Our vLLM}
            families:
              - {name: "vllm:our_running", type: gauge, unit: requests, labels: [model_name]}
            signals:
              - signal: running
                from: [{query: 'sum by ($by) (vllm:our_running{$scope})', quality: exact}]
            traps:
              - {trap: ours, weight: note, query: 'vllm:our_running{$targets}', says: s, source: s}
            """);
    String page =
        "vllm:our_running{model_name=\"m\"} 5\nvllm:num_requests_running{model_name=\"m\"} 1\n";
    assertThat(running(changed, page, "vllm/m").series().getFirst().values()).containsExactly(5);
    DialectProfile before = Catalogue.builtIn().profile("vllm");
    DialectProfile after = changed.profile("vllm");
    assertThat(before).isNotNull();
    assertThat(after).isNotNull();
    assertThat(after.title()).isEqualTo("Our vLLM");
    assertThat(after.traps()).hasSize(before.traps().size() + 1);
    assertThat(after.facets()).hasSize(before.facets().size());
    assertThat(changed.families().find("vllm:num_requests_waiting")).isNotEmpty();
  }

  @Test
  void mistakesAreRefusedWithTheirPlaces() {
    assertThatThrownBy(
            () ->
                with(
                    """
                    dialect: {id: vllm}
                    signals:
                      - signal: runing
                        absent: a
                      - signal: running
                        from: [{query: 'sum by ($by) (vllm:no_such{$scope})', quality: exact}]
                    """))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("own.yaml:3:13: unknown signal \"runing\"")
        .hasMessageContaining("own.yaml:6:")
        .hasMessageContaining("vllm:no_such");
    assertThatThrownBy(() -> with("[1, 2]")).isInstanceOf(YamlException.class);
    assertThatThrownBy(() -> with("dialect: {id: new}"))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("\"title\" is missing");
    assertThatThrownBy(() -> with("dialect: {id: vllm}\nsignals: 3"))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("own.yaml:2:10");
    assertThatThrownBy(() -> with("dialect: {id: vllm}\nsignal: []"))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("unknown key \"signal\"");
    assertThatThrownBy(() -> with("a: [")).isInstanceOf(YamlException.class);
  }
}
