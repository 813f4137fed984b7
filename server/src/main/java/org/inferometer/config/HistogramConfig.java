package org.inferometer.config;

/**
 * How histograms are scraped. Named as in Prometheus.
 *
 * @param scrapeNative whether native histograms are taken of those who send them
 * @param alwaysScrapeClassic whether the classic buckets of a native histogram are taken too
 * @param bucketLimit buckets of one native histogram, made coarser until they are no more; 0 is no
 *     limit
 * @param minBucketFactor least growth from one bucket of a native histogram to the next, which is
 *     made coarser until it is reached; 0 is no limit
 */
public record HistogramConfig(
    boolean scrapeNative, boolean alwaysScrapeClassic, long bucketLimit, double minBucketFactor) {
  /** As of a config file that says nothing: classic ones only. */
  public static final HistogramConfig CLASSIC = new HistogramConfig(false, false, 0, 0);

  /** Everything that a target has to tell. */
  public static final HistogramConfig BOTH = new HistogramConfig(true, true, 0, 0);
}
