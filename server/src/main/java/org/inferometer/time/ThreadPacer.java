package org.inferometer.time;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One task on one thread. */
final class ThreadPacer implements Pacer.Running {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPacer.class);
  private static final long AFTER_FAULT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread;

  private ThreadPacer(Thread.Builder threads, long delayNanos, Pacer.Task task) {
    thread = threads.unstarted(() -> run(delayNanos, task));
  }

  static Pacer.Running start(Thread.Builder threads, long delayNanos, Pacer.Task task) {
    ThreadPacer pacer = new ThreadPacer(threads, delayNanos, task);
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
        delay = turn(task);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A fault in a turn is told and doesn't end the task. */
  private static long turn(Pacer.Task task) throws InterruptedException {
    try {
      return task.turn();
    } catch (RuntimeException e) {
      LOG.error("a task failed; it goes on in a second", e);
      return AFTER_FAULT_NANOS;
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
