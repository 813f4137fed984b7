package org.inferometer.simulator.page;

/** How a client library lays out a page. */
enum Style {
  /** prometheus_client: labels by name; one process shows families without series, too. */
  PYTHON(NumberText.PYTHON, NumberText.PYTHON),
  /** The prometheus-client crate: OpenMetrics, {@code le} first, help with a point at its end. */
  RUST(NumberText.DTOA, NumberText.INTEGER),
  /** client_golang: labels by name, {@code le} last. */
  GO(NumberText.GO, NumberText.GO),
  /** The metrics-exporter-prometheus crate: a blank line behind each family. */
  METRICS(NumberText.PLAIN, NumberText.PLAIN),
  /** dcgm-exporter's template: whole numbers and {@code %f}. */
  DCGM(NumberText.INTEGER, NumberText.INTEGER);

  private final NumberText numbers;
  private final NumberText counts;

  Style(NumberText numbers, NumberText counts) {
    this.numbers = numbers;
    this.counts = counts;
  }

  /** Of gauges, sums and bounds. */
  NumberText numbers() {
    return numbers;
  }

  /** Of counters and of the counts of histograms. */
  NumberText counts() {
    return counts;
  }

  boolean sortsLabels() {
    return this == PYTHON || this == GO;
  }
}
