package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.store.Appender;
import org.junit.jupiter.api.Test;

/** A day in compressed time: memory and files don't grow beyond what retention and levels need. */
class StoreSoakTest {
  private static final int SERIES = 200;
  private static final long STEP_MS = 15_000;
  private static final Path FOLDER = Path.of("/data");

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final List<String> told = new ArrayList<>();
  private long now = StoreTest.START;

  private static List<Labels> labels() {
    List<Labels> all = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      all.add(Labels.of("__name__", "metric_" + i % 40, "instance", "10.0.0." + i / 40));
    }
    return all;
  }

  @Test
  void day_memoryIsFlatAndFilesAreFew() {
    StoreOptions options = StoreTest.options(FOLDER);
    Store store =
        Store.open(
            new StoreOptions(
                FOLDER,
                false,
                12 * StoreTest.HOUR,
                0,
                options.blockMs(),
                6 * StoreTest.HOUR,
                options.head(),
                options.wal()),
            disk,
            () -> now,
            told::add,
            new SplittableRandom(1));
    List<Labels> labels = labels();
    SplittableRandom random = new SplittableRandom(2);
    double[] values = new double[SERIES];
    long[] bytesMaxByThird = new long[3];
    long[] chunksMaxByThird = new long[3];
    int[] filesMaxByThird = new int[3];
    long steps = 24 * StoreTest.HOUR / STEP_MS;
    for (int step = 0; step < steps; step++, now += STEP_MS) {
      Appender appender = store.appender();
      for (int i = 0; i < SERIES; i++) {
        values[i] += i % 3 == 0 ? 0 : random.nextInt(100);
        appender.append(appender.series(labels.get(i)), now, values[i]);
      }
      appender.commit();
      if (step % 20 == 0) {
        store.maintain(now);
        int third = (int) (3L * step / steps);
        HeadStats head = store.headStats();
        bytesMaxByThird[third] = Math.max(bytesMaxByThird[third], head.bytes());
        chunksMaxByThird[third] = Math.max(chunksMaxByThird[third], head.chunks());
        filesMaxByThird[third] = Math.max(filesMaxByThird[third], disk.files(FOLDER).size());
      }
    }
    assertThat(bytesMaxByThird[2]).isLessThanOrEqualTo(bytesMaxByThird[0] * 11 / 10);
    assertThat(chunksMaxByThird[2]).isLessThanOrEqualTo(chunksMaxByThird[0] * 11 / 10);
    assertThat(filesMaxByThird[2]).isLessThanOrEqualTo(filesMaxByThird[1] + 5).isLessThan(80);
    assertThat(disk.openMappings()).isLessThan(60);
    assertThat(store.stats().reclaimed()).isPositive();
    assertThat(told).isEmpty();
    store.close();
    assertThat(disk.openMappings()).isZero();
  }
}
