package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.ServerQuantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageWriterTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<Subject> subjects = new ArrayList<>();

  private static PageForm form(String families) {
    return PageFile.read("p.yaml", "page: p\nstyle: go\nfamilies:\n" + families)
        .form(Version.parse("1"), Map.of());
  }

  private Measures engine(PageForm form, String... facts) {
    Measures measures = new Measures(EngineQuantity.class, form.edges(), 0);
    Map<String, String> all = facts.length == 0 ? Map.of() : Map.of(facts[0], facts[1]);
    subjects.add(new Subject("engine", Map.of("engine", "0"), all, measures));
    return measures;
  }

  private Measures server(PageForm form) {
    Measures measures = new Measures(ServerQuantity.class, form.edges(), 0);
    subjects.add(new Subject("server", Map.of(), Map.of(), measures));
    return measures;
  }

  /** The samples, without what is said of families. */
  private List<String> samples(PageWriter writer, long seconds) {
    Page page = writer.write(subjects, seconds * SECOND);
    return new String(page.body(), 0, page.length(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  @Test
  void processes_thatHaveTheSameLabels_areAdded() {
    PageForm form =
        form(
            """
            - {name: a, type: counter, of: server, value: http_requests, label: [method, handler, status]}
            - {name: b, type: histogram, of: server, value: http_seconds, label: [method, handler], buckets: [1]}
            """);
    Measures one = server(form);
    Measures other = server(form);
    one.add(ServerQuantity.HTTP_REQUESTS, "GET\n/x\n2xx", 2);
    other.add(ServerQuantity.HTTP_REQUESTS, "GET\n/x\n2xx", 3);
    other.distribution(ServerQuantity.HTTP_SECONDS, "GET\n/x").observe(0.5);
    PageWriter writer = form.writer(0);
    assertThat(samples(writer, 1))
        .containsExactly(
            "a{handler=\"/x\",method=\"GET\",status=\"2xx\"} 5",
            "b_bucket{handler=\"/x\",method=\"GET\",le=\"1\"} 1",
            "b_bucket{handler=\"/x\",method=\"GET\",le=\"+Inf\"} 1",
            "b_sum{handler=\"/x\",method=\"GET\"} 0.5",
            "b_count{handler=\"/x\",method=\"GET\"} 1");
    one.distribution(ServerQuantity.HTTP_SECONDS, "GET\n/x").observe(2);
    assertThat(samples(writer, 2)).contains("b_count{handler=\"/x\",method=\"GET\"} 2");
  }

  @Test
  void parts_thatArentToldApart_areAdded() {
    PageForm form =
        form("- {name: a, type: counter, of: server, value: http_requests, label: [_, path, _]}");
    Measures server = server(form);
    server.add(ServerQuantity.HTTP_REQUESTS, "GET\n/x\n2xx", 2);
    PageWriter writer = form.writer(0);
    assertThat(samples(writer, 1)).containsExactly("a{path=\"/x\"} 2");
    server.add(ServerQuantity.HTTP_REQUESTS, "POST\n/x\n5xx", 1);
    assertThat(samples(writer, 2)).containsExactly("a{path=\"/x\"} 3");
  }

  @Test
  void bounds_ofOneQuantity_mayDiffer_andAreScaled() {
    PageForm form =
        form(
            """
            - {name: a, type: histogram, of: engine, value: ttft, buckets: [0.5, 1]}
            - {name: b_ms, type: histogram, of: engine, value: ttft, buckets: [250, 1000], scale: 1000}
            """);
    Measures engine = engine(form);
    engine.distribution(EngineQuantity.TTFT).observe(0.25);
    engine.distribution(EngineQuantity.TTFT).observe(0.75);
    assertThat(samples(form.writer(0), 1))
        .containsExactly(
            "a_bucket{engine=\"0\",le=\"0.5\"} 1",
            "a_bucket{engine=\"0\",le=\"1\"} 2",
            "a_bucket{engine=\"0\",le=\"+Inf\"} 2",
            "a_sum{engine=\"0\"} 1",
            "a_count{engine=\"0\"} 2",
            "b_ms_bucket{engine=\"0\",le=\"250\"} 1",
            "b_ms_bucket{engine=\"0\",le=\"1000\"} 2",
            "b_ms_bucket{engine=\"0\",le=\"+Inf\"} 2",
            "b_ms_sum{engine=\"0\"} 1000",
            "b_ms_count{engine=\"0\"} 2");
  }

  @Test
  void measures_withOtherEdges_areRefused() {
    PageForm form = form("- {name: a, type: histogram, of: engine, value: ttft, buckets: [0.5]}");
    subjects.add(
        new Subject(
            "engine",
            Map.of(),
            Map.of(),
            new Measures(EngineQuantity.class, Measures.Edges.fine(), 0)));
    assertThatThrownBy(() -> samples(form.writer(0), 1))
        .hasMessageContaining("expected an edge at 0.5");
  }

  @Test
  void sets_ofAdapters_areRemembered_withTheTimeOfTheirLast() {
    PageForm form =
        form(
            "- {name: a, type: gauge, of: engine, value: clock:now, remember: true,"
                + " labels: {running: $join:adapters_running}, subject_labels: []}");
    Measures engine = engine(form);
    engine.set(EngineQuantity.ADAPTERS_RUNNING, "x", 1);
    engine.set(EngineQuantity.ADAPTERS_RUNNING, "y", 1);
    PageWriter writer = form.writer(1_000);
    assertThat(samples(writer, 10)).containsExactly("a{running=\"x,y\"} 11");
    engine.clear(EngineQuantity.ADAPTERS_RUNNING);
    engine.set(EngineQuantity.ADAPTERS_RUNNING, "z", 1);
    assertThat(samples(writer, 20)).containsExactly("a{running=\"x,y\"} 11", "a{running=\"z\"} 21");
  }

  @Test
  void labels_ofGaugesThatAreGone_areGone() {
    PageForm form =
        form("- {name: a, type: gauge, of: engine, value: adapters_running, label: adapter}");
    Measures engine = engine(form);
    engine.set(EngineQuantity.ADAPTERS_RUNNING, "x", 1);
    PageWriter writer = form.writer(0);
    assertThat(samples(writer, 1)).hasSize(1);
    engine.clear(EngineQuantity.ADAPTERS_RUNNING);
    assertThat(samples(writer, 2)).isEmpty();
  }

  @Test
  void rise_isOfTheTimeSinceThePageBefore_andMayKeep() {
    PageForm form =
        form(
            """
            - {name: a, type: gauge, of: engine, value: {sum: [generation_tokens], rise: true, per_second: true}}
            - {name: b, type: gauge, of: engine, value: {sum: [generation_tokens], rise: true, per_second: true, keeps: true}}
            - {name: c, type: gauge, of: engine, value: {sum: [prefix_hit_tokens], over: [prefix_query_tokens], rise: true}}
            """);
    Measures engine = engine(form);
    PageWriter writer = form.writer(0);
    engine.add(EngineQuantity.GENERATION_TOKENS, 100);
    engine.add(EngineQuantity.PREFIX_QUERY_TOKENS, 50);
    engine.add(EngineQuantity.PREFIX_HIT_TOKENS, 10);
    assertThat(samples(writer, 10))
        .containsExactly("a{engine=\"0\"} 10", "b{engine=\"0\"} 10", "c{engine=\"0\"} 0.2");
    assertThat(samples(writer, 10)).contains("a{engine=\"0\"} 10");
    assertThat(samples(writer, 20))
        .containsExactly("a{engine=\"0\"} 0", "b{engine=\"0\"} 10", "c{engine=\"0\"} 0");
  }

  @ParameterizedTest
  @CsvSource({"vllm, 0.31.0, python", "vllm, 0.31.0, rust", "sglang, 0.5.12, ''"})
  void engines_haveASeriesEach_orOneTogether(String page, String release, String frontend) {
    PageForm form = VllmSample.form(page, release, frontend);
    String text = VllmSample.ofTwoEngines(form, "adapters", "4");
    List<String> series =
        text.lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.substring(0, line.lastIndexOf(' ')))
            .toList();
    assertThat(series).doesNotHaveDuplicates().hasSizeGreaterThan(300);
    String running =
        page.equals("vllm") ? "vllm:num_requests_running{" : "sglang:num_running_reqs{";
    assertThat(series).filteredOn(one -> one.startsWith(running)).hasSize(2);
  }

  @Test
  void enginesThatAFamilyDoesntTellApart_areAdded() {
    PageForm form =
        form("- {name: a, type: counter, of: engine, value: preemptions, subject_labels: [m]}");
    for (String engine : List.of("0", "1")) {
      Measures measures = new Measures(EngineQuantity.class, form.edges(), 0);
      measures.add(EngineQuantity.PREEMPTIONS, 3);
      Map<String, String> labels = Map.of("engine", engine, "m", "x");
      subjects.add(new Subject("engine", labels, Map.of(), measures));
    }
    assertThat(samples(form.writer(0), 1)).containsExactly("a{m=\"x\"} 6");
  }

  @Test
  void lazySeries_comeOnceTheyMoved() {
    PageForm form = form("- {name: a, type: counter, of: engine, value: preemptions, lazy: true}");
    Measures engine = engine(form);
    PageWriter writer = form.writer(0);
    assertThat(samples(writer, 1)).isEmpty();
    engine.add(EngineQuantity.PREEMPTIONS, 1);
    assertThat(samples(writer, 2)).containsExactly("a{engine=\"0\"} 1");
  }

  @Test
  void factsDecide_whatIsThereAndWhatStaysZero() {
    PageForm form =
        form(
            """
            - {name: a, type: gauge, of: engine, value: "fact:limit", when: limit}
            - {name: b, type: counter, of: engine, value: flops_per_gpu, needs: limit}
            """);
    Measures without = engine(form);
    without.add(EngineQuantity.FLOPS_PER_GPU, 7);
    assertThat(samples(form.writer(0), 1)).containsExactly("b{engine=\"0\"} 0");
    subjects.clear();
    engine(form, "limit", "4").add(EngineQuantity.FLOPS_PER_GPU, 7);
    assertThat(samples(form.writer(0), 1))
        .containsExactly("a{engine=\"0\"} 4", "b{engine=\"0\"} 7");
  }

  @Test
  void restart_startsAnew() {
    PageForm form = form("- {name: a, type: gauge, of: engine, value: clock:start}");
    engine(form);
    PageWriter writer = form.writer(1_000);
    assertThat(samples(writer, 5)).containsExactly("a{engine=\"0\"} 1");
    subjects.set(
        0,
        new Subject(
            "engine",
            Map.of("engine", "0"),
            Map.of(),
            new Measures(EngineQuantity.class, form.edges(), 4 * SECOND)));
    assertThat(samples(writer, 5)).containsExactly("a{engine=\"0\"} 5");
  }

  @Test
  void missingFact_isNamed() {
    PageForm form =
        form("- {name: a, type: gauge, of: engine, value: 1, labels: {blocks: $num_gpu_blocks}}");
    engine(form);
    assertThatThrownBy(() -> samples(form.writer(0), 1))
        .hasMessageContaining("p.yaml:4")
        .hasMessageContaining("$num_gpu_blocks");
  }

  @Test
  void valuesOfLabels_areEscaped() {
    PageForm form = form("- {name: a, type: gauge, of: engine, value: 1, labels: {m: $m}}");
    engine(form, "m", "a\"b\\c\nd");
    assertThat(samples(form.writer(0), 1))
        .containsExactly("a{engine=\"0\",m=\"a\\\"b\\\\c\\nd\"} 1");
  }
}
