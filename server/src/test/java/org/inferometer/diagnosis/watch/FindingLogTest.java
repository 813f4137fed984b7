package org.inferometer.diagnosis.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Diagnosis.State;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.signals.Layer;
import org.junit.jupiter.api.Test;

class FindingLogTest {
  private static final long STEP_MS = 30_000;
  private static final long START_MS = 1_790_000_000_000L;

  private final FindingLog log = new FindingLog(HoldRule.DEFAULT);
  private long timeMs = START_MS;

  /** One look more. */
  private void look(Report report) {
    log.take(timeMs, report);
    timeMs += STEP_MS;
  }

  private List<String> held() {
    return log.held().stream().map(HeldFinding::cause).toList();
  }

  private ServiceStatus status() {
    assertThat(log.statuses()).hasSize(1);
    return log.statuses().getFirst();
  }

  private static Report seen(double confidence) {
    return Looks.degraded(Looks.verdict("kv-exhaustion", confidence));
  }

  @Test
  void finding_seenOnce_isNotToldYet() {
    look(Looks.healthy());
    look(seen(0.8));
    assertThat(held()).isEmpty();
    assertThat(status().state()).isEqualTo(State.HEALTHY);
    assertThat(status().sentence()).isEqualTo("It is healthy.");
  }

  @Test
  void finding_seenInTwoOfThreeLooks_isTold() {
    look(Looks.healthy());
    look(seen(0.8));
    look(Looks.healthy());
    look(seen(0.7));
    assertThat(held()).containsExactly("kv-exhaustion");
    assertThat(status().state()).isEqualTo(State.DEGRADED);
    assertThat(status().sentence()).isEqualTo("kv-exhaustion it is.");
    assertThat(log.held().getFirst().confidence()).isEqualTo(0.7);
  }

  @Test
  void finding_seenInOneOfThreeLooksAgainAndAgain_isNeverTold() {
    for (int i = 0; i < 5; i++) {
      look(seen(0.8));
      look(Looks.healthy());
      look(Looks.healthy());
      assertThat(held()).isEmpty();
    }
  }

  @Test
  void sureFinding_isToldAtOnce() {
    look(Looks.healthy());
    look(seen(0.95));
    assertThat(held()).containsExactly("kv-exhaustion");
    assertThat(status().sinceMs()).isEqualTo(START_MS + STEP_MS);
  }

  @Test
  void finding_missedTwice_isToldOn_missedThreeTimes_isOver() {
    look(seen(0.95));
    look(Looks.healthy());
    look(Looks.healthy());
    assertThat(held()).containsExactly("kv-exhaustion");
    assertThat(status().state()).isEqualTo(State.DEGRADED);
    assertThat(status().sentence()).isEqualTo("kv-exhaustion it is.");
    look(Looks.healthy());
    assertThat(held()).isEmpty();
    assertThat(status().state()).isEqualTo(State.HEALTHY);
    assertThat(status().sentence()).isEqualTo("It is healthy.");
    HeldFinding past = log.findings(START_MS, timeMs).getFirst();
    assertThat(past.endMs()).isEqualTo(START_MS);
    assertThat(log.findings(START_MS + 1, timeMs)).isEmpty();
  }

  @Test
  void finding_missedTwiceAndSeenAgain_holdsAllAlong() {
    look(seen(0.95));
    look(Looks.healthy());
    look(Looks.healthy());
    look(seen(0.6));
    look(Looks.healthy());
    look(Looks.healthy());
    assertThat(log.held().getFirst().seenMs()).isEqualTo(START_MS);
  }

  @Test
  void onset_isTheBeginning() {
    look(Looks.healthy());
    look(Looks.degraded(Looks.verdict("power-throttle", 0.95, "a:8000", null, START_MS - 40_000)));
    assertThat(log.held().getFirst().startMs()).isEqualTo(START_MS - 40_000);
    assertThat(status().sinceMs()).isEqualTo(START_MS - 40_000);
  }

  @Test
  void sameCauseElsewhere_isAnotherFinding() {
    look(
        Looks.degraded(
            Looks.verdict("slow-replica", 0.95, "a:8000", null, null),
            Looks.verdict("slow-replica", 0.95, "b:8000", null, null)));
    assertThat(log.held())
        .extracting(f -> f.scope().instance())
        .containsExactly("a:8000", "b:8000");
  }

  @Test
  void root_comesFirstAsInTheLatestLook() {
    look(Looks.degraded(Looks.verdict("capacity", 0.95)));
    look(
        Looks.degraded(
            Looks.verdict("power-throttle", 0.95),
            Looks.verdict("capacity", 0.7, null, "power-throttle", null)));
    assertThat(held()).containsExactly("power-throttle", "capacity");
    assertThat(log.held()).extracting(HeldFinding::isRoot).containsExactly(true, false);
    assertThat(status().sentence()).isEqualTo("power-throttle it is.");
  }

  @Test
  void unsureRootBesideOneThatHolds_doesNotTakeTheSentence() {
    look(Looks.degraded(Looks.verdict("capacity", 0.95)));
    look(Looks.degraded(Looks.verdict("kv-exhaustion", 0.7), Looks.verdict("capacity", 0.6)));
    assertThat(status().sentence()).isEqualTo("capacity it is.");
  }

  @Test
  void otherStates_changeAfterTwoLooks() {
    look(Looks.healthy());
    look(Looks.report(Looks.diagnosis(State.NO_TRAFFIC)));
    assertThat(status().state()).isEqualTo(State.HEALTHY);
    look(Looks.report(Looks.diagnosis(State.NO_TRAFFIC)));
    assertThat(status().state()).isEqualTo(State.NO_TRAFFIC);
    assertThat(status().sentence()).isEqualTo("It is no-traffic.");
  }

  @Test
  void serviceThatIsNotWatchedAnyMore_isForgotten_itsFindingsAreOver() {
    look(seen(0.95));
    look(new Report(Looks.diagnosis(State.CANNOT_TELL), List.of()));
    assertThat(log.statuses()).isEmpty();
    assertThat(log.findings(START_MS, timeMs))
        .extracting(HeldFinding::endMs)
        .containsOnly(START_MS);
    assertThat(log.incidents(START_MS, timeMs)).hasSize(1);
  }

  private static Report untold() {
    return Looks.report(Looks.diagnosis(State.CANNOT_TELL));
  }

  /** Requests that began under it end later, so that something is still felt. */
  @Test
  void findingThatWasSeenForLong_isToldOn_whileNothingElseIsFound() {
    for (int i = 0; i < 6; i++) {
      look(seen(0.95));
    }
    for (int i = 0; i < 5; i++) {
      look(untold());
      assertThat(held()).containsExactly("kv-exhaustion");
      assertThat(status().state()).isEqualTo(State.DEGRADED);
    }
    look(untold());
    assertThat(held()).isEmpty();
    assertThat(status().state()).isEqualTo(State.CANNOT_TELL);
  }

  @Test
  void findingThatWasSeenShortly_isNotToldOn() {
    look(seen(0.95));
    look(seen(0.95));
    for (int i = 0; i < 3; i++) {
      look(untold());
    }
    assertThat(held()).isEmpty();
  }

  @Test
  void whatComesWhenAnotherEbbs_isNotTold_untilThatIsOver() {
    for (int i = 0; i < 6; i++) {
      look(seen(0.95));
    }
    for (int i = 0; i < 5; i++) {
      look(Looks.degraded(Looks.verdict("frontend-cpu", 0.95)));
      assertThat(held()).containsExactly("kv-exhaustion");
      assertThat(status().sentence()).isEqualTo("kv-exhaustion it is.");
    }
    look(Looks.degraded(Looks.verdict("frontend-cpu", 0.95)));
    assertThat(held()).containsExactly("frontend-cpu");
  }

  @Test
  void whatFollowsFromOneThatEbbs_isTold() {
    for (int i = 0; i < 6; i++) {
      look(seen(0.95));
    }
    look(Looks.degraded(Looks.verdict("capacity", 0.95, null, "kv-exhaustion", null)));
    assertThat(held()).contains("capacity");
  }

  @Test
  void thatAllIsWell_isNoFinding() {
    for (int i = 0; i < 3; i++) {
      look(Looks.report(Looks.diagnosis(State.HEALTHY, Looks.verdict("healthy", 0.95))));
    }
    assertThat(held()).isEmpty();
    assertThat(status().state()).isEqualTo(State.HEALTHY);
    assertThat(status().sentence()).isEqualTo("healthy it is.");
  }

  @Test
  void faultThatNobodyFeels_isAFindingOfAServiceThatIsWell() {
    look(Looks.report(Looks.diagnosis(State.HEALTHY, Looks.verdict("hardware-fault", 0.95))));
    assertThat(held()).containsExactly("hardware-fault");
    assertThat(status().state()).isEqualTo(State.HEALTHY);
    assertThat(status().sentence()).isEqualTo("hardware-fault it is.");
  }

  @Test
  void incident_hasWhatMovedFirstInEachLayerAndWhatHappened() {
    look(Looks.healthy());
    ChangePoint queue =
        new ChangePoint("queue_time_p95", Layer.REQUEST, null, START_MS + 20_000, 0, 1, 9);
    ChangePoint clock = new ChangePoint("sm_clock", Layer.GPU, "a", START_MS + 5_000, 2, 1, 9);
    ChangePoint power = new ChangePoint("power", Layer.GPU, "a", START_MS + 9_000, 2, 1, 9);
    ChangePoint longAgo = new ChangePoint("running", Layer.ENGINE, null, 1, 2, 1, 9);
    Happening restart =
        new Happening(START_MS + 1, Happening.Kind.RESTART, "a", "", null, null, "a started anew.");
    Diagnosis bad =
        Looks.diagnosis(
            State.DEGRADED,
            List.of(clock, power, queue, longAgo),
            List.of(restart),
            Looks.verdict("power-throttle", 0.95));
    look(Looks.report(bad));
    look(Looks.report(bad));
    Incident open = log.incidents(START_MS, timeMs).getFirst();
    assertThat(open.endMs()).isNull();
    assertThat(open.deviations()).containsExactly(clock, queue);
    assertThat(open.happenings()).containsExactly(restart);
    assertThat(open.findings()).extracting(HeldFinding::cause).containsExactly("power-throttle");
    for (int i = 0; i < 3; i++) {
      look(Looks.healthy());
    }
    Incident over = log.incidents(START_MS, timeMs).getFirst();
    assertThat(over.startMs()).isEqualTo(START_MS + STEP_MS);
    assertThat(over.endMs()).isEqualTo(START_MS + 2 * STEP_MS);
    assertThat(over.findings()).extracting(HeldFinding::endMs).containsOnly(over.endMs());
    assertThat(log.incidents(Objects.requireNonNull(over.endMs()) + 1, timeMs)).isEmpty();
  }

  @Test
  void past_isBounded() {
    for (int i = 0; i < FindingLog.PAST_MAX + 10; i++) {
      look(Looks.degraded(Looks.verdict("cause-" + i, 0.95)));
    }
    assertThat(log.findings(0, timeMs)).hasSize(FindingLog.PAST_MAX + 3);
  }
}
