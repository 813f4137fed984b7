package org.inferometer.app;

import org.inferometer.time.Ticker;

/**
 * Says now and then how far long work is and how long it still takes; nothing of short work. Not
 * thread-safe.
 */
final class ProgressLines {
  /** Work that is done before isn't told of. */
  private static final long FIRST_NANOS = 2_000_000_000L;

  private static final long EVERY_NANOS = 5_000_000_000L;

  /** Before a twentieth is done, the pace of a cold start would promise hours for seconds. */
  private static final long TELLING_PART = 20;

  private final Console console;
  private final Ticker ticker;
  private long begunNanos;
  private long nextNanos;

  ProgressLines(Console console, Ticker ticker) {
    this.console = console;
    this.ticker = ticker;
    begin();
  }

  /** Begins with other work. */
  void begin() {
    begunNanos = ticker.nanos();
    nextNanos = begunNanos + FIRST_NANOS;
  }

  /** Whether it is time for a line. */
  boolean isDue() {
    return ticker.nanos() - nextNanos >= 0;
  }

  /**
   * Says how far the work is, with the time left if it can be told.
   *
   * @param what is done so far, in words
   * @param total 0 if it isn't known
   */
  void say(String what, long done, long total) {
    long now = ticker.nanos();
    nextNanos = now + EVERY_NANOS;
    String left = "";
    if (done > 0 && done >= total / TELLING_PART && total >= done) {
      long seconds = Math.round((now - begunNanos) / 1e9 * (total - done) / done);
      left = "; " + Amounts.duration(seconds * 1000) + " left";
    }
    console.say(what + left);
  }
}
