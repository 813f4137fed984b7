package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.Mode;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.junit.jupiter.api.Test;

class BodyAppenderTest {
  private static final int SAMPLES = 20_000;

  /** Takes everything and keeps nothing. */
  private static final class Sponge implements Appender {
    private long refs;
    private double sum;

    @Override
    public long series(Labels labels) {
      return ++refs;
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, double value) {
      sum += value;
      return AppendOutcome.ACCEPTED;
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram) {
      return append(seriesRef, timestampMs, histogram.sum());
    }

    @Override
    public void commit() {}

    @Override
    public void rollback() {}
  }

  private static byte[] page() {
    StringBuilder page = new StringBuilder("# TYPE a counter\n# TYPE go_a gauge\n");
    for (int i = 0; i < SAMPLES; i++) {
      page.append(i % 4 == 0 ? "go_a" : "a").append("{x=\"").append(i).append("\"} ").append(i);
      page.append(".5\n");
    }
    return page.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void steadyState_allocatesNothingPerSample() throws ScrapeException {
    Target target =
        Target.of(
                ScrapeWorld.job(
                        "metric_relabel_configs: [{source_labels: [__name__], regex: go_.*,"
                            + " action: drop}]")
                    .getFirst())
            .targets()
            .getFirst();
    SampleCounts counts = new SampleCounts();
    BodyAppender appender = new BodyAppender(new TargetCache(1), counts, target);
    MetadataBook metadata = new MetadataBook(1);
    ExpositionParser parser = ExpositionParser.of(Format.TEXT, Mode.TOLERANT);
    Sponge sponge = new Sponge();
    byte[] page = page();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      counts.clear();
      long before = threads.getCurrentThreadAllocatedBytes();
      parser.reset(page, page.length);
      appender.append(parser, metadata, sponge, 1_000L * i);
      appender.finish(sponge);
      metadata.finish(parser, page, page.length);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(counts.scraped).isEqualTo(SAMPLES);
    assertThat(counts.added).isEqualTo(SAMPLES * 3 / 4);
    assertThat(sponge.refs).isEqualTo(SAMPLES * 3 / 4);
    assertThat(sponge.sum).isPositive();
    assertThat(least).as("bytes per scrape").isLessThan(SAMPLES / 10);
  }
}
