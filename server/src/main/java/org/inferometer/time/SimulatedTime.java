package org.inferometer.time;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A clock, a ticker and a pacer of made-up time, which goes on only when its owner says so. Turns
 * come one at a time, in the order of their moments and, at one moment, in that in which they were
 * asked for; a turn may let time {@link #pass}, while which others have theirs. So every run is the
 * same.
 *
 * <p>Not thread-safe: it belongs to one thread. A turn has a thread of its own only so that it can
 * stop in the middle; the owner waits meanwhile.
 */
public final class SimulatedTime implements WallClock, Ticker, Pacer, AutoCloseable {
  /** What {@link #next} answers when nothing is to come. */
  public static final long NEVER = Long.MAX_VALUE;

  private final PriorityQueue<Turn> turns =
      new PriorityQueue<>(
          Comparator.comparingLong((Turn turn) -> turn.atNanos)
              .thenComparingLong(turn -> turn.order));
  private final Semaphore ownerGoesOn = new Semaphore(0);
  private final long startMs;
  private long nanos;
  private long orders;
  private @Nullable Turn current;
  private @Nullable Throwable fault;

  /**
   * @param startMs the time of day at which it begins
   */
  public SimulatedTime(long startMs) {
    this.startMs = startMs;
  }

  /** A task between its turns, or in the middle of one. */
  private final class Turn implements Running {
    private final String name;
    private final Task task;
    private final Semaphore goesOn = new Semaphore(0);
    private @Nullable Thread inTheMiddle;
    private long atNanos;
    private long order;
    private boolean woken;
    private boolean stopped;

    Turn(String name, Task task) {
      this.name = name;
      this.task = task;
    }

    void queue(long delayNanos) {
      atNanos = Math.addExact(nanos, delayNanos);
      order = orders++;
      turns.add(this);
    }

    /** On its own thread. */
    private void take() {
      try {
        long delay = task.turn();
        inTheMiddle = null;
        if (delay != DONE && !stopped) {
          queue(woken ? 0 : delay);
          woken = false;
        }
      } catch (InterruptedException e) {
        stopped = true;
      } catch (RuntimeException | Error e) {
        fault = e;
      }
      inTheMiddle = null;
      ownerGoesOn.release();
    }

    @Override
    public void wake() {
      if (inTheMiddle != null) {
        woken = true;
      } else if (turns.remove(this)) {
        queue(0);
      }
    }

    @Override
    public void stop() {
      stopped = true;
      if (turns.remove(this) && inTheMiddle != null) {
        // It waits in the middle of a turn: at this moment it goes on, and is told.
        queue(0);
      }
    }
  }

  @Override
  public long nowMs() {
    return startMs + nanos / 1_000_000;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Running start(String name, long delayNanos, Task task) {
    Turn turn = new Turn(name, task);
    turn.queue(delayNanos);
    return turn;
  }

  /** When the next turn begins or goes on; {@link #NEVER} if none does. */
  public long next() {
    Turn turn = turns.peek();
    return turn == null ? NEVER : Math.max(nanos, turn.atNanos);
  }

  /**
   * Lets the next turn begin or go on, at its moment.
   *
   * @throws IllegalStateException if there is none
   */
  public void step() {
    Turn turn = turns.poll();
    if (turn == null) {
      throw new IllegalStateException("expected a task that waits for its turn");
    }
    nanos = Math.max(nanos, turn.atNanos);
    current = turn;
    if (turn.inTheMiddle == null) {
      Thread thread = Thread.ofVirtual().name(turn.name).unstarted(turn::take);
      turn.inTheMiddle = thread;
      thread.start();
    } else {
      turn.goesOn.release();
    }
    ownerGoesOn.acquireUninterruptibly();
    current = null;
    rethrow();
  }

  private void rethrow() {
    Throwable thrown = fault;
    fault = null;
    switch (thrown) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new IllegalStateException(thrown);
    }
  }

  /** Has all turns up to a moment, this one included; then it is that moment. */
  public void runUntil(long untilNanos) {
    while (next() <= untilNanos) {
      step();
    }
    nanos = Math.max(nanos, untilNanos);
  }

  /**
   * Within a turn: waits for so long. Others have their turns meanwhile.
   *
   * @throws InterruptedException if the task is stopped
   */
  public void pass(long delayNanos) throws InterruptedException {
    Turn turn = current;
    if (turn == null || delayNanos < 0) {
      throw new IllegalStateException("expected a turn that waits for 0 ns or more");
    }
    turn.queue(delayNanos);
    ownerGoesOn.release();
    turn.goesOn.acquire();
    if (turn.stopped) {
      throw new InterruptedException(turn.name + " was stopped");
    }
  }

  /** Ends all tasks, those in the middle of a turn too. */
  @Override
  public void close() {
    for (Turn turn : turns.toArray(Turn[]::new)) {
      turn.stop();
    }
    while (!turns.isEmpty()) {
      step();
    }
  }
}
