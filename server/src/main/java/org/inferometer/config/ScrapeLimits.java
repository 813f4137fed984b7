package org.inferometer.config;

/**
 * Limits on what a target may send; 0 is no limit. Named as in Prometheus.
 *
 * @param bodySize bytes of an uncompressed body
 * @param sample samples of a scrape after relabeling
 * @param label labels of a series, its name included
 * @param labelNameLength bytes of a label name
 * @param labelValueLength bytes of a label value
 * @param target targets of a job
 * @param keepDroppedTargets dropped targets of a job that are remembered
 */
public record ScrapeLimits(
    long bodySize,
    long sample,
    long label,
    long labelNameLength,
    long labelValueLength,
    long target,
    long keepDroppedTargets) {
  public static final ScrapeLimits NONE = new ScrapeLimits(0, 0, 0, 0, 0, 0, 0);
}
