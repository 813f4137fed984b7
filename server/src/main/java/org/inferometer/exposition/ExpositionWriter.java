package org.inferometer.exposition;

import java.util.HashSet;
import java.util.Set;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.inferometer.model.Names;

/**
 * Writes a page of metrics in either text format: one HELP and one TYPE per family, then its
 * samples. Families are named without a counter's {@code _total} or an info's {@code _info}; the
 * writer adds these where the format has them. Mistakes of the caller, such as a family twice or a
 * name that needs quotes, are {@link IllegalArgumentException}. Not thread-safe.
 */
public final class ExpositionWriter {
  private final Format format;
  private final StringBuilder page = new StringBuilder(8192);
  private final Set<String> names = new HashSet<>();
  private String family = "";
  private MetricType type = MetricType.UNKNOWN;
  private boolean finished;

  /**
   * @param format one that is text
   */
  public ExpositionWriter(Format format) {
    check(format != Format.PROTOBUF, "no text format: " + format);
    this.format = format;
  }

  /** Begins a family without a unit. */
  public ExpositionWriter family(String name, MetricType newType, String help) {
    return family(name, newType, help, "");
  }

  /**
   * Begins a family.
   *
   * @param unit "" or what the name ends in after an underscore; only OpenMetrics shows it
   */
  public ExpositionWriter family(String name, MetricType newType, String help, String unit) {
    check(!finished, "page is finished");
    check(Names.isLegacyMetricName(name), "metric name " + name);
    check(unit.isEmpty() || name.endsWith("_" + unit), "unit " + unit + " of " + name);
    boolean unitless = newType == MetricType.INFO || newType == MetricType.STATE_SET;
    check(unit.isEmpty() || !unitless, "unit of " + name + ", a " + newType.word());
    claim(name);
    for (String suffix : OpenMetricsRules.suffixes(newType)) {
      if (!suffix.isEmpty()) {
        claim(name + suffix);
      }
    }
    family = name;
    type = newType;
    String shown = format == Format.TEXT ? textName(name, newType) : name;
    if (!help.isEmpty()) {
      page.append("# HELP ").append(shown).append(' ');
      escape(help, format == Format.OPENMETRICS);
      page.append('\n');
    }
    String word = format == Format.TEXT ? textType(newType) : newType.word();
    page.append("# TYPE ").append(shown).append(' ').append(word).append('\n');
    if (!unit.isEmpty() && format == Format.OPENMETRICS) {
      page.append("# UNIT ").append(shown).append(' ').append(unit).append('\n');
    }
    return this;
  }

  private void claim(String name) {
    check(names.add(name), name + " is taken by another family");
  }

  /** A sample of a gauge, counter, info, state or unknown family. */
  public ExpositionWriter sample(Labels labels, double value) {
    return switch (type) {
      case COUNTER -> line("_total", labels, "", "", value);
      case INFO -> line("_info", labels, "", "", value);
      case GAUGE, STATE_SET, UNKNOWN -> line("", labels, "", "", value);
      case HISTOGRAM, GAUGE_HISTOGRAM, SUMMARY ->
          throw new IllegalArgumentException(family + " is a " + type.word());
    };
  }

  /** A sample without labels. */
  public ExpositionWriter sample(double value) {
    return sample(Labels.EMPTY, value);
  }

  /**
   * A histogram: cumulated buckets, count and sum.
   *
   * @param bounds upper bounds, rising, without infinity
   * @param counts how many observations fell into each bucket alone, and one more beyond the last
   */
  public ExpositionWriter histogram(Labels labels, double[] bounds, long[] counts, double sum) {
    check(type == MetricType.HISTOGRAM, family + " is a " + type.word());
    check(counts.length == bounds.length + 1, bounds.length + " bounds, " + counts.length);
    long cumulated = 0;
    for (int i = 0; i < counts.length; i++) {
      cumulated += counts[i];
      double bound = i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY;
      check(i == 0 || bound > bounds[i - 1], "bounds don't rise");
      line("_bucket", labels, "le", NumberLabels.format(bound), (double) cumulated);
    }
    line("_sum", labels, "", "", sum);
    return line("_count", labels, "", "", (double) cumulated);
  }

  /** A summary: quantiles, count and sum. */
  public ExpositionWriter summary(
      Labels labels, double[] quantiles, double[] values, long count, double sum) {
    check(type == MetricType.SUMMARY, family + " is a " + type.word());
    check(quantiles.length == values.length, quantiles.length + " quantiles, " + values.length);
    for (int i = 0; i < quantiles.length; i++) {
      line("", labels, "quantile", NumberLabels.format(quantiles[i]), values[i]);
    }
    line("_sum", labels, "", "", sum);
    return line("_count", labels, "", "", (double) count);
  }

  private ExpositionWriter line(
      String suffix, Labels labels, String lastName, String lastValue, double value) {
    check(!finished && !family.isEmpty(), "no family");
    page.append(family).append(suffix);
    String separator = "{";
    for (int i = 0; i < labels.size(); i++) {
      separator = label(separator, labels.name(i), labels.value(i), lastName);
    }
    if (!lastName.isEmpty()) {
      separator = label(separator, lastName, lastValue, "");
    }
    page.append(separator.equals(",") ? "} " : " ").append(FloatFormat.general(value)).append('\n');
    return this;
  }

  private String label(String separator, String name, String text, String reserved) {
    check(Names.isLegacyLabelName(name), "label name " + name);
    check(!name.equals(reserved) && !name.equals(Labels.NAME), "label " + name + " of " + family);
    page.append(separator).append(name).append("=\"");
    escape(text, true);
    page.append('"');
    return ",";
  }

  private void escape(String text, boolean quotes) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        page.append("\\n");
      } else if (c == '\\' || (c == '"' && quotes)) {
        page.append('\\').append(c);
      } else {
        page.append(c);
      }
    }
  }

  /** The page, with its end mark. Nothing can be added any more. */
  public String finish() {
    if (!finished && format == Format.OPENMETRICS) {
      page.append("# EOF\n");
    }
    finished = true;
    return page.toString();
  }

  /** The content type of the page. */
  public String contentType() {
    return format.contentType();
  }

  private static String textName(String name, MetricType type) {
    return switch (type) {
      case COUNTER -> name + "_total";
      case INFO -> name + "_info";
      case GAUGE, HISTOGRAM, GAUGE_HISTOGRAM, SUMMARY, STATE_SET, UNKNOWN -> name;
    };
  }

  private static String textType(MetricType type) {
    return switch (type) {
      case COUNTER, GAUGE, HISTOGRAM, SUMMARY -> type.word();
      case INFO, STATE_SET -> "gauge";
      case GAUGE_HISTOGRAM, UNKNOWN -> "untyped";
    };
  }

  private static void check(boolean expected, String problem) {
    if (!expected) {
      throw new IllegalArgumentException(problem);
    }
  }
}
