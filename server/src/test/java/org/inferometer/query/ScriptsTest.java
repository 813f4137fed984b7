package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.inferometer.query.script.LocalEvaluation;
import org.inferometer.query.script.ScriptReport;
import org.inferometer.query.script.ScriptRunner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was once found wrong, or is easily got wrong, stays right: scripts of our own. */
class ScriptsTest {
  @ParameterizedTest
  @ValueSource(strings = {"differences.test", "parsing.test", "semantics.test", "histograms.test"})
  void everyCasePasses(String name) throws Exception {
    Path script = Path.of(Objects.requireNonNull(getClass().getResource(name)).toURI());
    ScriptReport report = new ScriptRunner(new LocalEvaluation(() -> 0)).run(script);
    assertThat(report.failures()).isEmpty();
    assertThat(report.passed()).isPositive();
  }
}
