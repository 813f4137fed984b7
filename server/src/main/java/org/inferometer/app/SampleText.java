package org.inferometer.app;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Names;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.SampleColumns;

/**
 * Writes samples as lines of UTF-8, gathered in memory and given on now and then. Not thread-safe.
 */
abstract class SampleText {
  private static final int GATHERED = 1 << 16;

  private final OutputStream out;
  final StringBuilder text = new StringBuilder(GATHERED + 1024);
  private long samples;

  private SampleText(OutputStream out) {
    this.out = out;
  }

  /**
   * As {@code promtool tsdb dump} does: label set, value, milliseconds. Native histograms as later
   * versions of it do.
   */
  static SampleText dump(OutputStream out) {
    return new Dump(out);
  }

  /** As a series file, without types. The samples of a metric have to come together. */
  static SeriesFileText openMetrics(OutputStream out) {
    return new SeriesFileText(out);
  }

  /** Begins with a series. */
  abstract void series(Labels labels);

  abstract void sample(SampleColumns columns, int index);

  /** Writes all samples of the series that was begun. */
  final void samples(SampleColumns columns) throws IOException {
    for (int i = 0; i < columns.size(); i++) {
      sample(columns, i);
      if (text.length() >= GATHERED) {
        flush();
      }
    }
    samples += columns.size();
  }

  final long samples() {
    return samples;
  }

  final void flush() throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }

  /** Writes what comes at the end. */
  void finish() throws IOException {
    flush();
  }

  private static final class Dump extends SampleText {
    private String labels = "";

    Dump(OutputStream out) {
      super(out);
    }

    @Override
    void series(Labels newLabels) {
      labels = newLabels.inBraces();
    }

    @Override
    void sample(SampleColumns columns, int index) {
      var histogram = columns.histogram(index);
      text.append(labels).append(' ');
      if (histogram == null) {
        text.append(FloatFormat.general(columns.value(index)));
      } else {
        text.append(histogram);
      }
      text.append(' ').append(columns.timestampMs(index)).append('\n');
    }
  }

  /** OpenMetrics with timestamps; what it can't hold is counted. */
  static final class SeriesFileText extends SampleText {
    private String labels = "";
    private long histograms;
    private long stale;

    SeriesFileText(OutputStream out) {
      super(out);
    }

    /** Native histograms that were left out. */
    long histograms() {
      return histograms;
    }

    /** Staleness markers that were left out: read back, they would be values that are no number. */
    long stale() {
      return stale;
    }

    @Override
    void series(Labels newLabels) {
      StringBuilder series = new StringBuilder();
      String metric = newLabels.metricName();
      boolean isPlain = Names.isLegacyMetricName(metric);
      if (isPlain) {
        series.append(metric);
      }
      series.append('{');
      if (!isPlain) {
        quote(metric, series);
      }
      newLabels.forEach(
          (name, value) -> {
            if (!name.equals(Labels.NAME)) {
              pair(name, value, series);
            }
          });
      labels = series.append('}').toString().replaceFirst("\\{}$", "");
    }

    private static void pair(String name, String value, StringBuilder series) {
      if (series.charAt(series.length() - 1) != '{') {
        series.append(',');
      }
      if (Names.isLegacyLabelName(name)) {
        series.append(name);
      } else {
        quote(name, series);
      }
      series.append('=');
      quote(value, series);
    }

    /** With the three escapes that OpenMetrics has. */
    private static void quote(String value, StringBuilder series) {
      series
          .append('"')
          .append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
          .append('"');
    }

    @Override
    void sample(SampleColumns columns, int index) {
      if (columns.histogram(index) != null) {
        histograms++;
      } else if (StalenessMarker.is(columns.value(index))) {
        stale++;
      } else {
        text.append(labels).append(' ').append(FloatFormat.general(columns.value(index)));
        text.append(' ').append(seconds(columns.timestampMs(index))).append('\n');
      }
    }

    /**
     * Seconds from which readers get the same milliseconds again: they multiply by a thousand and
     * cut off, and some products come out a little too small.
     */
    static String seconds(long timestampMs) {
      String sign = timestampMs < 0 ? "-" : "";
      long size = Math.abs(timestampMs);
      String seconds = sign + size / 1000;
      if (size % 1000 == 0) {
        return seconds;
      }
      String exact = seconds + "." + Long.toString(1000 + size % 1000).substring(1);
      boolean isRead = (long) (Double.parseDouble(exact) * 1000) == timestampMs;
      return isRead ? withoutLastZeros(exact) : exact + "1";
    }

    private static String withoutLastZeros(String digits) {
      int end = digits.length();
      while (digits.charAt(end - 1) == '0') {
        end--;
      }
      return digits.substring(0, end);
    }

    @Override
    void finish() throws IOException {
      text.append("# EOF\n");
      flush();
    }
  }
}
