package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a loop into pieces and runs them on the calling thread and on the computing pool. All pieces
 * have ended when a loop returns, also by exception. Thread-safe.
 */
final class WorkPool {
  /** Pieces for each worker, so that one slow piece doesn't leave the others idle. */
  private static final int PIECES_PER_WORKER = 4;

  private final Executor executor;
  private final int workers;

  /**
   * @param workers how many threads may work on a loop, the caller included
   */
  WorkPool(Executor executor, int workers) {
    this.executor = executor;
    this.workers = Math.max(1, workers);
  }

  /** The body of a loop, for the indexes {@code from <= i < to}. */
  @FunctionalInterface
  interface Piece {
    void run(int from, int to);
  }

  /**
   * Runs the body once for each index below {@code count}, in pieces, in no particular order.
   *
   * @param pieceMin the fewest iterations that are worth a hand-over to another thread
   */
  void loop(int count, int pieceMin, Piece body) {
    int piece = Math.max(pieceMin, ceilDiv(count, workers * PIECES_PER_WORKER));
    if (workers == 1 || count <= piece) {
      if (count > 0) {
        body.run(0, count);
      }
      return;
    }
    Loop loop = new Loop(count, piece, body);
    List<Helper> helpers = start(loop, Math.min(workers, ceilDiv(count, piece)) - 1);
    try {
      loop.work();
    } finally {
      helpers.forEach(Helper::end);
    }
    for (Helper helper : helpers) {
      helper.rethrow();
    }
  }

  private List<Helper> start(Loop loop, int count) {
    List<Helper> helpers = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        Helper helper = new Helper(loop);
        executor.execute(helper);
        helpers.add(helper);
      }
    } catch (RejectedExecutionException closing) {
      // The caller does the work alone.
    }
    return helpers;
  }

  private static int ceilDiv(int a, int b) {
    return (int) (((long) a + b - 1) / b);
  }

  /** The pieces of one loop, handed out one after the other. */
  private static final class Loop {
    private final int count;
    private final int piece;
    private final Piece body;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean failed = new AtomicBoolean();

    Loop(int count, int piece, Piece body) {
      this.count = count;
      this.piece = piece;
      this.body = body;
    }

    void work() {
      int pieces = ceilDiv(count, piece);
      boolean ended = false;
      try {
        int index;
        while (!failed.get() && (index = next.getAndIncrement()) < pieces) {
          int from = index * piece;
          body.run(from, (int) Math.min(count, (long) from + piece));
        }
        ended = true;
      } finally {
        if (!ended) {
          failed.set(true);
        }
      }
    }
  }

  /** One thread of the pool at a loop. */
  private static final class Helper implements Runnable {
    private final Loop loop;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    Helper(Loop loop) {
      this.loop = loop;
    }

    @Override
    public void run() {
      if (!claimed.compareAndSet(false, true)) {
        return;
      }
      try {
        loop.work();
      } catch (RuntimeException | Error e) {
        failure = e;
      } finally {
        ended.countDown();
      }
    }

    /** Takes the loop away from a helper that hasn't started, and waits for one that has. */
    void end() {
      if (claimed.compareAndSet(false, true)) {
        return;
      }
      boolean interrupted = false;
      while (true) {
        try {
          ended.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    void rethrow() {
      Throwable thrown = failure;
      if (thrown instanceof RuntimeException e) {
        throw e;
      }
      if (thrown instanceof Error e) {
        throw e;
      }
    }
  }
}
