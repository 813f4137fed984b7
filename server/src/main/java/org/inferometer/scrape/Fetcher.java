package org.inferometer.scrape;

import org.jspecify.annotations.Nullable;

/** Gets pages of targets. Handed in, so that tests need no network. Thread-safe. */
interface Fetcher {
  /** What asks one target, again and again. */
  Client client(Target target);

  /** Asks one target. Not thread-safe, but {@code close} may come from any thread. */
  interface Client extends AutoCloseable {
    /**
     * Gets a page. Returns or throws within the timeout.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    Page fetch(TargetUrl url, long timeoutMs) throws ScrapeException, InterruptedException;

    /** Drops the connection; a fetch that is going on fails. From any thread. */
    @Override
    void close();

    /** Gives back the memory that it holds, between fetches. */
    void release();
  }

  /**
   * A page that came with status 200, uncompressed.
   *
   * @param body valid until the next fetch; only the first {@code length} bytes count
   * @param date the {@code Date} header, null if there was none
   */
  record Page(byte[] body, int length, @Nullable String contentType, @Nullable String date) {
    Page(byte[] body, int length, @Nullable String contentType) {
      this(body, length, contentType, null);
    }
  }
}
