package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.inferometer.query.script.LocalEvaluation;
import org.inferometer.query.script.ScriptReport;
import org.inferometer.query.script.ScriptRunner;
import org.junit.jupiter.api.Test;

/** What random queries once found wrong stays right. */
class DifferencesTest {
  @Test
  void everyCasePasses() throws Exception {
    Path script =
        Path.of(Objects.requireNonNull(getClass().getResource("differences.test")).toURI());
    ScriptReport report = new ScriptRunner(new LocalEvaluation(() -> 0)).run(script);
    assertThat(report.failures()).isEmpty();
    assertThat(report.passed()).isPositive();
  }
}
