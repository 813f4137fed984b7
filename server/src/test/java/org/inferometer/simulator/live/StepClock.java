package org.inferometer.simulator.live;

import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;

/** Time that goes on only when a test says so, for one task on a thread of its own. Thread-safe. */
final class StepClock implements Ticker, Pacer, AutoCloseable {
  private long nanos;
  private long turns;
  private boolean woken;
  private boolean stopped;

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public Running start(String name, long delayNanos, Task task) {
    Thread.ofPlatform().daemon().name(name).start(() -> run(task));
    return new Running() {
      @Override
      public void wake() {
        StepClock.this.wake();
      }

      @Override
      public void stop() {
        close();
      }
    };
  }

  private void run(Task task) {
    try {
      while (awaitTurn() && task.turn() != DONE) {
        ended();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  private synchronized boolean awaitTurn() throws InterruptedException {
    while (!woken && !stopped) {
      wait();
    }
    woken = false;
    return !stopped;
  }

  private synchronized void ended() {
    turns++;
    notifyAll();
  }

  private synchronized void wake() {
    woken = true;
    notifyAll();
  }

  /** Lets time pass, and waits until what was due has happened. */
  synchronized void advance(long ms) throws InterruptedException {
    nanos += ms * 1_000_000;
    // A turn that had begun before may have read the time before.
    for (int i = 0; i < 2 && !stopped; i++) {
      long before = turns;
      wake();
      while (turns == before && !stopped) {
        wait();
      }
    }
  }

  @Override
  public synchronized void close() {
    stopped = true;
    notifyAll();
  }
}
