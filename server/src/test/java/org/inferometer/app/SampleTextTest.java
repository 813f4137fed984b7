package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.inferometer.app.SampleText.SeriesFileText;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.SampleColumns;
import org.junit.jupiter.api.Test;

class SampleTextTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final SampleColumns columns = new SampleColumns();

  private void write(SampleText text, Labels labels) throws IOException {
    text.series(labels);
    text.samples(columns);
    text.finish();
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static NativeHistogram histogram() {
    return NativeHistogram.exponential(0, 1, 2, 0.001, 1, Buckets.NONE, Buckets.NONE);
  }

  @Test
  void dump_isThatOfPromtool() throws Exception {
    columns.add(1_700_000_000_000L, 1);
    columns.add(1_700_000_000_001L, 1e21);
    columns.add(1_700_000_000_002L, 1_234_567);
    columns.add(1_700_000_000_003L, StalenessMarker.VALUE);
    columns.add(1_700_000_000_004L, Double.NEGATIVE_INFINITY);
    write(SampleText.dump(out), Labels.of("__name__", "up", "a", "x\"\n\\é", "B", "1"));
    String labels = "{B=\"1\", __name__=\"up\", a=\"x\\\"\\n\\\\é\"} ";
    assertThat(out())
        .isEqualTo(
            labels
                + "1 1700000000000\n"
                + labels
                + "1e+21 1700000000001\n"
                + labels
                + "1.234567e+06 1700000000002\n"
                + labels
                + "NaN 1700000000003\n"
                + labels
                + "-Inf 1700000000004\n");
  }

  @Test
  void dump_hasHistograms() throws Exception {
    columns.add(5, histogram());
    write(SampleText.dump(out), Labels.of("__name__", "h"));
    assertThat(out()).isEqualTo("{__name__=\"h\"} " + histogram() + " 5\n");
  }

  @Test
  void seriesFile_leavesOutWhatItCantHold() throws Exception {
    columns.add(1000, 0.1);
    columns.add(1500, StalenessMarker.VALUE);
    columns.add(2000, Double.NaN);
    columns.add(2500, histogram());
    SeriesFileText text = SampleText.openMetrics(out);
    write(text, Labels.of("__name__", "up", "a", "x\"\n\\"));
    assertThat(out())
        .isEqualTo("up{a=\"x\\\"\\n\\\\\"} 0.1 1\nup{a=\"x\\\"\\n\\\\\"} NaN 2\n# EOF\n");
    assertThat(text.stale()).isEqualTo(1);
    assertThat(text.histograms()).isEqualTo(1);
  }

  @Test
  void names_areQuotedWhereNeeded() throws Exception {
    columns.add(1000, 1);
    write(SampleText.openMetrics(out), Labels.of("__name__", "a.b", "c.d", "e"));
    assertThat(out()).isEqualTo("{\"a.b\",\"c.d\"=\"e\"} 1 1\n# EOF\n");
    out.reset();
    write(SampleText.openMetrics(out), Labels.of("__name__", "a.b"));
    write(SampleText.openMetrics(out), Labels.of("__name__", "up"));
    assertThat(out()).isEqualTo("{\"a.b\"} 1 1\n# EOF\nup 1 1\n# EOF\n");
  }

  /** Also where a product of seconds and a thousand comes out too small. */
  @Test
  void timestamps_areReadBackToTheMillisecond() throws Exception {
    assertThat(SeriesFileText.seconds(1001)).isEqualTo("1.0011");
    assertThat(SeriesFileText.seconds(1_700_000_000_500L)).isEqualTo("1700000000.5");
    Random random = new Random(9);
    for (int i = 0; i < 20_000; i++) {
      columns.add(i < 10_000 ? i : 1_700_000_000_000L + random.nextInt(1 << 30), i);
    }
    write(SampleText.openMetrics(out), Labels.of("__name__", "up"));
    SampleColumns read = new SampleColumns();
    new SeriesFile("x")
        .read(
            new ByteArrayInputStream(out.toByteArray()),
            new SeriesFile.Sink() {
              @Override
              public int series(Labels labels) {
                return 0;
              }

              @Override
              public void sample(int series, long timestampMs, double value) {
                read.add(timestampMs, value);
              }
            },
            _ -> {});
    assertThat(read.size()).isEqualTo(columns.size());
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.timestampMs(i)).isEqualTo(columns.timestampMs(i));
    }
  }
}
