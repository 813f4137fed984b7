package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.inferometer.simulator.scenario.Causes;
import org.inferometer.simulator.scenario.Scenario;
import org.junit.jupiter.api.Test;

/**
 * The short form of {@code bin/score}: one run of a scenario for each cause, and of the healthy
 * twins. It takes a minute or two, since half an hour of some sixty fleets is simulated; what a
 * change of a check breaks is seen in no other way. The figures may rise and not fall: who raises
 * them writes the new ones down.
 */
class ScoreTest {
  private static final String LANDED = "/score-landed.properties";

  /** A figure is written with one digit. */
  private static final double ROUNDING = 0.05;

  @Test
  void accuracy_isNotBelowTheLastLandedFigures()
      throws InterruptedException, ExecutionException, IOException {
    List<ScoredWindow> windows = Score.run(shortForm(), null);
    ScoreTable table = new ScoreTable(windows);
    Properties landed = landed();
    String told = wrong(windows);
    assertThat(table.top1() * 100)
        .as("true cause first, %%; told wrongly:%n%s", told)
        .isGreaterThanOrEqualTo(figure(landed, "first") - ROUNDING);
    assertThat(table.wrong() * 100)
        .as("wrong cause first, %%; told wrongly:%n%s", told)
        .isLessThanOrEqualTo(figure(landed, "wrong") + ROUNDING);
    assertThat(table.falseAlarms() * 1000)
        .as("false alarms in 1,000 healthy windows; told wrongly:%n%s", told)
        .isLessThanOrEqualTo(figure(landed, "false_alarms") + ROUNDING);
    assertThat(table.grounded()).as("verdicts with evidence").isEqualTo(1);
  }

  /** The scenario that is called by its cause, and each one's twins. */
  private static List<ScoredCase> shortForm() {
    List<Scenario> all = ScoredSet.scenarios();
    Set<String> causes = Set.copyOf(Causes.ALL);
    return all.stream()
        .filter(
            one ->
                causes.contains(one.name())
                    || causes.contains(String.valueOf(one.truth().twinOf())))
        .map(one -> ScoredCase.of(one, 3, 15_000))
        .toList();
  }

  private static String wrong(List<ScoredWindow> windows) {
    StringBuilder told = new StringBuilder();
    for (ScoredWindow one : windows) {
      if (!one.isRight()) {
        told.append(one.scenario())
            .append(" at minute ")
            .append(one.minute())
            .append(": ")
            .append(one.told().isEmpty() ? one.first() : one.told())
            .append(System.lineSeparator());
      }
    }
    return told.toString();
  }

  private static Properties landed() throws IOException {
    Properties landed = new Properties();
    try (InputStream in = ScoreTest.class.getResourceAsStream(LANDED)) {
      assertThat(in).isNotNull();
      landed.load(in);
    }
    return landed;
  }

  private static double figure(Properties landed, String name) {
    return Double.parseDouble(landed.getProperty(name));
  }
}
