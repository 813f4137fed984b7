package org.inferometer.scrape;

/** Where pages come from when there is no network between: a simulation in this process. */
@FunctionalInterface
public interface PageSource {
  /**
   * Asks for a page, on the scrape's thread, which may wait here.
   *
   * @param url of the target
   * @throws InterruptedException if the scrape is stopped
   */
  Answer ask(String url, long timeoutMs) throws InterruptedException;

  /** What came of asking. */
  sealed interface Answer {}

  /**
   * A page that came with status 200.
   *
   * @param body is read before the same target is asked again; only the first {@code length} bytes
   *     count
   */
  @SuppressWarnings("ArrayRecordComponent") // a page is read once and never compared
  record Page(byte[] body, int length, String contentType) implements Answer {}

  /** Nothing listens there. */
  record Refused() implements Answer {}

  /** It took longer than the timeout. */
  record TooLate() implements Answer {}
}
