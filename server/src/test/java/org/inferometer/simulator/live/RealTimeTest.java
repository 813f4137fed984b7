package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.VirtualTime;
import org.junit.jupiter.api.Test;

class RealTimeTest {
  private static final long MS = 1_000_000;

  private final VirtualTime time = new VirtualTime(0);
  private final Agenda agenda = new Agenda();
  private final List<String> happened = new ArrayList<>();
  private final List<Long> heldBack = new ArrayList<>();

  private RealTime start(double speed) {
    return new RealTime(agenda, time, speed, heldBack::add).start(time);
  }

  private void note(String what) {
    happened.add(what + "@" + agenda.now() / MS + "/" + time.nanos() / MS);
  }

  /** A step every so many simulated milliseconds. */
  private void beat(long ms) {
    agenda.in(
        ms * MS,
        () -> {
          note("beat");
          beat(ms);
        });
  }

  @Test
  void event_happensWhenItsTimeHasCome() {
    agenda.at(30 * MS, () -> note("a"));
    agenda.at(1500 * MS, () -> note("b"));
    start(1);
    time.advance(29);
    assertThat(happened).isEmpty();
    time.advance(1);
    time.advance(2000);
    assertThat(happened).containsExactly("a@30/30", "b@1500/1500");
  }

  @Test
  void agendaThatIsUnderWay_goesOnFromThere() {
    agenda.runUntil(60_000 * MS);
    agenda.in(10 * MS, () -> note("a"));
    start(1);
    time.advance(10);
    assertThat(happened).containsExactly("a@60010/10");
  }

  @Test
  void presentThatIsAhead_isCaughtUpWith() {
    beat(100);
    new RealTime(agenda, time, 1, heldBack::add).start(time, 2000 * MS);
    time.advance(0);
    assertThat(happened).hasSize(20);
    time.advance(100);
    assertThat(happened).hasSize(21).last().isEqualTo("beat@2100/100");
  }

  @Test
  void speedOfTen_isTenTimesAsFast() {
    agenda.at(30_000 * MS, () -> note("a"));
    start(10);
    time.advance(3000);
    assertThat(happened).containsExactly("a@30000/3000");
  }

  @Test
  void handedInWork_isDoneAtTheMomentItCame() {
    RealTime live = start(1);
    time.advance(70);
    live.tell(() -> note("told"));
    assertThat(happened).isEmpty();
    time.advance(0);
    live.tell(() -> agenda.in(5 * MS, () -> note("after")));
    time.advance(0);
    time.advance(100);
    assertThat(happened).hasSize(2);
    assertThat(happened.get(1)).startsWith("after@").endsWith("/75");
  }

  @Test
  void handedInWork_seesAnAgendaThatIsUpToDate() {
    RealTime live = start(1);
    time.advance(500);
    List<Long> seen = new ArrayList<>();
    live.tell(() -> seen.add(agenda.now()));
    time.advance(0);
    assertThat(seen).containsExactly(500 * MS);
  }

  @Test
  void turnThatComesLate_leavesNothingOut() {
    beat(100);
    RealTime live = start(1);
    time.pass(5000);
    time.advance(0);
    assertThat(happened).hasSize(50).first().isEqualTo("beat@100/5000");
    assertThat(live.heldBackNs()).isZero();
    assertThat(live.lateNs()).isEqualTo(4900 * MS);
    time.advance(100);
    assertThat(live.lateNs()).isZero();
    assertThat(happened).last().isEqualTo("beat@5100/5100");
  }

  @Test
  void hourAsleep_isTimeThatStoodStill() {
    beat(100);
    RealTime live = start(1);
    time.advance(1000);
    time.pass(3_600_000);
    time.advance(0);
    assertThat(happened).hasSize(11).last().isEqualTo("beat@1100/3601000");
    assertThat(heldBack).containsExactly(3_599_900 * MS);
    assertThat(live.heldBackNs()).isEqualTo(3_599_900 * MS);
    time.advance(1000);
    assertThat(happened).hasSize(21).last().isEqualTo("beat@2100/3602000");
  }

  @Test
  void hourWithoutEvents_isNoDelay() {
    RealTime live = start(1);
    time.pass(3_600_000);
    time.advance(0);
    assertThat(live.heldBackNs()).isZero();
    assertThat(agenda.now()).isEqualTo(3_600_000 * MS);
  }

  @Test
  void moreWorkThanThereIsRoomFor_isRefused() throws Exception {
    RealTime live = new RealTime(agenda, time, 1, heldBack::add);
    for (int i = 0; i < 16_384; i++) {
      live.tell(() -> {});
    }
    assertThatThrownBy(() -> live.ask(() -> 1))
        .isInstanceOf(RealTime.BusyException.class)
        .hasMessageContaining("16384");
    live.tell(() -> note("told"));
    live.start(time);
    time.advance(0);
    assertThat(happened).hasSize(1);
  }

  @Test
  void closed_doesNothingMore() {
    beat(100);
    RealTime live = start(1);
    time.advance(250);
    live.close();
    live.close();
    live.tell(() -> note("told"));
    time.advance(1000);
    assertThat(happened).hasSize(2);
    assertThat(live.end()).isCompletedWithValue(null);
    assertThat(time.waiting()).isZero();
    assertThatThrownBy(() -> live.ask(() -> 1)).isInstanceOf(RealTime.BusyException.class);
  }

  @Test
  void eventThatThrows_endsIt() {
    agenda.at(
        5 * MS,
        () -> {
          throw new IllegalStateException("broken");
        });
    agenda.at(6 * MS, () -> note("a"));
    RealTime live = start(1);
    time.advance(100);
    assertThat(happened).isEmpty();
    assertThat(live.end().join()).hasMessage("broken");
  }

  /** Without memory or stack nothing goes on, and nobody waits for ever for an answer. */
  @Test
  void errorInAnEvent_endsItToo() {
    agenda.at(
        5 * MS,
        () -> {
          throw new OutOfMemoryError("no room");
        });
    RealTime live = start(1);
    time.advance(100);
    assertThat(live.end().join()).hasMessageContaining("no room");
    assertThatThrownBy(() -> live.ask(() -> 1)).isInstanceOf(RealTime.BusyException.class);
  }

  @Test
  void askingOnRealThreads_getsAnswersFromTheOneThread() throws Exception {
    try (RealTime live =
        new RealTime(agenda, Ticker.system(), 1, heldBack::add).start(Pacer.platformThreads())) {
      String thread = live.ask(() -> Thread.currentThread().getName());
      assertThat(thread).isEqualTo("simulation");
      assertThatThrownBy(
              () ->
                  live.ask(
                      () -> {
                        throw new IllegalArgumentException("no");
                      }))
          .hasRootCauseMessage("no");
      assertThat(live.ask(() -> 2)).isEqualTo(2);
    }
  }

  @Test
  void askingWhileItEnds_isToldSo() throws Exception {
    RealTime live = new RealTime(agenda, Ticker.system(), 1, heldBack::add);
    Thread closer = Thread.ofVirtual().unstarted(live::close);
    live.tell(closer::start);
    assertThat(live.end().isDone()).isFalse();
    live.start(Pacer.platformThreads());
    assertThatThrownBy(
            () -> {
              while (true) {
                live.ask(() -> 1);
              }
            })
        .isInstanceOf(RealTime.BusyException.class)
        .isNotInstanceOf(ExecutionException.class);
    live.end().get(10, TimeUnit.SECONDS);
  }
}
