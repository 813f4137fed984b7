package org.inferometer.signals;

import java.util.Map;
import java.util.regex.Pattern;
import org.inferometer.model.Labels;
import org.inferometer.store.MemorySeries;

/**
 * Series of targets that were scraped every 15 s for 5 minutes. Gauges stand still. What is
 * cumulative rises evenly to a page's value within the last minute, by default from 0, so that a
 * rate over it is the page's value through 60, and a quantile over it is that of the page.
 */
final class TestWorld {
  static final long NOW_MS = 1_790_000_000_000L;
  static final long INTERVAL_MS = 15_000;
  static final double WINDOW_SECONDS = 60;

  private static final int SCRAPES = 21;
  private static final int RISING = 4;
  private static final Pattern CUMULATIVE = Pattern.compile(".*_(bucket|sum|count|total|seconds)");
  private static final Pattern GAUGE_IN_SECONDS =
      Pattern.compile("node_.*_seconds|.*_timestamp_seconds");

  final MemorySeries series = new MemorySeries();

  /** What a target served, and the scrapes' own series. */
  TestWorld add(Dump dump, String job, String instance) {
    return add(dump, job, instance, Map.of(), 1, 1);
  }

  /**
   * @param rise the share of what is cumulative that came about in the last minute
   */
  TestWorld add(Dump dump, String job, String instance, double rise) {
    return add(dump, job, instance, Map.of(), 1, rise);
  }

  /**
   * @param labels that the scraper adds
   * @param up what the last scrape came to: of a failed one, nothing else is there
   */
  TestWorld add(
      Dump dump, String job, String instance, Map<String, String> labels, double up, double rise) {
    Labels target = Labels.of(labels).with("job", job).with("instance", instance);
    for (int i = 0; i < SCRAPES; i++) {
      boolean failed = up == 0 && i >= SCRAPES - RISING;
      long timeMs = NOW_MS - (SCRAPES - 1 - i) * INTERVAL_MS;
      series.add(target.with(Labels.NAME, "up"), timeMs, failed ? 0 : 1);
      double risen = Math.max(0, i - (SCRAPES - 1 - RISING)) / (double) RISING;
      double share = 1 - rise + rise * risen;
      for (Dump.Sample sample : dump.samples()) {
        String metric = sample.labels().metricName();
        double value = isCumulative(metric) ? share * sample.value() : sample.value();
        Labels own = with(sample.labels(), target);
        series.add(own, timeMs, failed ? STALE : value);
      }
    }
    return this;
  }

  private static final double STALE = org.inferometer.model.StalenessMarker.VALUE;

  /** The target's labels on a sample's; what the page says of the same names is kept aside. */
  private static Labels with(Labels labels, Labels target) {
    Labels.Builder builder = labels.toBuilder();
    target.forEach(
        (name, value) -> {
          if (labels.has(name)) {
            builder.set("exported_" + name, labels.get(name));
          }
          builder.set(name, value);
        });
    return builder.build();
  }

  private static final Families FAMILIES = Catalogue.builtIn().families();

  static boolean isCumulative(String metric) {
    for (Families.Match match : FAMILIES.find(metric)) {
      return switch (match.part()) {
        case VALUE -> match.family().type() == FamilyType.COUNTER;
        case BUCKET, SUM, COUNT -> true;
        case CREATED -> false;
      };
    }
    return CUMULATIVE.matcher(metric).matches() && !GAUGE_IN_SECONDS.matcher(metric).matches();
  }
}
