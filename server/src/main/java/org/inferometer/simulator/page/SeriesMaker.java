package org.inferometer.simulator.page;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.inferometer.simulator.measure.Distribution;
import org.inferometer.simulator.measure.Quantity;
import org.jspecify.annotations.Nullable;

/** Makes the series of one family, with all that stands before their numbers. */
final class SeriesMaker {
  private static final String TOTAL = "_total";

  private final Family family;
  private final PageForm form;
  private final Style style;
  private final LabelText labels;
  private final long epochMs;
  private final double[] bounds;

  /** When each series came to be, where pages show that; in the order of the series. */
  private final List<Series> created = new ArrayList<>();

  SeriesMaker(Family family, PageForm form, long epochMs) {
    this.family = family;
    this.form = form;
    this.style = form.style();
    this.labels = new LabelText(style, form.order());
    this.epochMs = epochMs;
    this.bounds = family.type() == Family.Type.HISTOGRAM ? form.bounds(family) : new double[0];
  }

  List<Series> created() {
    return created;
  }

  String labelText(Map<String, String> of) {
    return labels.of(of, null);
  }

  private boolean showsCreated() {
    return form.showsCreated()
        && family.isCreatedShown()
        && switch (family.type()) {
          case COUNTER, HISTOGRAM, SUMMARY -> true;
          case GAUGE, UNTYPED -> false;
        };
  }

  /** The name without the suffix of counters. */
  private String base() {
    return family.type() == Family.Type.COUNTER && family.name().endsWith(TOTAL)
        ? family.name().substring(0, family.name().length() - TOTAL.length())
        : family.name();
  }

  byte[] header() {
    return header(style == Style.RUST ? base() : family.name(), family.type());
  }

  byte[] createdHeader() {
    return header(base() + "_created", Family.Type.GAUGE);
  }

  private byte[] header(String name, Family.Type type) {
    String help = family.help().replace("\\", "\\\\").replace("\n", "\\n");
    StringBuilder text = new StringBuilder();
    if (style == Style.RUST) {
      text.append("# HELP ").append(name).append(' ').append(help).append(".\n");
    } else if (!help.isEmpty() || style == Style.PYTHON) {
      text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    }
    text.append("# TYPE ").append(name).append(' ').append(word(type)).append('\n');
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private String word(Family.Type type) {
    return type == Family.Type.UNTYPED && style == Style.RUST
        ? "unknown"
        : type.name().toLowerCase(java.util.Locale.ROOT);
  }

  private byte[] prefix(String suffix, Map<String, String> of, @Nullable String le) {
    return (base() + suffix + labels.of(of, le) + " ").getBytes(StandardCharsets.UTF_8);
  }

  /** The suffix of a sample of a counter or a gauge. */
  private String suffix() {
    boolean isTotal = family.type() == Family.Type.COUNTER;
    return isTotal && (style == Style.RUST || family.name().endsWith(TOTAL)) ? TOTAL : "";
  }

  /**
   * @param keys the values of a labelled quantity that are added up; null for others
   * @param sinceNs when it came to be
   */
  Series series(
      Family.Row row,
      Group group,
      Map<String, String> of,
      @Nullable List<String> keys,
      long sinceNs) {
    Sources sources = new Sources(group, epochMs);
    if (showsCreated()) {
      double seconds = sources.seconds(sinceNs);
      created.add(
          new NumberSeries(prefix("_created", of, null), nowNs -> seconds, style.numbers()));
    }
    return switch (family.type()) {
      case HISTOGRAM -> histogram(row, group, of, keys);
      case SUMMARY -> summary(row, group, of, keys);
      case COUNTER, GAUGE, UNTYPED ->
          new NumberSeries(
              prefix(suffix(), of, null), source(sources, row, group, keys), numbers());
    };
  }

  private Source source(Sources sources, Family.Row row, Group group, @Nullable List<String> keys) {
    String needs = family.needs();
    if ((needs != null && group.fact(needs) == null)
        || (keys != null && family.never().containsAll(keys))) {
      return nowNs -> 0;
    }
    Source source = sources.of(row.value(), keys).times(family.scale());
    String per = family.per();
    if (per == null) {
      return source;
    }
    double parts = Sources.fact(group, per);
    return nowNs -> Math.floor(source.number(nowNs) / parts);
  }

  /** A series whose moment is that of its last change. */
  Series remembered(Family.Row row, Group group, Map<String, String> of, long[] timeNs) {
    Source source = new Sources(group, epochMs).of(row.value(), null);
    return new NumberSeries(
        prefix(suffix(), of, null), nowNs -> source.number(timeNs[0]), numbers());
  }

  private NumberText numbers() {
    NumberText own = family.numbers();
    if (own != null) {
      return own;
    }
    return family.type() == Family.Type.COUNTER ? style.counts() : style.numbers();
  }

  private NumberText sums() {
    NumberText own = family.numbers();
    return own == null ? style.numbers() : own;
  }

  private Series histogram(
      Family.Row row, Group group, Map<String, String> of, @Nullable List<String> keys) {
    Line[] buckets = new Line[bounds.length + 1];
    for (int i = 0; i < bounds.length; i++) {
      String le = style.numbers().text(bounds[i]);
      buckets[i] = new Line(prefix("_bucket", of, le), style.counts());
    }
    buckets[bounds.length] = new Line(prefix("_bucket", of, "+Inf"), style.counts());
    return new HistogramSeries(
        new HistogramSeries.Lines(
            buckets,
            new Line(prefix("_sum", of, null), sums()),
            new Line(prefix("_count", of, null), style.counts())),
        form.histogramOrder(),
        bounds,
        family.scale(),
        distributions(row, group, keys));
  }

  private static Supplier<List<Distribution>> distributions(
      Family.Row row, Group group, @Nullable List<String> keys) {
    if (!(row.value() instanceof Value.Measured measured)) {
      throw new IllegalStateException("expected a distribution");
    }
    Quantity quantity = measured.quantity();
    if (keys != null) {
      // Keys may be added, and processes that haven't seen a label yet may come to see it.
      return () -> group.distributions(quantity, keys);
    }
    List<Distribution> now = group.distributions(quantity);
    return () -> now;
  }

  private Series summary(
      Family.Row row, Group group, Map<String, String> of, @Nullable List<String> keys) {
    Source sum;
    Source count;
    Value counted = row.count();
    if (counted != null) {
      Sources sources = new Sources(group, epochMs);
      sum = sources.of(row.value(), keys);
      count = sources.of(counted, keys);
    } else {
      Supplier<List<Distribution>> all = distributions(row, group, keys);
      sum = nowNs -> all.get().stream().mapToDouble(Distribution::sum).sum();
      count = nowNs -> all.get().stream().mapToDouble(Distribution::count).sum();
    }
    return new SummarySeries(
        new NumberSeries(prefix("_sum", of, null), sum.times(family.scale()), sums()),
        new NumberSeries(prefix("_count", of, null), count, style.counts()),
        style == Style.PYTHON);
  }
}
