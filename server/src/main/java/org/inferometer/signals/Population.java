package org.inferometer.signals;

/**
 * What a family or a signal counts. A quotient of two populations is sound only if both are the
 * same, or if what differs is said.
 */
public enum Population {
  /** Requests that came in, whatever became of them. */
  ARRIVED("requests that arrived"),
  /** Requests that got their first token, also those that were aborted later. */
  FIRST_TOKEN("requests that got a first token"),
  /** Requests that ended in any way. */
  FINISHED("requests that ended in any way"),
  /** Requests that ended with an answer; neither errors nor aborts. */
  SUCCEEDED("requests that ended with an answer"),
  /** Requests that failed. */
  FAILED("requests that failed"),
  /** Answers of an HTTP server, whatever the path. */
  HTTP("HTTP answers"),
  /** Gaps between outputs, of which one may hold several tokens. */
  OUTPUTS("outputs of requests in progress"),
  /** Tokens, counted as they are computed. */
  TOKENS_LIVE("tokens as they are computed"),
  /** Tokens, counted when their request ends. */
  TOKENS_AT_END("tokens of requests that ended"),
  /** Steps of the engine's loop. */
  STEPS("steps of the engine"),
  /** The state at the time of the scrape. */
  MOMENT("the moment of the scrape");

  private final String words;

  Population(String words) {
    this.words = words;
  }

  /** For sentences: "requests that got a first token". */
  public String words() {
    return words;
  }
}
