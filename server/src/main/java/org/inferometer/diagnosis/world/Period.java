package org.inferometer.diagnosis.world;

/**
 * A stretch of time.
 *
 * @param startMs excluded: rates are taken over what came after it
 * @param endMs included
 */
public record Period(long startMs, long endMs) {
  public Period {
    if (endMs < startMs) {
      throw new IllegalArgumentException("expected an end at or after the start");
    }
  }

  public long lengthMs() {
    return endMs - startMs;
  }

  public boolean contains(long timeMs) {
    return timeMs > startMs && timeMs <= endMs;
  }
}
