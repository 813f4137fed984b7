package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HoldRule;
import org.inferometer.diagnosis.watch.Looks;
import org.inferometer.query.QueryException;
import org.inferometer.time.SimulatedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContinuousDiagnosisTest {
  private static final long SECOND = 1_000_000_000L;

  private final SimulatedTime time = new SimulatedTime(1_000_000);
  private final FindingLog log = new FindingLog(HoldRule.DEFAULT);
  private final DiagnosisStats stats = new DiagnosisStats();
  private final List<Long> seconds = new ArrayList<>();
  private ContinuousDiagnosis.Rhythm rhythm = new ContinuousDiagnosis.Rhythm(true, 30_000, 300_000);

  @AfterEach
  void end() {
    time.close();
  }

  private void start(ContinuousDiagnosis.Looking looking) {
    ContinuousDiagnosis task =
        new ContinuousDiagnosis(
            () -> rhythm,
            request -> {
              seconds.add(time.nanos() / SECOND);
              return looking.look(request);
            },
            log,
            _ -> {},
            stats,
            time,
            time);
    time.start("diagnosis", 0, task);
  }

  @Test
  void looks_comeAtTheInterval_andAreAboutTheWindow() {
    List<Long> ends = new ArrayList<>();
    start(
        request -> {
          ends.add(request.window().endMs());
          assertThat(request.window().lengthMs()).isEqualTo(300_000);
          return Looks.healthy();
        });
    time.runUntil(70 * SECOND);
    assertThat(seconds).containsExactly(0L, 30L, 60L);
    assertThat(ends).containsExactly(1_000_000L, 1_030_000L, 1_060_000L);
    assertThat(stats.looks()).isEqualTo(3);
    assertThat(log.newest()).isNotNull();
  }

  @Test
  void looksThatComeDueWhileOneGoesOn_areLeftOut() {
    start(
        request -> {
          pass(seconds.size() == 1 ? 65 : 1);
          return Looks.healthy();
        });
    time.runUntil(130 * SECOND);
    assertThat(seconds).containsExactly(0L, 90L, 120L);
    assertThat(stats.skips()).isEqualTo(2);
  }

  private void pass(long passed) {
    try {
      time.pass(passed * SECOND);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void lookThatFails_isCounted_andTheNextOneComes() {
    start(
        request -> {
          if (seconds.size() == 1) {
            throw new QueryException(QueryException.Kind.TIMEOUT, "too long");
          }
          if (seconds.size() == 2) {
            throw new IllegalStateException("a bug");
          }
          return Looks.healthy();
        });
    time.runUntil(60 * SECOND);
    assertThat(stats.failures()).isEqualTo(2);
    assertThat(stats.looks()).isEqualTo(1);
  }

  @Test
  void switchedOff_looksAgainOnceItIsOn() {
    rhythm = new ContinuousDiagnosis.Rhythm(false, 30_000, 300_000);
    start(_ -> Looks.healthy());
    time.runUntil(10 * SECOND);
    assertThat(seconds).isEmpty();
    rhythm = new ContinuousDiagnosis.Rhythm(true, 30_000, 300_000);
    time.runUntil(12 * SECOND);
    assertThat(seconds).hasSize(1);
  }
}
