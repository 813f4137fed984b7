package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplayRunsTest {
  private static final int SAMPLES = 1_000;

  private static final NativeHistogram HISTOGRAM =
      NativeHistogram.exponential(0, 0, 1, 0, 0, Buckets.NONE, Buckets.NONE);

  private final Random random = new Random(1);
  private final ReplayBatch batch = new ReplayBatch(SAMPLES);

  @Test
  void runs_keepTheOrderOfEachSeries() {
    assertRuns(4, i -> 3 + (4 * random.nextInt(50)), 51);
  }

  @Test
  void runs_ofSparseIds_areInTheOrderOfTheLog() {
    int[] ids = {Integer.MAX_VALUE, 0, 7, 1 << 30};
    assertRuns(1, i -> ids[random.nextInt(ids.length)], SAMPLES);
  }

  @Test
  void runs_ofNothing_areNone() {
    ReplayRuns runs = new ReplayRuns(1);
    runs.begin(batch);
    assertThat(runs.next(batch)).isNull();
  }

  @Test
  void runs_ofAnotherBatch_haveNothingOfTheLast() {
    assertRuns(1, i -> 1 + random.nextInt(1_000), 1_000);
    batch.clear();
    assertRuns(1, i -> 5_000 + random.nextInt(3), 3);
  }

  private void assertRuns(int idStep, IntUnaryOperator ids, int runsMax) {
    TreeMap<Integer, List<String>> expected = new TreeMap<>();
    for (int i = 0; !batch.isFull(); i++) {
      int id = ids.applyAsInt(i);
      NativeHistogram histogram = i > 10 && i % 3 == 0 ? HISTOGRAM : null;
      batch.add(id, i, -i, histogram);
      expected.computeIfAbsent(id, key -> new ArrayList<>()).add(text(i, -i, histogram));
    }
    ReplayRuns runs = new ReplayRuns(idStep);
    runs.begin(batch);
    TreeMap<Integer, List<String>> found = new TreeMap<>();
    int count = 0;
    for (SampleRun run = runs.next(batch); run != null; run = runs.next(batch)) {
      count++;
      List<String> of = found.computeIfAbsent(run.id(), key -> new ArrayList<>());
      for (int i = 0; i < run.size(); i++) {
        of.add(text(run.timestampMs(i), run.value(i), run.histogram(i)));
      }
    }
    assertThat(found).isEqualTo(expected);
    assertThat(count).isLessThanOrEqualTo(runsMax);
  }

  private static String text(long timestampMs, double value, @Nullable NativeHistogram histogram) {
    return timestampMs + " " + (histogram == null ? value : histogram);
  }

  @Test
  void series_takesARun_asItTakesItsSamples() {
    for (int round = 0; round < 50; round++) {
      HeadOptions options = HeadOptions.defaults();
      HeadSeries byRuns = new HeadSeries(1, Labels.of("a", "b"));
      HeadSeries bySamples = new HeadSeries(2, Labels.of("a", "b"));
      HeadWrite runsWrite = new HeadWrite(options);
      HeadWrite samplesWrite = new HeadWrite(options);
      long t = -options.chunkRangeMs() / 2;
      for (int i = 0; i < 20; i++) {
        SampleRun run = new SampleRun();
        int size = random.nextInt(60);
        run.begin(1, size);
        int accepted = 0;
        for (int k = 0; k < size; k++) {
          t += random.nextInt(20) == 0 ? -random.nextInt(50_000) : random.nextInt(30_000);
          NativeHistogram histogram = round % 5 == 0 && random.nextInt(30) == 0 ? HISTOGRAM : null;
          double value = random.nextBoolean() ? 1 : random.nextDouble();
          run.add(t, value, histogram);
          accepted +=
              bySamples.restore(t, value, histogram, samplesWrite) == AppendOutcome.ACCEPTED
                  ? 1
                  : 0;
        }
        assertThat(byRuns.restore(run, runsWrite)).isEqualTo(accepted);
      }
      assertThat(content(byRuns)).isEqualTo(content(bySamples));
      assertThat(runsWrite.byteChange()).isEqualTo(samplesWrite.byteChange());
      assertThat(runsWrite.chunkChange()).isEqualTo(samplesWrite.chunkChange());
      assertThat(byRuns.isInOrder(byRuns.maxMs())).isFalse();
      assertThat(byRuns.isInOrder(byRuns.maxMs() + 1)).isTrue();
    }
  }

  private static List<String> content(HeadSeries series) {
    List<String> content = new ArrayList<>();
    for (StoredChunk chunk : series.chunks(Long.MIN_VALUE, Long.MAX_VALUE)) {
      SampleColumns columns = new SampleColumns();
      chunk.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      content.add("chunk " + columns.size());
      for (int i = 0; i < columns.size(); i++) {
        content.add(text(columns.timestampMs(i), columns.value(i), columns.histogram(i)));
      }
    }
    return content;
  }
}
