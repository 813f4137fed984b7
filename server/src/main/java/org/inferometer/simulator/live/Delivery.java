package org.inferometer.simulator.live;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a request has brought so far: filled on the simulation's thread, emptied by the thread of
 * the client's connection. It is two numbers and an outcome, however slowly the client reads; what
 * it didn't take in time it gets in one piece, as vLLM does it. Thread-safe.
 */
final class Delivery implements Receiver {
  private final boolean everyToken;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int tokens;
  private int cachedTokens;
  private @Nullable Outcome outcome;

  Delivery(boolean everyToken) {
    this.everyToken = everyToken;
  }

  /**
   * How far it is.
   *
   * @param tokens of the answer so far
   * @param cachedTokens of the prompt, that came from the prefix cache
   * @param outcome null while more may come
   */
  record Progress(int tokens, int cachedTokens, @Nullable Outcome outcome) {}

  @Override
  public boolean wantsEveryToken() {
    return everyToken;
  }

  @Override
  public void tokens(Request request, int count) {
    lock.lock();
    try {
      tokens += count;
      cachedTokens = request.cachedTokens;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void ended(Request request, Outcome how) {
    lock.lock();
    try {
      outcome = how;
      cachedTokens = request.cachedTokens;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the end, or for tokens beyond those seen; for a while at most.
   *
   * @param last how many tokens it will be: with the last ones its end comes too, so that they
   *     aren't told without it
   */
  Progress await(int seen, int last, long millis) throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(millis);
    lock.lock();
    try {
      while (outcome == null && (tokens <= seen || tokens >= last) && left > 0) {
        left = changed.awaitNanos(left);
      }
      return new Progress(tokens, cachedTokens, outcome);
    } finally {
      lock.unlock();
    }
  }
}
