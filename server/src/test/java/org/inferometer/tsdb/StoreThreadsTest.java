package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.junit.jupiter.api.Test;

/** Appends, queries and maintenance beside each other: nobody sees a half state. */
class StoreThreadsTest {
  private static final int SERIES = 8;
  private static final int BATCHES = 3_000;

  private final AtomicLong clock = new AtomicLong(StoreTest.START);
  private final AtomicBoolean isDone = new AtomicBoolean();
  private final List<String> told = new ArrayList<>();
  private final Store store =
      Store.open(
          StoreTest.options(Path.of("/data")),
          new SimulatedDisk(1),
          clock::get,
          told::add,
          new SplittableRandom(1));

  /** A batch has a sample of each series. */
  private Void append() {
    for (int i = 0; i < BATCHES; i++) {
      long now = clock.addAndGet(StoreTest.MINUTE);
      Appender appender = store.appender();
      for (int s = 0; s < SERIES; s++) {
        appender.append(appender.series(StoreTest.labels(s)), now, i);
      }
      appender.commit();
    }
    isDone.set(true);
    return null;
  }

  private Void maintain() {
    while (!isDone.get()) {
      store.maintain(clock.get());
    }
    return null;
  }

  private Void query() {
    int before = 0;
    while (!isDone.get()) {
      try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
        int first = count(querier);
        assertThat(first).isGreaterThanOrEqualTo(before);
        assertThat(count(querier)).isEqualTo(first);
        assertThat(querier.warnings()).isEmpty();
        before = first;
      }
    }
    return null;
  }

  /** How many samples each series has, all of them as many. */
  private static int count(Querier querier) {
    List<Series> selected = querier.select(StoreTest.ALL);
    assertThat(selected.size()).isIn(0, SERIES);
    int count = -1;
    SampleColumns columns = new SampleColumns();
    for (Series series : selected) {
      columns.clear();
      series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      assertThat(columns.size()).isEqualTo(count < 0 ? columns.size() : count);
      count = columns.size();
      for (int i = 0; i < count; i++) {
        assertThat(columns.value(i)).isEqualTo(i);
      }
    }
    return Math.max(0, count);
  }

  @Test
  void queries_seeWholeBatchesAndAllOfThem() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Void>> tasks = List.of(this::append, this::maintain, this::query, this::query);
      List<Future<Void>> running = new ArrayList<>();
      for (Callable<Void> task : tasks) {
        running.add(
            threads.submit(
                () -> {
                  try {
                    return task.call();
                  } finally {
                    isDone.set(true);
                  }
                }));
      }
      for (Future<Void> one : running) {
        one.get();
      }
    }
    try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      assertThat(count(querier)).isEqualTo(BATCHES);
    }
    assertThat(store.blocks()).isNotEmpty();
    assertThat(store.stats().trouble()).isEmpty();
    assertThat(told).isEmpty();
    store.close();
  }
}
