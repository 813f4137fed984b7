package org.inferometer.time;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A clock, a ticker and a pacer whose time goes on only when a test says so. Turns run on the
 * test's thread, in the order of their times and, at one time, of their starts. Not thread-safe.
 */
public final class VirtualTime implements WallClock, Ticker, Pacer {
  private final PriorityQueue<Turn> turns =
      new PriorityQueue<>(
          Comparator.comparingLong((Turn t) -> t.atNanos).thenComparingLong(t -> t.order));
  private final long startMs;
  private long nanos;
  private long wallShiftMs;
  private long orders;

  public VirtualTime(long startMs) {
    this.startMs = startMs;
  }

  private final class Turn implements Running {
    private final Task task;
    private long atNanos;
    private long order;
    private boolean stopped;

    Turn(Task task) {
      this.task = task;
    }

    void queue(long delayNanos) {
      atNanos = nanos + delayNanos;
      order = orders++;
      turns.add(this);
    }

    @Override
    public void wake() {
      if (turns.remove(this)) {
        queue(0);
      }
    }

    @Override
    public void stop() {
      stopped = true;
      turns.remove(this);
    }
  }

  @Override
  public long nowMs() {
    return startMs + wallShiftMs + nanos / 1_000_000;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Running start(String name, long delayNanos, Task task) {
    Turn turn = new Turn(task);
    turn.queue(delayNanos);
    return turn;
  }

  /** Lets time pass within a turn, as if it took so long. */
  public void pass(long ms) {
    nanos += ms * 1_000_000;
  }

  /** Turns the wall clock without time passing. */
  public void shiftWall(long ms) {
    wallShiftMs += ms;
  }

  /** How many tasks wait for a turn. */
  public int waiting() {
    return turns.size();
  }

  /** Goes on, with every turn on the way. */
  public void advance(long ms) {
    long until = nanos + ms * 1_000_000;
    while (!turns.isEmpty() && turns.peek().atNanos <= until) {
      Turn turn = turns.remove();
      nanos = Math.max(nanos, turn.atNanos);
      run(turn);
    }
    nanos = Math.max(nanos, until);
  }

  private static void run(Turn turn) {
    try {
      long delay = turn.task.turn();
      if (delay != DONE && !turn.stopped) {
        turn.queue(delay);
      }
    } catch (InterruptedException e) {
      turn.stopped = true;
    }
  }
}
