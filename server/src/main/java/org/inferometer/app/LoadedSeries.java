package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.store.MemorySeries;

/**
 * The series of a file in memory, as they are or as if they had been scraped. Files of other makers
 * may lack what a scrape gives to all: a series without {@code instance} or {@code job} gets one,
 * and if there is no {@code up} at all, each instance was up whenever it has a sample. Not
 * thread-safe.
 */
final class LoadedSeries implements SeriesFile.Sink {
  private static final String UP = "up";

  /** Labels that tell whose a series is, where there is no {@code instance}. */
  private static final List<String> NAMES = List.of("pod", "Hostname", "hostname", "node", "host");

  /** What a scrape would give to {@code up} as well. */
  private static final List<String> TARGET_LABELS =
      List.of("cluster", "namespace", "node", "nodename", "hostname", "host", "pod", "service");

  private static final String UNNAMED = "recorded";

  /** Samples of one scrape may be some milliseconds apart. */
  private static final long SCRAPE_MS = 500;

  private final MemorySeries series = new MemorySeries();
  private final List<Labels> labels = new ArrayList<>();
  private final List<Scraped> scrapedBySeries = new ArrayList<>();
  private final Map<Labels, Scraped> scraped = new TreeMap<>();
  private final boolean isScraped;
  private long maxMs = Long.MIN_VALUE;
  private boolean hasUp;

  /**
   * @param isScraped whether what a scrape adds is made up for
   */
  LoadedSeries(boolean isScraped) {
    this.isScraped = isScraped;
  }

  /** When a target had samples. */
  private static final class Scraped {
    private final Map<String, String> common;
    private final TreeSet<Long> timesMs = new TreeSet<>();
    private long lastMs = Long.MIN_VALUE;

    Scraped(Labels first) {
      common = new TreeMap<>(first.only(TARGET_LABELS).toMap());
    }

    void also(Labels labels) {
      common.entrySet().removeIf(entry -> !labels.get(entry.getKey()).equals(entry.getValue()));
    }

    void at(long timestampMs) {
      if (timestampMs != lastMs) {
        timesMs.add(timestampMs);
        lastMs = timestampMs;
      }
    }
  }

  @Override
  public int series(Labels newLabels) {
    Labels whole = isScraped ? named(newLabels) : newLabels;
    labels.add(whole);
    hasUp |= whole.metricName().equals(UP);
    if (isScraped) {
      Scraped target =
          scraped.computeIfAbsent(whole.only(List.of("job", "instance")), _ -> new Scraped(whole));
      target.also(whole);
      scrapedBySeries.add(target);
    }
    return labels.size() - 1;
  }

  private static Labels named(Labels labels) {
    Labels named =
        labels.get("instance").isEmpty() ? labels.with("instance", owner(labels)) : labels;
    return named.get("job").isEmpty() ? named.with("job", family(labels.metricName())) : named;
  }

  private static String owner(Labels labels) {
    for (String name : NAMES) {
      if (!labels.get(name).isEmpty()) {
        return labels.get(name);
      }
    }
    return UNNAMED;
  }

  /** What stands before the first colon or underline: whose metric it is. */
  private static String family(String metric) {
    String first = metric.split("[:_]", 2)[0].toLowerCase(Locale.ROOT);
    return first.isEmpty() || metric.equals(UP) ? UNNAMED : first;
  }

  @Override
  public void sample(int id, long timestampMs, double value) {
    series.add(labels.get(id), timestampMs, value);
    if (isScraped && !hasUp) {
      scrapedBySeries.get(id).at(timestampMs);
    }
    maxMs = Math.max(maxMs, timestampMs);
  }

  /** After all samples: adds what is missing. */
  void complete() {
    if (hasUp || !isScraped) {
      return;
    }
    scraped.forEach(
        (target, seen) -> {
          Labels.Builder up = target.toBuilder();
          seen.common.forEach(up::set);
          Labels upLabels = up.set(Labels.NAME, UP).build();
          long last = Long.MIN_VALUE / 2;
          for (long timeMs : seen.timesMs) {
            if (timeMs - last >= SCRAPE_MS) {
              series.add(upLabels, timeMs, 1);
              last = timeMs;
            }
          }
        });
  }

  MemorySeries series() {
    return series;
  }

  /** The newest sample's time; {@code Long.MIN_VALUE} if there is none. */
  long maxMs() {
    return maxMs;
  }
}
