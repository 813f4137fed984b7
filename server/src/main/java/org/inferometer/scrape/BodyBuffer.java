package org.inferometer.scrape;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The body of one target, read into the same array each time. What it holds is taken from a budget
 * of all. Not thread-safe.
 */
final class BodyBuffer {
  private static final int LEAST = 16 * 1024;

  /** The longest array that a body can be in, whatever the limits say. */
  private static final int LONGEST = 1 << 30;

  private final MemoryBudget budget;
  private byte[] bytes = {};
  private int length;
  private int unusedRounds;

  BodyBuffer(MemoryBudget budget) {
    this.budget = budget;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /**
   * Reads a stream to its end.
   *
   * @param limit bytes that are too many; 0 for no limit
   */
  void read(InputStream in, long limit) throws IOException, ScrapeException {
    length = 0;
    while (true) {
      if (length == bytes.length) {
        grow();
      }
      int n = in.read(bytes, length, bytes.length - length);
      if (n < 0) {
        break;
      }
      length += n;
      if (limit > 0 && length >= limit) {
        throw new ScrapeException(
            FailureReason.BODY_SIZE_LIMIT,
            "body size limit exceeded",
            "The body is longer than the body_size_limit of "
                + limit
                + " bytes; nothing of it was kept.");
      }
    }
    shrinkIfLongUnused();
  }

  private void grow() throws ScrapeException {
    int longer = Math.max(LEAST, bytes.length * 2);
    // While it is copied, both arrays are there.
    if (bytes.length >= LONGEST || !budget.take(longer)) {
      throw new ScrapeException(
          FailureReason.MEMORY,
          "no memory for the body",
          "The body is longer than "
              + bytes.length
              + " bytes, and there is no memory for more now; a body_size_limit below the memory"
              + " that is left would say so earlier.");
    }
    int shorter = bytes.length;
    bytes = Arrays.copyOf(bytes, longer);
    budget.give(shorter);
  }

  /** One long body shouldn't cost its memory for ever. */
  private void shrinkIfLongUnused() {
    unusedRounds = length < bytes.length / 8 ? unusedRounds + 1 : 0;
    if (unusedRounds > 20 && bytes.length > LEAST) {
      byte[] shorter = Arrays.copyOf(bytes, Math.max(LEAST, length * 2));
      budget.give(bytes.length - shorter.length);
      bytes = shorter;
      unusedRounds = 0;
    }
  }

  /** Gives the memory back. */
  void release() {
    budget.give(bytes.length);
    bytes = new byte[0];
    length = 0;
  }
}
