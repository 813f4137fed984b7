package org.inferometer.api;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the bodies of all requests together may take in memory, from when they begin to come in
 * until their requests are answered. Thread-safe.
 */
final class BodyRoom {
  /** A body is kept in a buffer that grows, then as a whole, then as what is read out of it. */
  private static final int COPIES = 4;

  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();

  BodyRoom(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** An eighth of the heap: the rest is for the store, for queries and for scraped pages. */
  static BodyRoom ofHeap() {
    return new BodyRoom(Runtime.getRuntime().maxMemory() / 8 / COPIES);
  }

  void take(int bytes) throws ApiException {
    if (taken.addAndGet(bytes) > bytesMax) {
      taken.addAndGet(-bytes);
      throw new ApiException(
          ApiException.Kind.UNAVAILABLE,
          "the bodies of all requests at a time would have more than "
              + bytesMax
              + " bytes; try again later, send less at a time, or give the server more heap");
    }
  }

  void giveBack(int bytes) {
    taken.addAndGet(-bytes);
  }
}
