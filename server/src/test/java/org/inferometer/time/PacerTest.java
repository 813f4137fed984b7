package org.inferometer.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PacerTest {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  @Test
  void virtualThread_takesTurnsUntilDone() throws InterruptedException {
    CountDownLatch turns = new CountDownLatch(3);
    Pacer.virtualThreads()
        .start(
            "t",
            0,
            () -> {
              turns.countDown();
              return turns.getCount() == 0 ? Pacer.DONE : 1;
            });
    assertThat(turns.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void wake_endsTheWait() throws InterruptedException {
    CountDownLatch turn = new CountDownLatch(1);
    Pacer.Running running =
        Pacer.virtualThreads()
            .start(
                "t",
                HOUR,
                () -> {
                  turn.countDown();
                  return Pacer.DONE;
                });
    running.wake();
    assertThat(turn.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void stop_interruptsTheTurn() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Pacer.Running running =
        Pacer.virtualThreads()
            .start(
                "t",
                0,
                () -> {
                  started.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } finally {
                    interrupted.countDown();
                  }
                  return 0;
                });
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    running.stop();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void virtualTime_runsTurnsInOrder() {
    VirtualTime time = new VirtualTime(1_000);
    List<String> seen = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      time.start(
          name,
          0,
          () -> {
            seen.add(name + time.nowMs());
            return 10_000_000;
          });
    }
    time.advance(10);
    assertThat(seen).containsExactly("a1000", "b1000", "a1010", "b1010");
  }
}
