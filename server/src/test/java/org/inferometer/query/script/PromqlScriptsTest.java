package org.inferometer.query.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Prometheus's own query scripts: every eval of every file passes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PromqlScriptsTest {
  /** As many as the files have; fewer means that some weren't found or read. */
  private static final int EVALS = 1525;

  private int passed;
  private int failed;

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Shared.path("promql/testdata"))) {
      return files.filter(file -> file.toString().endsWith(".test")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyEvalPasses(Path file) throws Exception {
    ScriptReport report = new ScriptRunner(new LocalEvaluation(Ticker.system())).run(file);
    passed += report.passed();
    failed += report.failed();
    assertThat(report.failures()).isEmpty();
    assertThat(report.passed()).isPositive();
  }

  @Test
  void allEvalsAreThere() throws Exception {
    long evals = 0;
    for (Path file : files()) {
      evals +=
          Script.parse(Files.readAllLines(file)).stream()
              .filter(Command.Eval.class::isInstance)
              .count();
    }
    assertThat(evals).isEqualTo(EVALS);
  }

  @AfterAll
  void printTheCount() {
    System.out.println("PromQL scripts: " + passed + " passed, " + failed + " failed");
  }
}
