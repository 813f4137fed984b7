package org.inferometer.promql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page about the language must name all of it, and where it has to be allowed first. */
class LanguageReferenceTest {
  private static List<String> page() throws IOException {
    return Files.readAllLines(Path.of("../docs/reference/promql.md"));
  }

  private static String lineOfExperiments() throws IOException {
    return page().stream()
        .filter(line -> line.startsWith("| `promql-experimental-functions`"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyFunctionIsNamed() throws IOException {
    String experiments = lineOfExperiments();
    String others = String.join("\n", page()).replace(experiments, "");
    for (FunctionSignature function : Functions.all()) {
      assertThat(function.experimental() ? experiments : others)
          .as("functions of the page")
          .contains("`" + function.name() + "`");
    }
  }

  @Test
  void everyAggregationIsNamed() throws IOException {
    String text = String.join("\n", page());
    assertThat(Arrays.stream(AggregateOp.values()).map(AggregateOp::keyword))
        .allSatisfy(keyword -> assertThat(text).contains("`" + keyword + "`"));
  }

  @Test
  void everyFeatureIsNamed() throws IOException {
    String text = String.join("\n", page());
    assertThat(ParserOptions.FEATURES)
        .allSatisfy(feature -> assertThat(text).contains("| `" + feature + "` |"));
  }
}
