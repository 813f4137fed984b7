package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Pages with other values and the same series, the index warm: a scrape in the steady state. */
  @ParameterizedTest
  @EnumSource
  void steadyState_allocatesNothingPerSample(Format format) {
    SeriesTextIndex index = new SeriesTextIndex(100_000, 1 << 24, 1);
    ExpositionParser parser = ExpositionParser.of(format, Mode.TOLERANT);
    byte[][] pages = new byte[10][];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = VllmLikeBody.of(format, 40, i);
    }
    long samples = 0;
    for (int i = 0; i < pages.length; i++) {
      samples = scrape(parser, index, pages[i], i);
    }
    assertThat(samples).isEqualTo(40 * (3 * 22 + 2)).isEqualTo(index.size());
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < pages.length; i++) {
      samples += scrape(parser, index, pages[i], 100 + i);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat((double) allocated / samples).isLessThan(1);
  }

  private static long scrape(
      ExpositionParser parser, SeriesTextIndex index, byte[] page, long generation) {
    parser.reset(page, page.length);
    long samples = 0;
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES) {
        int flags = parser.seriesKeyFlags();
        int id = index.find(parser.raw(), parser.rawStart(), parser.rawEnd(), flags);
        if (id == SeriesTextIndex.NONE) {
          id = index.add(parser.raw(), parser.rawStart(), parser.rawEnd(), flags);
        }
        index.see(id, generation);
        index.setValue(id, Double.doubleToRawLongBits(parser.value()));
        samples++;
      }
    }
    return samples;
  }
}
