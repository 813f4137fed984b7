package org.inferometer.scrape;

/** A scrape failed. Neither text holds a secret. */
final class ScrapeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final FailureReason reason;
  private final String sentence;
  private final String said;

  /**
   * @param error short and technical
   * @param sentence what happened and what to do, for people
   */
  ScrapeException(FailureReason reason, String error, String sentence) {
    this(reason, error, sentence, "");
  }

  /**
   * @param said the beginning of the page that came with an error, as it was sent; "" for nothing
   */
  ScrapeException(FailureReason reason, String error, String sentence, String said) {
    super(error, null, false, false);
    this.reason = reason;
    this.sentence = sentence;
    this.said = said;
  }

  String said() {
    return said;
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
