package org.inferometer.query.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Prometheus's own query scripts. {@code scripts.golden.tsv} holds how many evals of each file
 * pass; it may only grow.
 */
class PromqlScriptsTest {
  private static Stream<String> files() throws IOException {
    try (Stream<Path> files = Files.list(Shared.path("promql/testdata"))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".test"))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static ScriptReport run(String file) throws Exception {
    return new ScriptRunner(new LocalEvaluation())
        .run(Shared.path("promql/testdata").resolve(file));
  }

  @ParameterizedTest
  @MethodSource("files")
  void noFewerEvalsPassThanBefore(String file) throws Exception {
    ScriptReport report = run(file);
    assertThat(report.passed())
        .as("passed evals of %s, failures: %s", file, report.failures())
        .isGreaterThanOrEqualTo(Integer.parseInt(golden().get(file).split("\t")[0]));
  }

  @Test
  void everyFileIsInTheTable() throws IOException {
    assertThat(files()).containsExactlyElementsOf(golden().keySet());
  }

  private static Map<String, String> golden() throws IOException {
    try (InputStream table = PromqlScriptsTest.class.getResourceAsStream("scripts.golden.tsv")) {
      List<String> lines =
          new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).toList();
      Map<String, String> counts = new TreeMap<>();
      for (String line : lines) {
        String[] fields = line.split("\t", 2);
        counts.put(fields[0], fields[1]);
      }
      return counts;
    }
  }
}
