package org.inferometer.app;

import java.util.List;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.simulator.scenario.Causes;

/**
 * A window's truth, and what was told of it.
 *
 * @param minute since the onset, or since the beginning of what is healthy
 * @param told the causes, the root first; none if it was called healthy or nothing could be told
 * @param isGrounded whether every verdict has evidence
 */
record ScoredWindow(
    String scenario,
    String variant,
    double minute,
    String truth,
    Diagnosis.State state,
    List<String> told,
    boolean isGrounded,
    double millis,
    int gaps) {
  ScoredWindow {
    told = List.copyOf(told);
  }

  static ScoredWindow of(
      ScoredCase one, double minute, String truth, Report report, double millis) {
    Diagnosis whole = report.whole();
    List<String> told =
        whole.verdicts().stream().map(Verdict::cause).filter(c -> !isHealthy(c)).toList();
    boolean grounded = whole.verdicts().stream().noneMatch(v -> v.finding().evidence().isEmpty());
    return new ScoredWindow(
        one.scenario().name(),
        one.variant(),
        minute,
        truth,
        whole.state(),
        told,
        grounded,
        millis,
        whole.telemetry().size());
  }

  private static boolean isHealthy(String cause) {
    return cause.equals(Causes.HEALTHY);
  }

  boolean isHealthy() {
    return isHealthy(truth);
  }

  /** What stands first: a cause, healthy, or that nothing can be told. */
  String first() {
    if (!told.isEmpty()) {
      return told.getFirst();
    }
    return state == Diagnosis.State.CANNOT_TELL ? "cannot-tell" : Causes.HEALTHY;
  }

  boolean isRight() {
    return first().equals(truth);
  }

  /** Whether the truth is among the first two. */
  boolean isNearlyRight() {
    return isRight() || told.stream().limit(2).anyMatch(truth::equals);
  }

  /** Whether something is named that isn't the matter; that nothing is named is a miss. */
  boolean isWrong() {
    return !told.isEmpty() && !isRight();
  }

  boolean isUntold() {
    return first().equals("cannot-tell");
  }
}
