package org.inferometer.tsdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.inferometer.store.StoreException;

/**
 * One kind of work that is tried again when it failed, after pauses that get longer. A failure is
 * told once, and so is its end. Thread-safe, but for one thread at a time running it.
 */
final class Attempt {
  private static final long PAUSE_FIRST_MS = 30_000;

  /** A disk may have room again at any time. */
  static final long PAUSE_MAX_MS = 600_000;

  private final String what;
  private final long pauseMaxMs;
  private final Consumer<String> log;
  private int failuresInRow;
  private long failedAtMs;
  private volatile long failures;
  private volatile String trouble = "";

  /** What may fail for a reason outside of the program. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /**
   * @param what as the beginning of a sentence: "can't ..."
   * @param pauseMaxMs the longest pause; 0 for none at all
   */
  Attempt(String what, long pauseMaxMs, Consumer<String> log) {
    this.what = what;
    this.pauseMaxMs = pauseMaxMs;
    this.log = log;
  }

  /** Runs the work, unless a pause is on. */
  void run(long nowMs, Work work) {
    if (!isDue(nowMs)) {
      return;
    }
    try {
      work.run();
      succeeded();
    } catch (IOException | UncheckedIOException | StoreException e) {
      failed(nowMs, String.valueOf(e.getMessage()));
    }
  }

  private boolean isDue(long nowMs) {
    long pauseMs = Math.min(pauseMaxMs, PAUSE_FIRST_MS << Math.min(10, failuresInRow - 1));
    boolean isBack = nowMs < failedAtMs; // the clock was put back
    return failuresInRow == 0 || isBack || nowMs - failedAtMs >= pauseMs;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
  private void failed(long nowMs, String reason) {
    String sentence = what + ": " + reason;
    if (!sentence.equals(trouble)) {
      log.accept(sentence);
    }
    trouble = sentence;
    failures++;
    failuresInRow++;
    failedAtMs = nowMs;
  }

  private void succeeded() {
    if (failuresInRow > 0) {
      log.accept("over after " + failuresInRow + " tries: " + trouble);
      failuresInRow = 0;
      trouble = "";
    }
  }

  /** How often it failed since the start. */
  long failures() {
    return failures;
  }

  /** What is wrong now; empty for nothing. */
  String trouble() {
    return trouble;
  }
}
