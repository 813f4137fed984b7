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

  private static String written(String families, String style, Measures measures, PageForm form) {
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
    assertThat(written("", "", measures, form))
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
    assertThat(written("", "", measures, form))
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
}
