package org.inferometer.time;

/**
 * Runs tasks that say themselves when their next turn is: scrape loops and the like. Handed in, so
 * that tests run hours of them in a moment.
 */
public interface Pacer {
  /** What a turn answers when there is no next one. */
  long DONE = -1;

  /** A task whose turns follow one another, never two at a time. */
  @FunctionalInterface
  interface Task {
    /**
     * One turn.
     *
     * @return nanoseconds from now until the next turn, or {@link Pacer#DONE}
     * @throws InterruptedException if it was stopped; it gets no other turn
     */
    long turn() throws InterruptedException;
  }

  /** A task that was started. Thread-safe. */
  interface Running {
    /** Gives the next turn at once if none is going on, or else right after it. */
    void wake();

    /** Interrupts the turn that is going on; there is no other turn. Returns at once. */
    void stop();
  }

  /**
   * Starts a task.
   *
   * @param name for thread dumps
   * @param delayNanos until the first turn
   */
  Running start(String name, long delayNanos, Task task);

  /** Each task on a virtual thread of its own. */
  static Pacer virtualThreads() {
    return (name, delay, task) -> ThreadPacer.start(Thread.ofVirtual().name(name), delay, task);
  }

  /** Each task on a daemon thread of its own: for those that compute and don't wait in between. */
  static Pacer platformThreads() {
    return (name, delay, task) ->
        ThreadPacer.start(Thread.ofPlatform().daemon().name(name), delay, task);
  }
}
