package org.inferometer.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedTimeTest {
  private static final long MS = 1_000_000;

  private final SimulatedTime time = new SimulatedTime(5_000);
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void end() {
    time.close();
  }

  private void see(String what) {
    seen.add(what + "@" + time.nanos() / MS);
  }

  @Test
  void turns_comeInTheOrderOfTheirMoments_andOfTheirStarts() {
    time.start("late", 2 * MS, turn("late", Pacer.DONE));
    time.start("first", MS, turn("first", Pacer.DONE));
    time.start("second", MS, turn("second", Pacer.DONE));
    time.runUntil(10 * MS);
    assertThat(seen).containsExactly("first@1", "second@1", "late@2");
    assertThat(time.nowMs()).isEqualTo(5_010);
  }

  private Pacer.Task turn(String name, long next) {
    return () -> {
      see(name);
      return next;
    };
  }

  @Test
  void turn_isAgainAfterItsDelay() {
    time.start("a", 0, turn("a", 3 * MS));
    time.runUntil(6 * MS);
    assertThat(seen).containsExactly("a@0", "a@3", "a@6");
    assertThat(time.next()).isEqualTo(9 * MS);
  }

  @Test
  void pass_letsOthersHaveTheirTurns() {
    time.start(
        "slow",
        0,
        () -> {
          see("asks");
          time.pass(5 * MS);
          see("gets");
          return 10 * MS;
        });
    time.start("quick", MS, turn("quick", 2 * MS));
    time.runUntil(15 * MS);
    assertThat(seen.subList(0, 6))
        .containsExactly("asks@0", "quick@1", "quick@3", "gets@5", "quick@5", "quick@7");
    assertThat(seen).contains("asks@15");
  }

  @Test
  void wake_bringsTheNextTurnForward_alsoFromWithinOne() {
    Pacer.Running far = time.start("far", 1_000 * MS, turn("far", Pacer.DONE));
    List<Pacer.Running> self = new ArrayList<>();
    self.add(
        time.start(
            "self",
            MS,
            () -> {
              see("self");
              if (seen.size() == 1) {
                self.getFirst().wake();
              } else {
                far.wake();
              }
              return seen.size() == 1 ? 100 * MS : Pacer.DONE;
            }));
    time.runUntil(2 * MS);
    assertThat(seen).containsExactly("self@1", "self@1", "far@1");
  }

  @Test
  void stop_endsATaskThatWaitsInTheMiddleOfATurn() {
    Pacer.Running running =
        time.start(
            "a",
            0,
            () -> {
              try {
                time.pass(100 * MS);
                see("never");
              } finally {
                see("ended");
              }
              return 0;
            });
    time.runUntil(MS);
    running.stop();
    time.runUntil(200 * MS);
    assertThat(seen).containsExactly("ended@1");
    assertThat(time.next()).isEqualTo(SimulatedTime.NEVER);
  }

  @Test
  void stop_endsATaskBetweenItsTurns() {
    Pacer.Running running = time.start("a", 0, turn("a", MS));
    time.runUntil(MS);
    running.stop();
    time.runUntil(5 * MS);
    assertThat(seen).containsExactly("a@0", "a@1");
  }

  @Test
  void close_endsWhatWaits() {
    time.start(
        "a",
        0,
        () -> {
          try {
            time.pass(100 * MS);
          } finally {
            see("ended");
          }
          return 0;
        });
    time.start("b", MS, turn("b", MS));
    time.runUntil(0);
    time.close();
    assertThat(seen).containsExactly("ended@0");
    assertThat(time.next()).isEqualTo(SimulatedTime.NEVER);
  }

  @Test
  void fault_inATurnIsTheOwners() {
    time.start(
        "a",
        0,
        () -> {
          throw new IllegalStateException("broken");
        });
    assertThatThrownBy(() -> time.runUntil(MS)).hasMessage("broken");
  }

  @Test
  void pass_outsideOfATurnIsRefused() {
    assertThatThrownBy(() -> time.pass(MS)).isInstanceOf(IllegalStateException.class);
  }
}
