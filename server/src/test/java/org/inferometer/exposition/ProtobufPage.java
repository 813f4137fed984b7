package org.inferometer.exposition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.inferometer.io.ProtoWriter;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;

/** Writes protobuf pages as client libraries do, for tests. */
public final class ProtobufPage {
  public static final int COUNTER = 0;
  public static final int GAUGE = 1;
  public static final int SUMMARY = 2;
  public static final int UNTYPED = 3;
  public static final int HISTOGRAM = 4;
  public static final int GAUGE_HISTOGRAM = 5;

  private final ProtoWriter page = new ProtoWriter(1 << 12);

  /** Adds a family of metrics, each of which writes its fields. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final ProtobufPage family(String name, int type, Consumer<ProtoWriter>... metrics) {
    return family(name, "", type, "", List.of(metrics));
  }

  public ProtobufPage family(
      String name, String help, int type, String unit, List<Consumer<ProtoWriter>> metrics) {
    page.delimited(
        family -> {
          family.string(1, name);
          if (!help.isEmpty()) {
            family.string(2, help);
          }
          family.varint(3, type);
          metrics.forEach(metric -> family.message(4, metric));
          if (!unit.isEmpty()) {
            family.string(5, unit);
          }
        });
    return this;
  }

  /** Adds a message as it is given. */
  public ProtobufPage raw(Consumer<ProtoWriter> content) {
    page.delimited(content);
    return this;
  }

  public byte[] bytes() {
    return page.toByteArray();
  }

  // --------------------------------------------------------------------------------- metrics

  /** A metric: names and values of labels, then the message with its value. */
  public static Consumer<ProtoWriter> metric(Consumer<ProtoWriter> value, String... labels) {
    return metric -> {
      labels(metric, labels);
      value.accept(metric);
    };
  }

  private static void labels(ProtoWriter message, String... labels) {
    for (int i = 0; i < labels.length; i += 2) {
      String name = labels[i];
      String value = labels[i + 1];
      message.message(1, pair -> pair.string(1, name).string(2, value));
    }
  }

  public static Consumer<ProtoWriter> gauge(double value, String... labels) {
    return metric(m -> m.message(2, v -> v.float64(1, value)), labels);
  }

  public static Consumer<ProtoWriter> counter(double value, String... labels) {
    return metric(m -> m.message(3, v -> v.float64(1, value)), labels);
  }

  public static Consumer<ProtoWriter> untyped(double value, String... labels) {
    return metric(m -> m.message(5, v -> v.float64(1, value)), labels);
  }

  public static Consumer<ProtoWriter> histogram(Consumer<ProtoWriter> fields, String... labels) {
    return metric(m -> m.message(7, fields), labels);
  }

  public static Consumer<ProtoWriter> summary(Consumer<ProtoWriter> fields, String... labels) {
    return metric(m -> m.message(4, fields), labels);
  }

  public static Consumer<ProtoWriter> at(long timestampMs, Consumer<ProtoWriter> metric) {
    return metric.andThen(m -> m.varint(6, timestampMs));
  }

  // ------------------------------------------------------------------------------ histograms

  /** Count and sum of a histogram. */
  public static Consumer<ProtoWriter> totals(long count, double sum) {
    return h -> h.varint(1, count).float64(2, sum);
  }

  public static Consumer<ProtoWriter> bucket(double bound, long cumulated) {
    return h -> h.message(3, b -> b.varint(1, cumulated).float64(2, bound));
  }

  public static Consumer<ProtoWriter> layout(int schema, double zeroThreshold, long zeroCount) {
    return h -> h.zigzag(5, schema).float64(6, zeroThreshold).varint(7, zeroCount);
  }

  /** Spans as pairs of offset and length. */
  public static Consumer<ProtoWriter> positiveSpans(int... pairs) {
    return h -> spans(h, 12, pairs);
  }

  public static Consumer<ProtoWriter> negativeSpans(int... pairs) {
    return h -> spans(h, 9, pairs);
  }

  private static void spans(ProtoWriter histogram, int field, int... pairs) {
    for (int i = 0; i < pairs.length; i += 2) {
      int offset = pairs[i];
      int length = pairs[i + 1];
      histogram.message(field, s -> s.zigzag(1, offset).varint(2, length));
    }
  }

  public static Consumer<ProtoWriter> positiveDeltas(long... deltas) {
    return h -> h.zigzags(13, deltas);
  }

  public static Consumer<ProtoWriter> negativeDeltas(long... deltas) {
    return h -> h.zigzags(10, deltas);
  }

  // ------------------------------------------------------------------------------- from text

  /** Pages of the kinds of families that there are, for mutation. */
  static List<byte[]> seeds() {
    Consumer<ProtoWriter> classic = totals(5, 2).andThen(bucket(0.25, 1)).andThen(bucket(1, 3));
    Consumer<ProtoWriter> sparse =
        totals(12, 18.4)
            .andThen(layout(1, 0.001, 2))
            .andThen(negativeSpans(0, 1))
            .andThen(negativeDeltas(2))
            .andThen(positiveSpans(0, 2, 1, 2))
            .andThen(positiveDeltas(1, 1, -1, 3));
    Consumer<ProtoWriter> floats =
        h -> {
          h.float64(4, 3.75).float64(2, 1).float64(8, 0.25);
          positiveSpans(-3, 1, 5, 2).accept(h);
          h.float64s(14, 0.5, 1, 2);
        };
    Consumer<ProtoWriter> exemplar =
        e ->
            e.message(1, l -> l.string(1, "trace_id").string(2, "abc"))
                .float64(2, 0.5)
                .message(3, t -> t.varint(1, 1_700_000_000).varint(2, 250_000_000));
    return List.of(
        new ProtobufPage()
            .family("c_total", "Help.", COUNTER, "", List.of(counter(1, "a", "b"), counter(2)))
            .family("g_s", "", GAUGE, "s", List.of(at(5, gauge(1, "a", "b"))))
            .family("u", UNTYPED, untyped(3))
            .bytes(),
        new ProtobufPage()
            .family("c", COUNTER, metric(m -> m.message(3, v -> v.message(2, exemplar))))
            .family("h", HISTOGRAM, histogram(classic, "a", "b"), histogram(sparse, "a", "c"))
            .bytes(),
        new ProtobufPage()
            .family("h", HISTOGRAM, histogram(classic.andThen(sparse)))
            .family("i", GAUGE_HISTOGRAM, histogram(floats))
            .family(
                "s",
                SUMMARY,
                summary(
                    totals(7, 3.5)
                        .andThen(h -> h.message(3, q -> q.float64(1, 0.5).float64(2, 0.1)))))
            .bytes());
  }

  /**
   * The page of a text: complete histograms and summaries as such, all else as it is typed, what
   * fits nowhere as untyped.
   */
  public static byte[] ofText(Format format, byte[] text) {
    ExpositionParser parser = ExpositionParser.of(format, Mode.TOLERANT);
    parser.reset(text, text.length);
    FromText page = new FromText();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      switch (event) {
        case TYPE -> page.types.put(parser.name(), parser.type());
        case SERIES ->
            page.add(
                new Sample(
                    parser.labels(),
                    parser.value(),
                    parser.hasTimestamp() ? parser.timestampMs() : 0));
        case HELP, UNIT, HISTOGRAM, BAD_LINE, END -> {}
      }
    }
    return page.bytes();
  }

  private record Sample(Labels labels, double value, long timestampMs) {}

  /** What one metric is made of: those of one family with the same other labels and time. */
  private record Group(String family, Labels labels, long timestampMs) {}

  private static final class FromText {
    private final Map<String, MetricType> types = new LinkedHashMap<>();
    private final Map<Group, List<Sample>> groups = new LinkedHashMap<>();
    private final ProtobufPage page = new ProtobufPage();

    void add(Sample sample) {
      String name = sample.labels.metricName();
      String family = name.replaceFirst("_(bucket|count|sum)$", "");
      MetricType type = types.getOrDefault(family, MetricType.UNKNOWN);
      boolean inGroup =
          type == MetricType.HISTOGRAM
              ? !name.equals(family)
              : type == MetricType.SUMMARY && !name.endsWith("_bucket");
      if (inGroup) {
        Labels others = sample.labels.without(List.of(Labels.NAME, "le", "quantile"));
        groups
            .computeIfAbsent(new Group(family, others, sample.timestampMs), g -> new ArrayList<>())
            .add(sample);
      } else {
        single(sample, types.getOrDefault(name, MetricType.UNKNOWN));
      }
    }

    private void single(Sample sample, MetricType type) {
      String name = sample.labels.metricName();
      String[] labels = flat(sample.labels.without(Labels.NAME));
      boolean counter = type == MetricType.COUNTER;
      boolean gauge = type == MetricType.GAUGE;
      Consumer<ProtoWriter> metric =
          counter
              ? counter(sample.value, labels)
              : gauge ? gauge(sample.value, labels) : untyped(sample.value, labels);
      int sent = counter ? COUNTER : gauge ? GAUGE : UNTYPED;
      page.family(name, "help", sent, "", List.of(timed(sample.timestampMs, metric)));
    }

    private static Consumer<ProtoWriter> timed(long timestampMs, Consumer<ProtoWriter> metric) {
      return timestampMs == 0 ? metric : at(timestampMs, metric);
    }

    byte[] bytes() {
      groups.forEach(this::group);
      return page.bytes();
    }

    private void group(Group group, List<Sample> samples) {
      boolean histogram = types.get(group.family) == MetricType.HISTOGRAM;
      if (!isWhole(samples, group.family, histogram)) {
        samples.forEach(sample -> single(sample, MetricType.UNKNOWN));
        return;
      }
      String[] labels = flat(group.labels);
      Consumer<ProtoWriter> fields = h -> samples.forEach(s -> field(h, s, histogram));
      page.family(
          group.family,
          histogram ? HISTOGRAM : SUMMARY,
          timed(
              group.timestampMs, histogram ? histogram(fields, labels) : summary(fields, labels)));
    }

    private static boolean isWhole(List<Sample> samples, String family, boolean histogram) {
      long sums = count(samples, family + "_sum");
      long counts = count(samples, family + "_count");
      boolean infinite =
          samples.stream().anyMatch(s -> s.labels.get("le").equals("+Inf")) || !histogram;
      boolean distinct = samples.stream().map(Sample::labels).distinct().count() == samples.size();
      return sums == 1
          && counts == 1
          && infinite
          && distinct
          && samples.stream().allMatch(s -> fits(s, histogram));
    }

    private static long count(List<Sample> samples, String name) {
      return samples.stream().filter(s -> s.labels.metricName().equals(name)).count();
    }

    /** Whether a sample can be said in a histogram's or a summary's fields. */
    private static boolean fits(Sample sample, boolean histogram) {
      String label = histogram ? "le" : "quantile";
      String name = sample.labels.metricName();
      boolean total = name.endsWith("_sum") || name.endsWith("_count");
      boolean number = name.endsWith("_sum") || isCount(sample.value) || (!histogram && !total);
      return number && (total ? !sample.labels.has(label) : sample.labels.has(label));
    }

    private static boolean isCount(double value) {
      return value >= 0 && value < 1e18;
    }

    private static void field(ProtoWriter message, Sample sample, boolean histogram) {
      String name = sample.labels.metricName();
      if (name.endsWith("_sum")) {
        message.float64(2, sample.value);
      } else if (name.endsWith("_count")) {
        total(message, 1, 4, sample.value);
      } else if (histogram) {
        double bound = Double.parseDouble(sample.labels.get("le").replace("Inf", "Infinity"));
        message.message(3, b -> total(b, 1, 4, sample.value).float64(2, bound));
      } else {
        double quantile = Double.parseDouble(sample.labels.get("quantile"));
        message.message(3, q -> q.float64(1, quantile).float64(2, sample.value));
      }
    }

    private static ProtoWriter total(ProtoWriter message, int whole, int asFloat, double value) {
      return value == Math.rint(value)
          ? message.varint(whole, (long) value)
          : message.float64(asFloat, value);
    }

    private static String[] flat(Labels labels) {
      List<String> flat = new ArrayList<>();
      labels.forEach(
          (name, value) -> {
            flat.add(name);
            flat.add(value);
          });
      return flat.toArray(String[]::new);
    }
  }
}
