package org.inferometer.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.exposition.BadLine;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.Mode;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;

/**
 * A page taken apart: what would be stored of it, and what is odd about it. Not thread-safe while
 * it is made.
 */
final class ParsedPage {
  /** Samples of one page that are looked at; twice what plain URLs may have. */
  static final int SAMPLES_MAX = 200_000;

  private static final int EXAMPLES_MAX = 5;

  final Map<Labels, Double> values = new LinkedHashMap<>();
  final Map<Labels, NativeHistogram> histograms = new LinkedHashMap<>();

  /** What the page says of its families, by their names. */
  final Map<String, MetricType> types = new LinkedHashMap<>();

  /** Series that come twice, the first of them. */
  final Set<Labels> duplicates = new LinkedHashSet<>();

  int samples;
  int duplicateCount;
  int ownTimestamps;
  long oldestMs = Long.MAX_VALUE;
  long newestMs = Long.MIN_VALUE;
  int badLineCount;
  List<BadLine> badLines = List.of();
  boolean isCut;

  private ParsedPage() {}

  /** Reads a body as the scraper would, bad lines left out. */
  static ParsedPage read(Endpoint endpoint, Format format, byte[] body) {
    ParsedPage page = new ParsedPage();
    ExpositionParser parser = ExpositionParser.of(format, Mode.TOLERANT);
    parser.reset(body, body.length);
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      switch (event) {
        case SERIES, HISTOGRAM -> page.sample(endpoint, parser, event == Event.HISTOGRAM);
        case TYPE -> page.types.put(parser.name(), parser.type());
        case HELP, UNIT, BAD_LINE, END -> {}
      }
      if (page.samples > SAMPLES_MAX) {
        page.isCut = true;
        break;
      }
    }
    page.badLineCount = parser.badLineCount();
    page.badLines = parser.badLines();
    return page;
  }

  private void sample(Endpoint endpoint, ExpositionParser parser, boolean isHistogram) {
    samples++;
    if (parser.hasTimestamp()) {
      ownTimestamps++;
      oldestMs = Math.min(oldestMs, parser.timestampMs());
      newestMs = Math.max(newestMs, parser.timestampMs());
    }
    Labels labels = endpoint.stored(parser);
    if (labels == null) {
      return;
    }
    if (isKnown(labels) && !parser.hasTimestamp()) {
      duplicateCount++;
      if (duplicates.size() < EXAMPLES_MAX) {
        duplicates.add(labels);
      }
      return;
    }
    if (isHistogram) {
      histograms.put(labels, parser.histogram());
    } else {
      values.put(labels, parser.value());
    }
  }

  private boolean isKnown(Labels labels) {
    return values.containsKey(labels) || histograms.containsKey(labels);
  }

  /** How many series it would make. */
  int series() {
    return values.size() + histograms.size();
  }

  /** The series of a metric. */
  List<Labels> of(String metric) {
    List<Labels> found = new ArrayList<>();
    for (Labels labels : values.keySet()) {
      if (labels.metricName().equals(metric)) {
        found.add(labels);
      }
    }
    return found;
  }

  /** The names of all metrics. */
  Set<String> metrics() {
    Set<String> names = new LinkedHashSet<>();
    values.keySet().forEach(labels -> names.add(labels.metricName()));
    histograms.keySet().forEach(labels -> names.add(labels.metricName()));
    return names;
  }

  /** The family of a metric, by what the page says of types. */
  String family(String metric) {
    if (types.containsKey(metric)) {
      return metric;
    }
    for (String suffix : List.of("_bucket", "_sum", "_count", "_created", "_total", "_info")) {
      if (metric.endsWith(suffix)) {
        String base = metric.substring(0, metric.length() - suffix.length());
        if (types.containsKey(base)) {
          return base;
        }
      }
    }
    return metric;
  }
}
