package org.inferometer.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the requests that are worked on hold in memory of one kind together: bodies from when they
 * come in, or results until the client has taken them, which may be slow. Thread-safe.
 */
public final class HeldBytes {
  /** A body is kept in a buffer that grows, then as a whole, then as what is read out of it. */
  private static final int BODY_COPIES = 4;

  private final String what;
  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  /**
   * @param what is held, in the plural, for messages
   */
  public HeldBytes(String what, long bytesMax) {
    this.what = what;
    this.bytesMax = bytesMax;
  }

  /** An eighth of the heap: the rest is for the store, for queries and for scraped pages. */
  public static HeldBytes ofBodies() {
    return new HeldBytes(
        "bodies of all requests", Runtime.getRuntime().maxMemory() / 8 / BODY_COPIES);
  }

  /** As much as queries may hold while they are evaluated. */
  public static HeldBytes ofResults() {
    return new HeldBytes("results that clients take", Runtime.getRuntime().maxMemory() / 4);
  }

  /**
   * @throws RefusedException if there is no room for so much; the client may try again
   */
  void take(long bytes) throws RefusedException {
    if (held.addAndGet(bytes) > bytesMax) {
      held.addAndGet(-bytes);
      throw new RefusedException(
          RefusedException.Why.NO_ROOM,
          "the "
              + what
              + " at a time would have more than "
              + bytesMax
              + " bytes; try again later, ask for less at a time, or give the server more heap");
    }
  }

  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }
}
