package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;

class PageFileTest {
  private static final String HEAD = "page: p\nstyle: python\nfamilies:\n";

  private static String written(Measures measures, PageForm form) {
    Subject subject =
        new Subject("engine", Map.of("engine", "0", "model_name", "m"), Map.of(), measures);
    Page page = form.writer(1_000_000_000_000L).write(List.of(subject), 5_000_000_000L);
    return new String(page.body(), 0, page.length(), StandardCharsets.UTF_8);
  }

  private static PageForm form(String style, String families) {
    String text = "page: p\nstyle: " + style + "\ncreated: [python]\nfamilies:\n" + families;
    return PageFile.read("p.yaml", text).form(Version.parse("0.9"), "python", Map.of());
  }

  private static Measures measures(PageForm form) {
    return new Measures(EngineQuantity.class, form.edges(), 2_000_000_000L);
  }

  @Test
  void counter_ofPython_hasItsCreation() {
    PageForm form =
        form(
            "python", "- {name: a_total, type: counter, help: A., of: engine, value: preemptions}");
    Measures measures = measures(form);
    measures.add(EngineQuantity.PREEMPTIONS, 1234567);
    assertThat(written(measures, form))
        .isEqualTo(
            """
            # HELP a_total A.
            # TYPE a_total counter
            a_total{engine="0",model_name="m"} 1.234567e+06
            # HELP a_created A.
            # TYPE a_created gauge
            a_created{engine="0",model_name="m"} 1.000000002e+09
            """);
  }

  @Test
  void histogram_ofRust_hasLabelsInThePagesOrder() {
    PageForm form =
        PageFile.read(
                "p.yaml",
                """
                page: p
                style: rust
                order: [model_name, engine]
                families:
                  - {name: a, type: histogram, help: A, of: engine, value: ttft, buckets: [0.5, 1]}
                  - {name: b_total, type: counter, help: B, of: engine, value: finished, label: why, seed: [x]}
                """)
            .form(Version.parse("1"), Map.of());
    Measures measures = measures(form);
    measures.distribution(EngineQuantity.TTFT).observe(0.75);
    measures.add(EngineQuantity.FINISHED, "y", 2);
    assertThat(written(measures, form))
        .isEqualTo(
            """
            # HELP a A.
            # TYPE a histogram
            a_sum{model_name="m",engine="0"} 0.75
            a_count{model_name="m",engine="0"} 1
            a_bucket{le="0.5",model_name="m",engine="0"} 0
            a_bucket{le="1.0",model_name="m",engine="0"} 1
            a_bucket{le="+Inf",model_name="m",engine="0"} 1
            # HELP b B.
            # TYPE b counter
            b_total{model_name="m",engine="0",why="x"} 0
            b_total{model_name="m",engine="0",why="y"} 2
            # EOF
            """);
  }

  @Test
  void unknownThings_areToldByPlace() {
    assertThatThrownBy(
            () ->
                PageFile.read(
                    "p.yaml",
                    HEAD
                        + "- {name: a, type: gauge, of: engine, value: runing}\n"
                        + "- {name: b, type: gauge, of: engine, value: running, colour: red}\n"))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("p.yaml:4:")
        .hasMessageContaining("not \"runing\"")
        .hasMessageContaining("p.yaml:5:")
        .hasMessageContaining("unknown key \"colour\"");
  }

  @Test
  void contradictions_areToldByPlace() {
    String text =
        """
        page: p
        style: {python: python}
        bounds:
          - {name: x, edges: [2, 1]}
        families:
          - {name: "a b", type: gauge, of: engine, value: running}
          - {name: b, type: histogram, of: engine, value: running, buckets: x}
          - {name: c, type: gauge, of: engine, value: ttft}
          - {name: d, type: counter, of: engine, value: finished}
          - {name: e, type: counter, of: engine, value: preemptions, label: why}
          - {name: f, type: histogram, of: engine, value: ttft, buckets: y}
          - {name: g, type: gauge, of: engine, value: running, frontends: [rust]}
          - {name: h, type: gauge, of: engine, value: {sum: [ttft]}}
          - {name: i, type: gauge, of: engine, value: 1, since: 0.9, last: 0.8}
          - {name: j, type: gauge, of: engine, value: 1, labels: {a-b: c}}
        """;
    assertThatThrownBy(() -> PageFile.read("p.yaml", text))
        .hasMessageContaining("p.yaml:4:22: expected rising bounds")
        .hasMessageContaining("p.yaml:6:12: expected the name of a metric")
        .hasMessageContaining("p.yaml:7:51: expected a distribution")
        .hasMessageContaining("p.yaml:8:47: a distribution can be")
        .hasMessageContaining("p.yaml:9:49: expected \"label\"")
        .hasMessageContaining("p.yaml:10:69: a quantity without labels")
        .hasMessageContaining("p.yaml:11:66: no bounds of the page are called \"y\"")
        .hasMessageContaining("p.yaml:12:5: g names the front end \"rust\"")
        .hasMessageContaining("that part of its quantity isn't there: \"ttft\"")
        .hasMessageContaining("expected a release from 0.9 on")
        .hasMessageContaining("expected the name of a label, not \"a-b\"");
  }

  @Test
  void familyTwiceInOneRelease_isRefused_butNotInTwo() {
    String family = "- {name: a, type: gauge, of: engine, value: 1, %s}%n";
    String apart = family.formatted("last: 0.8") + family.formatted("since: 0.9");
    assertThat(
            PageFile.read("p.yaml", HEAD + apart).form(Version.parse("0.9"), Map.of()).families())
        .containsExactly("a");
    String both = family.formatted("last: 0.9") + family.formatted("since: 0.9");
    PageFile page = PageFile.read("p.yaml", HEAD + both);
    assertThatThrownBy(() -> page.form(Version.parse("0.9"), Map.of()))
        .hasMessageContaining("p.yaml:5:")
        .hasMessageContaining("a stands twice");
  }

  @Test
  void frontEnd_thatWasntThereYet_isRefused() {
    PageFile page = PageFile.builtIn("vllm");
    assertThatThrownBy(() -> page.form(Version.parse("0.15.1"), "rust", Map.of()))
        .hasMessage("the page vllm has nothing for 0.15.1 rust");
    assertThatThrownBy(() -> page.form(Version.parse("0.31"), "perl", Map.of()))
        .hasMessage("the page vllm has no front end perl");
  }

  /** Damage is told as what is wrong at a place, or does no harm. */
  @Test
  void damagedFile_isRefusedByPlace() {
    String text =
        """
        page: p
        style: {python: python, rust: rust}
        created: [python]
        bounds: [{name: x, edges: [1, 2]}]
        families:
          - {name: a, type: histogram, of: engine, value: ttft, buckets: x, since: 0.9, help: "A \\n"}
          - {name: b, type: gauge, of: engine, rows: [{value: {sum: [running]}, labels: {a: $b}}]}
        """;
    int refused = 0;
    for (int i = 0; i < text.length(); i++) {
      for (String put : List.of("", "{", "]", ":", "\u0000", "- ", "999")) {
        String damaged = text.substring(0, i) + put + text.substring(i + 1);
        try {
          PageFile.read("p.yaml", damaged);
        } catch (YamlException e) {
          assertThat(e).hasMessageStartingWith("p.yaml:");
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(text.length());
  }
}
