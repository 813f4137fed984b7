package org.inferometer.time;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One task on one virtual thread. */
final class ThreadPacer implements Pacer.Running {
  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread;

  private ThreadPacer(String name, long delayNanos, Pacer.Task task) {
    thread = Thread.ofVirtual().name(name).unstarted(() -> run(delayNanos, task));
  }

  static Pacer.Running start(String name, long delayNanos, Pacer.Task task) {
    ThreadPacer pacer = new ThreadPacer(name, delayNanos, task);
    pacer.thread.start();
    return pacer;
  }

  private void run(long firstDelayNanos, Pacer.Task task) {
    try {
      long delay = firstDelayNanos;
      while (delay != Pacer.DONE) {
        boolean woken = wakeUps.tryAcquire(delay, TimeUnit.NANOSECONDS);
        if (woken) {
          wakeUps.drainPermits();
        }
        delay = task.turn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void wake() {
    wakeUps.release();
  }

  @Override
  public void stop() {
    thread.interrupt();
  }
}
