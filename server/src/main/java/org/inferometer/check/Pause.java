package org.inferometer.check;

/** Lets time pass between scrapes. Handed in, so that tests needn't wait. Thread-safe. */
@FunctionalInterface
public interface Pause {
  /**
   * @throws InterruptedException if the thread is interrupted
   */
  void pause(long ms) throws InterruptedException;
}
