package org.inferometer.model;

/** What a metric family says it is. {@code UNKNOWN} is OpenMetrics's word for untyped. */
public enum MetricType {
  COUNTER("counter"),
  GAUGE("gauge"),
  HISTOGRAM("histogram"),
  GAUGE_HISTOGRAM("gaugehistogram"),
  SUMMARY("summary"),
  INFO("info"),
  STATE_SET("stateset"),
  UNKNOWN("unknown");

  private final String word;

  MetricType(String word) {
    this.word = word;
  }

  /** The word in OpenMetrics and in the HTTP API. */
  public String word() {
    return word;
  }
}
