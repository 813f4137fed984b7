package org.inferometer.query;

import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An evaluation on its way through a thread; may be waited for and canceled. */
final class Evaluating<T> implements Runnable {
  private final Supplier<T> work;
  private final Runnable afterwards;
  private final CountDownLatch done = new CountDownLatch(1);
  private @Nullable Thread worker;
  private boolean canceled;
  private volatile @Nullable T result;
  private volatile @Nullable Throwable fault;

  /**
   * @param afterwards runs once the work has ended, or will not begin
   */
  Evaluating(Supplier<T> work, Runnable afterwards) {
    this.work = work;
    this.afterwards = afterwards;
  }

  @Override
  public void run() {
    try {
      if (begin()) {
        result = work.get();
      }
    } catch (RuntimeException | Error e) {
      fault = e;
    } finally {
      end();
      afterwards.run();
      done.countDown();
    }
  }

  private synchronized boolean begin() {
    worker = Thread.currentThread();
    return !canceled;
  }

  private synchronized void end() {
    worker = null;
    if (canceled) {
      // The interrupt was for this work, not for what the thread does next.
      Thread.interrupted();
    }
  }

  /** Interrupts the work, or keeps it from beginning. */
  synchronized void cancel() {
    canceled = true;
    if (worker != null) {
      worker.interrupt();
    }
  }

  T await() throws InterruptedException {
    done.await();
    if (fault instanceof RuntimeException e) {
      throw e;
    }
    if (fault instanceof Error e) {
      throw e;
    }
    T value = result;
    if (value == null) {
      throw new IllegalStateException("expected a result of work that wasn't canceled");
    }
    return value;
  }
}
