package org.inferometer.app;

/** How reading the config went. Thread-safe. */
final class ReloadStats {
  private boolean lastGood;
  private long lastGoodMs;

  synchronized void good(long nowMs) {
    lastGood = true;
    lastGoodMs = nowMs;
  }

  synchronized void bad() {
    lastGood = false;
  }

  synchronized boolean lastGood() {
    return lastGood;
  }

  /** When a good config was last read. */
  synchronized long lastGoodMs() {
    return lastGoodMs;
  }
}
