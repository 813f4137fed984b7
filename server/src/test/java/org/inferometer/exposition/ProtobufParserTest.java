package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.exposition.ProtobufPage.bucket;
import static org.inferometer.exposition.ProtobufPage.counter;
import static org.inferometer.exposition.ProtobufPage.gauge;
import static org.inferometer.exposition.ProtobufPage.histogram;
import static org.inferometer.exposition.ProtobufPage.layout;
import static org.inferometer.exposition.ProtobufPage.metric;
import static org.inferometer.exposition.ProtobufPage.negativeDeltas;
import static org.inferometer.exposition.ProtobufPage.negativeSpans;
import static org.inferometer.exposition.ProtobufPage.positiveDeltas;
import static org.inferometer.exposition.ProtobufPage.positiveSpans;
import static org.inferometer.exposition.ProtobufPage.summary;
import static org.inferometer.exposition.ProtobufPage.totals;
import static org.inferometer.exposition.ProtobufPage.untyped;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.ProtoWriter;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.inferometer.model.StalenessMarker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtobufParserTest {
  private final ProtobufPage page = new ProtobufPage();

  /** What a body has, as lines; native histograms as Prometheus prints them. */
  private static List<String> read(byte[] body, HistogramKinds kinds) {
    ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, Mode.TOLERANT, kinds);
    parser.reset(body, body.length);
    List<String> lines = new ArrayList<>();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      lines.add(line(parser, event));
    }
    return lines;
  }

  private static String line(ExpositionParser parser, Event event) {
    String time = parser.hasTimestamp() ? " @" + parser.timestampMs() : "";
    return switch (event) {
      case SERIES -> parser.labels() + " " + parser.value() + time;
      case HISTOGRAM -> parser.labels() + " " + parser.histogram() + time;
      case HELP, UNIT -> event + " " + parser.name() + " " + parser.text();
      case TYPE -> event + " " + parser.name() + " " + parser.type().word();
      case BAD_LINE -> parser.lastBadLine().toString();
      case END -> "";
    };
  }

  private List<String> read() {
    return read(page.bytes(), HistogramKinds.NATIVE);
  }

  private static List<NativeHistogram> histograms(byte[] body) {
    ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, Mode.TOLERANT);
    parser.reset(body, body.length);
    List<NativeHistogram> histograms = new ArrayList<>();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.HISTOGRAM) {
        histograms.add(parser.histogram());
      }
    }
    return histograms;
  }

  /** The first bad line of a histogram made of these fields, which stands before a good gauge. */
  private List<String> readHistogram(Consumer<ProtoWriter> fields) {
    page.family("h", ProtobufPage.HISTOGRAM, histogram(fields, "a", "b"));
    page.family("g", ProtobufPage.GAUGE, gauge(1));
    List<String> lines = read();
    assertThat(lines).endsWith("TYPE g gauge", "g 1.0");
    return lines.subList(1, lines.size() - 2);
  }

  // --------------------------------------------------------------------------- plain metrics

  @Test
  void plainTypes_areOneSampleEach() {
    page.family(
        "c_total", "How many.", ProtobufPage.COUNTER, "", List.of(counter(3, "a", "b", "c", "")));
    page.family("g_seconds", "", ProtobufPage.GAUGE, "seconds", List.of(gauge(-1.5)));
    page.family("u", ProtobufPage.UNTYPED, untyped(Double.NaN));
    assertThat(read())
        .containsExactly(
            "HELP c_total How many.",
            "TYPE c_total counter",
            "c_total{a=\"b\"} 3.0",
            "TYPE g_seconds gauge",
            "UNIT g_seconds seconds",
            "g_seconds -1.5",
            "TYPE u unknown",
            "u NaN");
  }

  @Test
  void timestamps_areKept_zeroIsNone() {
    page.family(
        "g",
        ProtobufPage.GAUGE,
        ProtobufPage.at(1_700_000_000_123L, gauge(1, "a", "1")),
        ProtobufPage.at(-5, gauge(2, "a", "2")),
        ProtobufPage.at(0, gauge(3, "a", "3")));
    assertThat(read())
        .containsExactly(
            "TYPE g gauge",
            "g{a=\"1\"} 1.0 @1700000000123",
            "g{a=\"2\"} 2.0 @-5",
            "g{a=\"3\"} 3.0");
  }

  @Test
  void stalenessMarker_canNotBeSent() {
    page.family("g", ProtobufPage.GAUGE, gauge(StalenessMarker.VALUE));
    page.family(
        "h",
        ProtobufPage.HISTOGRAM,
        histogram(totals(0, StalenessMarker.VALUE).andThen(positiveSpans(0, 0))));
    ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, Mode.PROMETHEUS);
    byte[] body = page.bytes();
    parser.reset(body, body.length);
    List<Long> bits = new ArrayList<>();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES) {
        bits.add(Double.doubleToRawLongBits(parser.value()));
      } else if (event == Event.HISTOGRAM) {
        bits.add(Double.doubleToRawLongBits(parser.histogram().sum()));
      }
    }
    assertThat(bits)
        .containsExactly(StalenessMarker.NORMAL_NAN_BITS, StalenessMarker.NORMAL_NAN_BITS);
  }

  @Test
  void fieldsInAnyOrder_andUnknownOnes_areRead() {
    page.raw(
        family ->
            family
                .varint(99, 7)
                .message(
                    4,
                    m ->
                        m.message(2, v -> v.string(9, "new").float64(1, 4))
                            .message(1, l -> l.string(2, "value").fixed32(77, 1).string(1, "name")))
                .string(5, "bytes")
                .varint(3, ProtobufPage.GAUGE)
                .string(2, "Late.")
                .string(1, "g_bytes"));
    assertThat(read())
        .containsExactly(
            "HELP g_bytes Late.",
            "TYPE g_bytes gauge",
            "UNIT g_bytes bytes",
            "g_bytes{name=\"value\"} 4.0");
  }

  @Test
  void absentTypeAndAbsentValue_areTheirDefaults() {
    page.raw(f -> f.string(1, "c").message(4, m -> m.message(3, v -> {})));
    assertThat(read()).containsExactly("TYPE c counter", "c 0.0");
  }

  @Test
  void namesInUtf8_areKeptAsTheyAre() {
    page.family("Temperatur.außen", ProtobufPage.GAUGE, gauge(1, "ort.名", "a\\nb\"\n"));
    ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, Mode.PROMETHEUS);
    byte[] body = page.bytes();
    parser.reset(body, body.length);
    assertThat(parser.next()).isEqualTo(Event.TYPE);
    assertThat(parser.next()).isEqualTo(Event.SERIES);
    assertThat(parser.labels())
        .isEqualTo(Labels.of(Labels.NAME, "Temperatur.außen", "ort.名", "a\\nb\"\n"));
    assertThat(parser.sends("ort.名")).isTrue();
    assertThat(parser.sends("ort")).isFalse();
    assertThatThrownBy(parser::histogram).isInstanceOf(IllegalStateException.class);
  }

  // ---------------------------------------------------------------- histograms and summaries

  @Test
  void summary_isItsSeries() {
    page.family(
        "s",
        ProtobufPage.SUMMARY,
        summary(
            totals(7, 3.5)
                .andThen(h -> h.message(3, q -> q.float64(1, 0.5).float64(2, 0.1)))
                .andThen(h -> h.message(3, q -> q.float64(1, 1).float64(2, Double.NaN))),
            "a",
            "b"));
    assertThat(read())
        .containsExactly(
            "TYPE s summary",
            "s_count{a=\"b\"} 7.0",
            "s_sum{a=\"b\"} 3.5",
            "s{a=\"b\", quantile=\"0.5\"} 0.1",
            "s{a=\"b\", quantile=\"1.0\"} NaN");
  }

  @Test
  void classicHistogram_isItsSeries_withTheLastBucketSentOrNot() {
    Consumer<ProtoWriter> fields =
        totals(5, 2).andThen(bucket(0.25, 1)).andThen(bucket(1, 3)).andThen(bucket(1e6, 4));
    Consumer<ProtoWriter> whole = fields.andThen(bucket(Double.POSITIVE_INFINITY, 5));
    page.family("h", ProtobufPage.HISTOGRAM, histogram(fields));
    List<String> lines = read();
    assertThat(lines)
        .containsExactly(
            "TYPE h histogram",
            "h_count 5.0",
            "h_sum 2.0",
            "h_bucket{le=\"0.25\"} 1.0",
            "h_bucket{le=\"1.0\"} 3.0",
            "h_bucket{le=\"1e+06\"} 4.0",
            "h_bucket{le=\"+Inf\"} 5.0");
    byte[] sent = new ProtobufPage().family("h", ProtobufPage.HISTOGRAM, histogram(whole)).bytes();
    assertThat(read(sent, HistogramKinds.BOTH)).isEqualTo(lines);
  }

  @Test
  void floatCounts_winWhereTheyAreUsed() {
    page.family(
        "h",
        ProtobufPage.HISTOGRAM,
        histogram(
            h ->
                h.varint(1, 9)
                    .float64(4, 2.5)
                    .message(3, b -> b.varint(1, 9).float64(4, 1.5).float64(2, 1))));
    assertThat(read()).contains("h_count 2.5", "h_bucket{le=\"1.0\"} 1.5", "h_sum 0.0");
  }

  @Test
  void countsAreUnsigned() {
    page.family("h", ProtobufPage.HISTOGRAM, histogram(totals(-1, 0)));
    assertThat(read()).contains("h_count 1.8446744073709552E19");
  }

  /** The numbers are those of the example in Prometheus's specification of native histograms. */
  private static Consumer<ProtoWriter> nativeFields() {
    return totals(12, 18.4)
        .andThen(layout(1, 0.001, 2))
        .andThen(negativeSpans(0, 1))
        .andThen(negativeDeltas(2))
        .andThen(positiveSpans(0, 2, 1, 2))
        .andThen(positiveDeltas(1, 1, -1, 3));
  }

  private static final NativeHistogram EXPECTED =
      NativeHistogram.exponential(
          1,
          12,
          18.4,
          0.001,
          2,
          Buckets.of(new int[] {0, 1, 3, 4}, new double[] {1, 2, 1, 4}),
          Buckets.of(new int[] {0}, new double[] {2}));

  @Test
  void nativeHistogram_isOneSample() {
    page.family("h", ProtobufPage.HISTOGRAM, histogram(nativeFields(), "a", "b"));
    assertThat(read()).containsExactly("TYPE h histogram", "h{a=\"b\"} " + EXPECTED);
    assertThat(histograms(page.bytes())).containsExactly(EXPECTED);
  }

  @Test
  void gaugeHistogram_saysSo() {
    page.family("h", ProtobufPage.GAUGE_HISTOGRAM, histogram(nativeFields()));
    assertThat(histograms(page.bytes())).containsExactly(EXPECTED.withHint(ResetHint.GAUGE));
    assertThat(read().getFirst()).isEqualTo("TYPE h " + MetricType.GAUGE_HISTOGRAM.word());
  }

  @ParameterizedTest
  @EnumSource
  void histogramThatIsBoth_isTakenAsAskedFor(HistogramKinds kinds) {
    page.family(
        "h", ProtobufPage.HISTOGRAM, histogram(nativeFields().andThen(bucket(1, 6)), "a", "b"));
    List<String> classic =
        List.of(
            "h_count{a=\"b\"} 12.0",
            "h_sum{a=\"b\"} 18.4",
            "h_bucket{a=\"b\", le=\"1.0\"} 6.0",
            "h_bucket{a=\"b\", le=\"+Inf\"} 12.0");
    List<String> expected = new ArrayList<>(List.of("TYPE h histogram"));
    if (kinds != HistogramKinds.CLASSIC) {
      expected.add("h{a=\"b\"} " + EXPECTED);
    }
    if (kinds != HistogramKinds.NATIVE) {
      expected.addAll(classic);
    }
    assertThat(read(page.bytes(), kinds)).isEqualTo(expected);
  }

  @Test
  void onlyNativeHistogram_hasNoClassicSeriesBesides() {
    page.family("h", ProtobufPage.HISTOGRAM, histogram(nativeFields()));
    assertThat(read(page.bytes(), HistogramKinds.BOTH)).hasSize(2);
    assertThat(read(page.bytes(), HistogramKinds.CLASSIC))
        .containsExactly(
            "TYPE h histogram", "h_count 12.0", "h_sum 18.4", "h_bucket{le=\"+Inf\"} 12.0");
  }

  @Test
  void emptyNativeHistogram_isToldByItsSpan() {
    page.family("h", ProtobufPage.HISTOGRAM, histogram(totals(0, 0).andThen(positiveSpans(0, 0))));
    page.family("i", ProtobufPage.HISTOGRAM, histogram(totals(0, 0).andThen(layout(3, 1e-9, 0))));
    assertThat(histograms(page.bytes()))
        .containsExactly(
            NativeHistogram.exponential(0, 0, 0, 0, 0, Buckets.NONE, Buckets.NONE),
            NativeHistogram.exponential(3, 0, 0, 1e-9, 0, Buckets.NONE, Buckets.NONE));
  }

  @Test
  void floatHistogram_hasItsCountsAsTheyAre() {
    page.family(
        "h",
        ProtobufPage.HISTOGRAM,
        histogram(
            h -> {
              h.float64(4, 3.75).float64(2, 1).float64(8, 0.25);
              positiveSpans(-3, 1, 5, 2).accept(h);
              h.float64s(14, 0.5, 1, 2);
            }));
    assertThat(histograms(page.bytes()))
        .containsExactly(
            NativeHistogram.exponential(
                0,
                3.75,
                1,
                0,
                0.25,
                Buckets.of(new int[] {-3, 3, 4}, new double[] {0.5, 1, 2}),
                Buckets.NONE));
  }

  @Test
  void countsWithoutPacking_areRead() {
    page.family(
        "h",
        ProtobufPage.HISTOGRAM,
        histogram(
            totals(3, 1).andThen(positiveSpans(0, 2)).andThen(h -> h.zigzag(13, 1).zigzag(13, 1))));
    assertThat(histograms(page.bytes()).getFirst().positive()).isEqualTo(Buckets.from(0, 1, 2));
  }

  @Test
  void finerSchemaThanKnown_isMadeCoarser() {
    page.family(
        "h",
        ProtobufPage.HISTOGRAM,
        histogram(
            totals(10, 1)
                .andThen(layout(10, 0, 0))
                .andThen(positiveSpans(-1, 6))
                .andThen(positiveDeltas(1, 0, 0, 0, 0, 4))));
    NativeHistogram made = histograms(page.bytes()).getFirst();
    assertThat(made.schema()).isEqualTo(8);
    assertThat(made.positive()).isEqualTo(Buckets.of(new int[] {0, 1}, new double[] {2, 8}));
  }

  @Test
  void observationsOfNaN_areInNoBucket() {
    assertThat(
            readHistogram(
                totals(5, Double.NaN).andThen(positiveSpans(0, 1)).andThen(positiveDeltas(4))))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("h{a=\"b\"} {count:5, sum:NaN");
  }

  // ------------------------------------------------------------------------------- exemplars

  private static Consumer<ProtoWriter> exemplar(int field) {
    return message ->
        message.message(
            field,
            e ->
                e.message(1, l -> l.string(1, "trace_id").string(2, "abc"))
                    .float64(2, 0.5)
                    .message(3, t -> t.varint(1, 1_700_000_000).varint(2, 250_000_000)));
  }

  @Test
  void exemplars_areThoseOfTheirSamples() {
    page.family(
        "c",
        ProtobufPage.COUNTER,
        metric(m -> m.message(3, exemplar(2).andThen(v -> v.float64(1, 3)))));
    page.family(
        "h",
        ProtobufPage.HISTOGRAM,
        histogram(
            totals(1, 1)
                .andThen(
                    h -> h.message(3, exemplar(3).andThen(b -> b.varint(1, 1).float64(2, 1))))));
    byte[] body = page.bytes();
    ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, Mode.PROMETHEUS);
    parser.reset(body, body.length);
    List<String> having = new ArrayList<>();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (parser.hasExemplar()) {
        having.add(parser.labels().toString());
        assertThat(parser.exemplarLabels()).isEqualTo(Labels.of("trace_id", "abc"));
        assertThat(parser.exemplarLength()).isEqualTo(11);
        assertThat(parser.exemplarValue()).isEqualTo(0.5);
        assertThat(parser.hasExemplarTimestamp()).isTrue();
        assertThat(parser.exemplarTimestampMs()).isEqualTo(1_700_000_000_250L);
      }
    }
    assertThat(having).containsExactly("c", "h_bucket{le=\"1.0\"}");
    assertThatThrownBy(parser::exemplarLabels).isInstanceOf(IllegalStateException.class);
  }

  // ------------------------------------------------------------------------------------- keys

  @Test
  void keys_areThoseOfSeries() {
    page.family("a", ProtobufPage.GAUGE, gauge(1), gauge(1, "x", "y"), gauge(1, "xy", ""));
    page.family("ax", ProtobufPage.GAUGE, gauge(1));
    page.family(
        "h",
        ProtobufPage.HISTOGRAM,
        histogram(nativeFields().andThen(bucket(1, 1)).andThen(bucket(2, 1))),
        histogram(totals(0, 0).andThen(bucket(1, 1)), "le2", "1"));
    SeriesTextIndex index = new SeriesTextIndex(1000, 1 << 16, 1);
    for (int round = 0; round < 2; round++) {
      ExpositionParser parser =
          ExpositionParser.of(Format.PROTOBUF, Mode.PROMETHEUS, HistogramKinds.BOTH);
      byte[] body = page.bytes();
      parser.reset(body, body.length);
      int samples = 0;
      for (Event event = parser.next(); event != Event.END; event = parser.next()) {
        if (event == Event.SERIES || event == Event.HISTOGRAM) {
          samples++;
          int found =
              index.find(parser.raw(), parser.rawStart(), parser.rawEnd(), parser.seriesKeyFlags());
          assertThat(found >= 0).as(parser.labels().toString()).isEqualTo(round > 0);
          if (found < 0) {
            index.add(parser.raw(), parser.rawStart(), parser.rawEnd(), parser.seriesKeyFlags());
          }
        }
      }
      assertThat(samples).isEqualTo(14).isEqualTo(index.size());
    }
  }

  // ------------------------------------------------------------------------- what is refused

  @Test
  void metricThatCanNotBeRead_costsOnlyItself() {
    page.family(
        "g",
        ProtobufPage.GAUGE,
        gauge(1, "a", "1"),
        counter(2, "a", "2"),
        gauge(3, "a", "3", "a", "4"),
        gauge(4, "", "x"),
        gauge(5, "__name__", "x"),
        m -> m.varint(1, 7),
        gauge(6, "a", "6"));
    assertThat(read())
        .containsExactly(
            "TYPE g gauge",
            "g{a=\"1\"} 1.0",
            "family 1, byte 30: metric that can't be read, expected field 2 with the value,"
                + " as the type is gauge: g{a=\"2\"}",
            "family 1, byte 63: metric that can't be read, expected each label name once:"
                + " g{a=\"4\"}",
            "family 1, byte 82: metric that can't be read, expected a label name: g",
            "family 1, byte 104: metric that can't be read, expected no label __name__: g",
            "family 1, byte 129: metric that can't be read, expected field 1 with wire type 2,"
                + " got 0: g",
            "g{a=\"6\"} 6.0");
  }

  @Test
  void lastBadLine_tellsOfTheNewestFailure() {
    page.family("g", ProtobufPage.GAUGE, counter(1, "a", "1"), gauge(2));
    ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, Mode.TOLERANT);
    byte[] body = page.bytes();
    parser.reset(body, body.length);
    assertThat(parser.next()).isEqualTo(Event.TYPE);
    assertThat(parser.next()).isEqualTo(Event.BAD_LINE);
    assertThat(parser.lastBadLine()).isEqualTo(parser.badLines().getFirst());
    assertThat(parser.lastBadLine().unit()).isEqualTo(BadLine.Unit.FAMILY);
    assertThat(parser.next()).isEqualTo(Event.SERIES);
    assertThat(parser.badLineCount()).isEqualTo(1);
  }

  @Test
  void otherModes_refuseTheBody() {
    page.family("g", ProtobufPage.GAUGE, counter(1), gauge(2));
    byte[] body = page.bytes();
    for (Mode mode : List.of(Mode.PROMETHEUS, Mode.SPEC)) {
      ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, mode);
      parser.reset(body, body.length);
      assertThat(parser.next()).isEqualTo(Event.TYPE);
      assertThatThrownBy(parser::next)
          .isInstanceOf(ExpositionException.class)
          .hasMessageContaining("family 1, byte");
      assertThat(parser.next()).isEqualTo(Event.END);
    }
  }

  @Test
  void truncatedBody_keepsWhatIsWhole() {
    page.family("a", ProtobufPage.GAUGE, gauge(1));
    int first = page.bytes().length;
    page.family("b", ProtobufPage.GAUGE, gauge(2, "x", "1"), gauge(3, "x", "2"), gauge(4));
    byte[] whole = page.bytes();
    List<String> all = read(whole, HistogramKinds.NATIVE);
    assertThat(all).hasSize(6);
    for (int length = 0; length < whole.length; length++) {
      List<String> cut = read(Arrays.copyOf(whole, length), HistogramKinds.NATIVE);
      if (length == 0 || length == first) {
        assertThat(cut).isEqualTo(all.subList(0, length == 0 ? 0 : 2));
        continue;
      }
      assertThat(cut.getLast()).startsWith("family " + (length < first ? 1 : 2) + ", byte ");
      List<String> kept = cut.subList(0, cut.size() - 1);
      // The type of what is cut off before it is said is the default.
      assertThat(
              all.containsAll(kept)
                  || kept.contains("TYPE b counter")
                  || kept.contains("TYPE a counter"))
          .as(cut.toString())
          .isTrue();
    }
    assertThat(read(Arrays.copyOf(whole, whole.length - 1), HistogramKinds.NATIVE))
        .startsWith("TYPE a gauge", "a 1.0", "TYPE b gauge", "b{x=\"1\"} 2.0", "b{x=\"2\"} 3.0")
        .last()
        .asString()
        .contains("metric family that can't be read, expected a length within the");
  }

  @Test
  void familyWithoutNameOrOfUnknownType_isPassedOver() {
    page.raw(f -> f.varint(3, 1).message(4, gauge(1)));
    page.family("t", 6, gauge(1));
    page.raw(f -> f.bytes(1, new byte[] {'a', (byte) 0xff}).varint(3, 1).message(4, gauge(1)));
    page.family("g", ProtobufPage.GAUGE, gauge(1));
    List<String> lines = read();
    assertThat(lines).hasSize(5).endsWith("TYPE g gauge", "g 1.0");
    assertThat(lines.get(0)).contains("family 1").contains("expected a name of the family");
    assertThat(lines.get(1)).contains("family 2").contains("a metric type from 0 to 5, got 6: t");
    assertThat(lines.get(2)).contains("family 3").contains("expected text in UTF-8");
  }

  @Test
  void helpThatIsNoText_costsOnlyItself() {
    page.raw(
        f -> f.string(1, "g").bytes(2, new byte[] {(byte) 0xc0}).varint(3, 1).message(4, gauge(1)));
    List<String> lines = read();
    assertThat(lines).hasSize(3).endsWith("TYPE g gauge", "g 1.0");
    assertThat(lines.getFirst()).contains("metadata that can't be read, expected text in UTF-8: g");
  }

  @Test
  void labelOfABucket_isRefusedAsALabel() {
    assertThat(readHistogram(totals(1, 1).andThen(bucket(1, 1)))).hasSize(4);
    page.family("i", ProtobufPage.HISTOGRAM, histogram(totals(1, 1), "le", "1"));
    page.family("s", ProtobufPage.SUMMARY, summary(totals(1, 1), "quantile", "1"));
    page.family("n", ProtobufPage.HISTOGRAM, histogram(nativeFields(), "le", "1"));
    List<String> lines = read();
    assertThat(lines.subList(lines.size() - 6, lines.size()))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("TYPE i histogram"),
            line -> assertThat(line).contains("the label le only where it is a field"),
            line -> assertThat(line).isEqualTo("TYPE s summary"),
            line -> assertThat(line).contains("the label quantile only"),
            line -> assertThat(line).isEqualTo("TYPE n histogram"),
            line -> assertThat(line).isEqualTo("n{le=\"1\"} " + EXPECTED));
  }

  @Test
  void brokenBucket_endsItsHistogram() {
    assertThat(
            readHistogram(
                totals(1, 1).andThen(bucket(1, 1)).andThen(h -> h.message(3, b -> b.varint(2, 1)))))
        .hasSize(4)
        .last()
        .asString()
        .contains("expected field 2 with wire type 1, got 0: h{a=\"b\"}");
  }

  @Test
  void nativeHistogram_thatIsNone_isRefused() {
    Consumer<ProtoWriter> one = totals(1, 1);
    refused(one.andThen(positiveSpans(0, 2)).andThen(positiveDeltas(1)), "in the spans, got 1");
    refused(
        totals(2, 1).andThen(positiveSpans(0, 1)).andThen(positiveDeltas(1, 0)),
        "1 buckets in the");
    refused(totals(0, 0).andThen(positiveSpans(0, 1)), "a count for each of the 1 buckets");
    refused(one.andThen(positiveSpans(0, 2)).andThen(positiveDeltas(2, -3)), "aren't negative");
    refused(
        totals(2, 1).andThen(positiveSpans(0, 1, -1, 1)).andThen(positiveDeltas(1, 0)),
        "spans that ascend, got the offset -1");
    refused(totals(2, 1).andThen(positiveSpans(0, 1)).andThen(positiveDeltas(1)), "got 2");
    refused(one.andThen(layout(-5, 0, 1)), "a schema from -4 to 52, got -5");
    refused(one.andThen(layout(53, 0, 1)), "got 53");
    refused(one.andThen(layout(-53, 0, 1)), "got -53");
    refused(one.andThen(layout(0, -1, 1)), "a finite zero threshold");
    refused(one.andThen(layout(0, Double.NaN, 1)), "a finite zero threshold");
    refused(totals(-1, 1).andThen(layout(0, 1, -1)), "63 bits");
    refused(totals(1, Double.NaN).andThen(layout(0, 1, 2)), "a count of the 2 in the buckets");
    refused(h -> h.float64(4, 1).float64(8, -1).message(12, s -> {}), "aren't negative");
    refused(
        h -> h.float64(4, 1).message(12, s -> s.varint(2, 1)).float64s(14, Double.NaN),
        "aren't negative, got NaN");
  }

  private static void refused(Consumer<ProtoWriter> fields, String expected) {
    List<String> lines = new ProtobufParserTest().readHistogram(fields);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).contains("family 1, byte").contains(expected).contains("h{a=");
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, -(1 << 30)})
  void bucketsBeyondAnyNumber_areRefused(int offset) {
    refused(
        totals(2, 1).andThen(positiveSpans(offset, 2)).andThen(positiveDeltas(1, 0)),
        "bucket indexes from -1048576 to 1048576, got "
            + (offset == Integer.MAX_VALUE ? "" : offset));
  }

  @Test
  void hugeSpans_areRefusedAtOnce() {
    for (long length : new long[] {1L << 31, 0xffff_ffffL, 1L << 20, -1}) {
      refused(
          totals(1, 1)
              .andThen(h -> h.message(12, s -> s.varint(2, length)))
              .andThen(positiveDeltas(1)),
          "at most 65536 spans, each of as many buckets at most");
    }
    refused(
        h -> {
          for (int i = 0; i <= SparseBuckets.BUCKETS_MAX; i++) {
            h.message(12, s -> {});
          }
        },
        "at most 65536 spans");
    refused(
        totals(1, 1).andThen(positiveSpans(0, 1)).andThen(positiveDeltas(new long[100_000])),
        "at most 65536 bucket counts");
    refused(
        totals(1, 1).andThen(positiveSpans(0, 1)).andThen(h -> h.float64s(14, new double[70_000])),
        "at most 65536 bucket counts");
  }

  @Test
  void overflowingDeltas_areRefused() {
    refused(
        totals(1, 1)
            .andThen(positiveSpans(0, 2))
            .andThen(positiveDeltas(Long.MAX_VALUE, Long.MAX_VALUE)),
        "fit in 63 bits");
    refused(
        totals(1, 1).andThen(positiveSpans(0, 3)).andThen(positiveDeltas(Long.MAX_VALUE, 0, 0)),
        "fit in 63 bits");
  }
}
