package org.inferometer.scrape;

import org.inferometer.config.HistogramConfig;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.histogram.NativeHistogram;

/**
 * Makes native histograms coarser until they keep to what the config allows. Sources:
 * prometheus/prometheus, {@code scrape/target.go}, {@code bucketLimitAppender} and {@code
 * maxSchemaAppender}. Thread-safe.
 */
final class HistogramLimits {
  private final long bucketLimit;
  private final int schemaMax;

  HistogramLimits(HistogramConfig config) {
    bucketLimit = config.bucketLimit();
    schemaMax = schemaMax(config.minBucketFactor());
  }

  /** The finest schema whose buckets grow by a factor. In schema s they do by 2^(2^-s). */
  private static int schemaMax(double factor) {
    if (factor <= 1) {
      return NativeHistogram.SCHEMA_MAX;
    }
    double schema = Math.floor(-log2(log2(factor)));
    return (int) Math.clamp(schema, NativeHistogram.SCHEMA_MIN, NativeHistogram.SCHEMA_MAX);
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  /**
   * The histogram that the parser is at, within the limits.
   *
   * @throws ScrapeException if even the coarsest has too many buckets
   */
  NativeHistogram apply(NativeHistogram sent, ExpositionParser parser) throws ScrapeException {
    NativeHistogram histogram =
        sent.hasCustomBounds() || sent.schema() <= schemaMax ? sent : sent.toSchema(schemaMax);
    while (bucketLimit > 0 && size(histogram) > bucketLimit) {
      if (histogram.hasCustomBounds() || histogram.schema() == NativeHistogram.SCHEMA_MIN) {
        throw exceeded(parser.name(), size(histogram));
      }
      histogram = histogram.toSchema(histogram.schema() - 1);
    }
    return histogram;
  }

  private static int size(NativeHistogram histogram) {
    return histogram.positive().size() + histogram.negative().size();
  }

  private ScrapeException exceeded(String name, int size) {
    String shown = name.length() > 200 ? name.substring(0, 200) + "..." : name;
    return new ScrapeException(
        FailureReason.NATIVE_HISTOGRAM_BUCKET_LIMIT,
        "native_histogram_bucket_limit exceeded (metric: "
            + shown
            + ", limit: "
            + bucketLimit
            + ")",
        "The native histogram "
            + shown
            + " has "
            + size
            + " buckets even when it is as coarse as can be, more than the"
            + " native_histogram_bucket_limit of "
            + bucketLimit
            + ".");
  }
}
