package org.inferometer.tsdb;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Orders the samples of a batch by series: a log has one sample of each of thousands of series
 * after the other, and going from series to series for each would wait for memory most of the time.
 * The samples of one series stay in the order of the log. To be used again for other batches.
 */
final class ReplayRuns {
  /** Ids may be this many times as many as the samples; sparser ones stay as they are. */
  private static final int SPARSE_MAX = 8;

  private final int shift;
  private final SampleRun run = new SampleRun();

  /** Indexes of samples, by series. */
  private int[] order = {};

  /** By series: how many samples, then where the next goes. */
  private int[] places = {};

  private int next;

  /**
   * @param idStep all ids are the same modulo this power of two
   */
  ReplayRuns(int idStep) {
    shift = Integer.numberOfTrailingZeros(idStep);
  }

  /** Orders a batch. */
  void begin(ReplayBatch batch) {
    next = 0;
    int size = batch.size();
    if (order.length < size) {
      order = new int[size];
    }
    int[] ids = batch.ids();
    int idMin = size == 0 ? 0 : Integer.MAX_VALUE;
    int idMax = 0;
    for (int i = 0; i < size; i++) {
      idMin = Math.min(idMin, ids[i]);
      idMax = Math.max(idMax, ids[i]);
    }
    int slotMax = (idMax - idMin) >>> shift;
    if (size > 0 && slotMax < (long) SPARSE_MAX * size) {
      sort(ids, size, idMin, slotMax + 1);
    } else {
      Arrays.setAll(order, i -> i);
    }
  }

  private void sort(int[] ids, int size, int idMin, int slots) {
    if (places.length < slots) {
      places = new int[slots];
    }
    Arrays.fill(places, 0, slots, 0);
    for (int i = 0; i < size; i++) {
      places[(ids[i] - idMin) >>> shift]++;
    }
    int before = 0;
    for (int i = 0; i < slots; i++) {
      int count = places[i];
      places[i] = before;
      before += count;
    }
    for (int i = 0; i < size; i++) {
      order[places[(ids[i] - idMin) >>> shift]++] = i;
    }
  }

  /**
   * The samples of the next series of the batch; null behind the last. Filled again by the next.
   */
  @Nullable SampleRun next(ReplayBatch batch) {
    int start = next;
    if (start == batch.size()) {
      return null;
    }
    int[] ids = batch.ids();
    int id = ids[order[start]];
    int end = start + 1;
    while (end < batch.size() && ids[order[end]] == id) {
      end++;
    }
    run.begin(id, end - start);
    for (int i = start; i < end; i++) {
      batch.addTo(run, order[i]);
    }
    next = end;
    return run;
  }
}
