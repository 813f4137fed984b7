package org.inferometer.scrape;

/** A scrape failed. Neither text holds a secret. */
final class ScrapeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final FailureReason reason;
  private final String sentence;

  /**
   * @param error short and technical
   * @param sentence what happened and what to do, for people
   */
  ScrapeException(FailureReason reason, String error, String sentence) {
    super(error, null, false, false);
    this.reason = reason;
    this.sentence = sentence;
  }

  FailureReason reason() {
    return reason;
  }

  String error() {
    return String.valueOf(getMessage());
  }

  String sentence() {
    return sentence;
  }
}
