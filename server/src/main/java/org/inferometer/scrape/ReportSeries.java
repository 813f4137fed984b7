package org.inferometer.scrape;

import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;

/** The series that a scrape writes about itself, with the labels of the target. Not thread-safe. */
final class ReportSeries {
  static final String UP = "up";
  static final String DURATION = "scrape_duration_seconds";
  static final String SCRAPED = "scrape_samples_scraped";
  static final String ADDED = "scrape_samples_post_metric_relabeling";
  static final String SERIES_ADDED = "scrape_series_added";

  /** Our own: lines that couldn't be read. */
  static final String BAD_LINES = "inferometer_scrape_bad_lines";

  private static final String[] NAMES = {UP, DURATION, SCRAPED, ADDED, SERIES_ADDED, BAD_LINES};

  private final Labels[] labels = new Labels[NAMES.length];
  private final long[] refs = new long[NAMES.length];
  private final SeriesTable table;

  ReportSeries(Labels targetLabels, SeriesTable table) {
    this.table = table;
    for (int i = 0; i < NAMES.length; i++) {
      labels[i] = targetLabels.with(Labels.NAME, NAMES[i]);
    }
  }

  /** Makes the series known before the body is read, so that none in it passes for one of them. */
  void begin(Appender appender) {
    for (int i = 0; i < NAMES.length; i++) {
      if (refs[i] == Appender.NO_SERIES) {
        resolve(i, appender);
      }
    }
  }

  private void resolve(int i, Appender appender) {
    int old = refs[i] == Appender.NO_SERIES ? LongToInt.NONE : table.find(refs[i]);
    refs[i] = appender.series(labels[i]);
    if (refs[i] == Appender.NO_SERIES) {
      return;
    }
    if (old != LongToInt.NONE) {
      table.setRef(old, refs[i]);
      return;
    }
    int found = table.find(refs[i]);
    table.setReport(found == LongToInt.NONE ? table.add(refs[i]) : found);
  }

  void append(
      Appender appender, long timeMs, boolean up, double durationSeconds, SampleCounts counts) {
    append(0, appender, timeMs, up ? 1 : 0);
    append(1, appender, timeMs, durationSeconds);
    append(2, appender, timeMs, counts.scraped);
    append(3, appender, timeMs, counts.added);
    append(4, appender, timeMs, counts.seriesAdded);
    append(5, appender, timeMs, counts.badLines);
  }

  void appendEnds(Appender appender, long timeMs) {
    for (int i = 0; i < NAMES.length; i++) {
      append(i, appender, timeMs, StalenessMarker.VALUE);
    }
  }

  private void append(int i, Appender appender, long timeMs, double value) {
    if (refs[i] == Appender.NO_SERIES) {
      return;
    }
    if (appender.append(refs[i], timeMs, value) == AppendOutcome.UNKNOWN_SERIES) {
      resolve(i, appender);
      if (refs[i] != Appender.NO_SERIES) {
        appender.append(refs[i], timeMs, value);
      }
    }
  }
}
