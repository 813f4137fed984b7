package org.inferometer.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccuracyTest {
  /** How much an error may grow before somebody has to look, and commit new results. */
  private static final double GROWTH = 0.03;

  private static final Path RESULTS = Path.of("results/simulator-accuracy.json");

  /** A few rows of the page, whole: no error is larger than the committed one by much. */
  @ParameterizedTest
  @CsvSource({
    "llama-8b-h100, 1 requests/s asked",
    "llama-8b-h100-prefix, 43.31 requests/s asked",
    "qwen3-4b-rtx4500, 16 users",
    "'qwen3-32b-routing', 'prefix-aware, 3 requests/s'",
    "'prefill-saturation', '2 tokens out, steps one after another'",
    "power-cap-3090, prefill at 315 W",
    "'kv-capacity', 'Qwen3 30B A3B, H100, 0.92'",
  })
  void errors_areNoLargerThanCommitted(String id, String name) throws IOException {
    AccuracyCase whole = AccuracyCase.builtIn(id);
    List<AccuracyCase.Run> one =
        whole.runs().stream().filter(run -> run.name().equals(name)).toList();
    assertThat(one).as(name).hasSize(1);
    AccuracyCase of =
        new AccuracyCase(
            id, whole.title(), whole.source(), whole.assumptions(), whole.scenario(), one);
    for (Comparison.Row row : Comparison.run(of, Double.MAX_VALUE).rows()) {
      double committed =
          AccuracyResults.read(RESULTS, id).stream()
              .filter(other -> other.run().equals(name) && other.figure() == row.figure())
              .mapToDouble(Comparison.Row::error)
              .findFirst()
              .orElseThrow();
      assertThat(Math.abs(row.error()))
          .as("%s of %s, %s: run bin/bench simulator-accuracy", row.figure(), id, name)
          .isLessThanOrEqualTo(Math.abs(committed) + GROWTH);
    }
  }

  @Test
  void allCases_canBeReadAndHaveResults() throws IOException {
    for (String id : AccuracyCase.IDS) {
      AccuracyCase of = AccuracyCase.builtIn(id);
      int figures = of.runs().stream().mapToInt(run -> run.published().size()).sum();
      assertThat(AccuracyResults.read(RESULTS, id)).as(id).hasSize(figures);
      assertThat(of.source()).as(id).isNotBlank();
    }
  }

  @Test
  void wrongCase_isToldWithItsLines() {
    String text =
        """
        title: t
        source: s
        scenario: x
        speed: 1
        runs:
          - {name: a, set: 3, published: {ttft: 1}}
        """;
    assertThatThrownBy(() -> AccuracyCase.read("c", "c.yaml", text))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("c.yaml:6:")
        .hasMessageContaining("expected a mapping, not \"3\"")
        .hasMessageContaining("there is no figure \"ttft\"")
        .hasMessageContaining("unknown key \"speed\"");
  }

  @Test
  void damagedCase_isRefusedOrRead() {
    String text = "title: t\nsource: s\nscenario: x\nruns:\n  - {name: a, published: {power: 1}}\n";
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      char[] damaged = text.toCharArray();
      damaged[random.nextInt(damaged.length)] = (char) (32 + random.nextInt(95));
      try {
        assertThat(AccuracyCase.read("c", "c.yaml", new String(damaged)).id()).isEqualTo("c");
      } catch (YamlException e) {
        assertThat(e.getMessage()).as("seed 3, turn %d", i).contains("c.yaml:");
      }
    }
  }
}
