package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.exposition.ProtobufPage.GAUGE;
import static org.inferometer.exposition.ProtobufPage.HISTOGRAM;
import static org.inferometer.exposition.ProtobufPage.gauge;
import static org.inferometer.exposition.ProtobufPage.histogram;
import static org.inferometer.exposition.ProtobufPage.positiveSpans;
import static org.inferometer.exposition.ProtobufPage.totals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.io.ProtoWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Protobuf bodies made to be slow or to fill memory. Were any work quadratic they would take hours;
 * the timeout only ends such a run.
 */
@Timeout(60)
class HostileProtobufTest {
  private static final int MEGABYTE = 1 << 20;

  private record Read(int samples, int bad, String firstBad) {}

  private static Read read(byte[] body) {
    ExpositionParser parser =
        ExpositionParser.of(Format.PROTOBUF, Mode.TOLERANT, HistogramKinds.BOTH);
    SeriesTextIndex index = new SeriesTextIndex(1 << 20, 1 << 26, 1);
    parser.reset(body, body.length);
    int samples = 0;
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES || event == Event.HISTOGRAM) {
        samples++;
        index.find(parser.raw(), parser.rawStart(), parser.rawEnd(), parser.seriesKeyFlags());
      }
    }
    List<BadLine> bad = parser.badLines();
    return new Read(samples, parser.badLineCount(), bad.isEmpty() ? "" : bad.getFirst().toString());
  }

  @Test
  void longLabel_timesManyBuckets_isLeftOut() {
    Consumer<ProtoWriter> buckets =
        h -> {
          for (int i = 0; i < 2_000_000; i++) {
            h.message(3, b -> {});
          }
        };
    byte[] body =
        new ProtobufPage()
            .family(
                "h",
                HISTOGRAM,
                histogram(totals(1, 1).andThen(buckets), "a", "x".repeat(MEGABYTE / 2)))
            .bytes();
    Read read = read(body);
    assertThat(read.samples())
        .isLessThan(ProtobufParser.EXPANSION_MAX * (body.length / (MEGABYTE / 2) + 1));
    assertThat(read.bad()).isEqualTo(1);
    assertThat(read.firstBad()).contains("body of too much, expected series of at most 128 times");
  }

  @Test
  void longName_timesManyMetrics_isLeftOut() {
    List<Consumer<ProtoWriter>> metrics = Collections.nCopies(500_000, gauge(1));
    byte[] body =
        new ProtobufPage()
            .family("n".repeat(MEGABYTE / 2), "", GAUGE, "", metrics)
            .family("g", GAUGE, gauge(1))
            .bytes();
    Read read = read(body);
    assertThat(read.samples()).isPositive().isLessThan(10_000);
    assertThat(read.firstBad()).contains("body of too much");
  }

  @Test
  void seriesThatIsTooLong_costsOnlyItself() {
    String tooLong = "x".repeat(ProtobufParser.SERIES_BYTES_MAX);
    byte[] body =
        new ProtobufPage()
            .family("g", GAUGE, gauge(1, "a", tooLong), gauge(2, "a", "b"))
            .family(tooLong + "x", GAUGE, gauge(3))
            .family("h", GAUGE, gauge(4))
            .bytes();
    Read read = read(body);
    assertThat(read.samples()).isEqualTo(2);
    assertThat(read.bad()).isEqualTo(2);
    assertThat(read.firstBad())
        .contains("a name and labels of at most 1048576 bytes")
        .hasSizeLessThan(500);
  }

  @Test
  void labelsBeyondTheLimit_costOneMetric() {
    String[] labels = new String[2 * 100_000];
    for (int i = 0; i < labels.length; i += 2) {
      labels[i] = "l" + i;
      labels[i + 1] = "";
    }
    Read read = read(new ProtobufPage().family("g", GAUGE, gauge(1, labels), gauge(2)).bytes());
    assertThat(read.samples()).isEqualTo(1);
    assertThat(read.firstBad()).contains("at most 1024 labels");
  }

  @Test
  void labelsOfOneName_areFoundInLinearTime() {
    String[] labels = new String[2 * LabelSpans.MAX_LABELS];
    for (int i = 0; i < labels.length; i += 2) {
      labels[i] = "label" + i;
      labels[i + 1] = "";
    }
    labels[labels.length - 2] = "label0";
    Read read =
        read(
            new ProtobufPage()
                .family("g", "", GAUGE, "", Collections.nCopies(500, gauge(1, labels)))
                .bytes());
    assertThat(read).extracting(Read::samples, Read::bad).containsExactly(0, 500);
  }

  @Test
  void nativeBuckets_areBoundedOverTheBody() {
    int buckets = 50_000;
    List<Consumer<ProtoWriter>> metrics = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      metrics.add(
          histogram(
              totals(0, 0)
                  .andThen(positiveSpans(0, buckets))
                  .andThen(ProtobufPage.positiveDeltas(new long[buckets])),
              "i",
              Integer.toString(i)));
    }
    Read read = read(new ProtobufPage().family("h", "", HISTOGRAM, "", metrics).bytes());
    assertThat(read.samples()).isEqualTo(ProtobufParser.NATIVE_BUCKETS_MAX / buckets);
    assertThat(read.bad()).isEqualTo(1);
  }

  @Test
  void manyBadMetrics_allocateLittle() {
    byte[] body =
        new ProtobufPage()
            .family("g", "", GAUGE, "", Collections.nCopies(500_000, m -> m.varint(1, 1)))
            .bytes();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    read(body);
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(read(body).bad()).isEqualTo(500_000);
    // An exception without a trace and its text.
    assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 500_000).isLessThan(500);
  }

  @Test
  void deepMessages_areNotFollowed() {
    Consumer<ProtoWriter> content = m -> m.varint(1, 1);
    for (int i = 0; i < 2_000; i++) {
      Consumer<ProtoWriter> inner = content;
      content = m -> m.message(1, inner);
    }
    Consumer<ProtoWriter> deep = content;
    Read read = read(new ProtobufPage().family("g", GAUGE, deep, gauge(1)).bytes());
    assertThat(read).extracting(Read::samples, Read::bad).containsExactly(1, 1);
  }

  @Test
  void lengthsThatLie_areFoundAtTheirPlace() {
    for (long length : new long[] {100, 1L << 31, 1L << 32, Long.MAX_VALUE, -1}) {
      byte[] family = new ProtobufPage().family("g", GAUGE, gauge(1), gauge(2)).bytes();
      ProtoWriter lying = new ProtoWriter();
      lying.varint(1, length);
      byte[] varint = lying.toByteArray();
      byte[] body = new byte[varint.length - 1 + family.length - 1];
      System.arraycopy(varint, 1, body, 0, varint.length - 1);
      System.arraycopy(family, 1, body, varint.length - 1, family.length - 1);
      Read read = read(body);
      assertThat(read).extracting(Read::samples, Read::bad).containsExactly(2, 1);
      assertThat(read.firstBad()).startsWith("family 1, byte 0: metric family that can't be read");
    }
  }
}
