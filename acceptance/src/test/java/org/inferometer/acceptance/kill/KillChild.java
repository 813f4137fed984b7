package org.inferometer.acceptance.kill;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.io.Disk;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.tsdb.HeadOptions;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;
import org.inferometer.tsdb.wal.WalOptions;

/**
 * The process that is killed: {@code KillChild FOLDER TICK}. It opens a store and writes from that
 * tick on until it is no more. A line {@code WRITER TICK} on standard output follows each commit;
 * {@code bad ...} follows what never should happen, and ends it.
 */
public final class KillChild {
  /** Ticks go by faster than their times, so that hours of blocks fit in a minute. */
  private static final long TICK_PAUSE_NANOS = 1_500_000;

  private static final long MAINTENANCE_PAUSE_NANOS = 20_000_000;

  private static final int EXEMPLAR_EVERY = 10;
  private static final int TRIES_MAX = 3;

  private final Store store;
  private final AtomicInteger tick;
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  private KillChild(Store store, AtomicInteger tick) {
    this.store = store;
    this.tick = tick;
  }

  /** The options of the child, and of whoever looks at its directory. */
  static StoreOptions options(Path folder, boolean isReadOnly) {
    HeadOptions head = HeadOptions.defaults();
    return new StoreOptions(
        folder,
        isReadOnly,
        KillLoad.RETENTION_MS,
        0,
        KillLoad.BLOCK_MS,
        KillLoad.BLOCK_MS_MAX,
        new HeadOptions(
            KillLoad.RETENTION_MS,
            KillLoad.BLOCK_MS,
            KillLoad.LATE_WINDOW_MS,
            head.futureLimitMs(),
            head.seriesMax(),
            head.bytesMax()),
        new WalOptions(8 * WalOptions.PAGE_BYTES, true));
  }

  public static void main(String[] arguments) throws Exception {
    AtomicInteger tick = new AtomicInteger(Integer.parseInt(arguments[1]));
    Store store =
        Store.open(
            options(Path.of(arguments[0]), false),
            Disk.real(),
            () -> KillLoad.timeMs(tick.get()),
            line -> System.err.println("log: " + line));
    new KillChild(store, tick).run();
  }

  private void run() throws Exception {
    say("ready");
    CyclicBarrier barrier = new CyclicBarrier(KillLoad.WRITERS, this::next);
    ThreadFactory threads = Thread.ofPlatform().factory();
    for (int i = 0; i < KillLoad.WRITERS; i++) {
      int writer = i;
      threads.newThread(() -> write(writer, barrier)).start();
    }
    while (true) {
      store.maintain(KillLoad.timeMs(tick.get()));
      String trouble = store.stats().trouble();
      if (!trouble.isEmpty()) {
        bad("trouble: " + trouble);
      }
      LockSupport.parkNanos(MAINTENANCE_PAUSE_NANOS);
    }
  }

  private void next() {
    tick.incrementAndGet();
    LockSupport.parkNanos(TICK_PAUSE_NANOS);
  }

  private void write(int writer, CyclicBarrier barrier) {
    try {
      while (true) {
        int now = tick.get();
        commit(writer, now);
        say(writer + " " + now);
        barrier.await();
      }
    } catch (Exception e) {
      e.printStackTrace();
      bad(e.toString());
    }
  }

  private void commit(int writer, int now) {
    Appender appender = store.appender();
    for (KillLoad.Entry entry : KillLoad.batch(writer, now)) {
      AppendOutcome outcome = AppendOutcome.UNKNOWN_SERIES;
      // A series without a sample may just have been removed; then there is another one.
      for (int i = 0; i < TRIES_MAX && outcome == AppendOutcome.UNKNOWN_SERIES; i++) {
        outcome = append(appender, entry);
      }
      if (outcome.isRejection()) {
        bad(writer + " " + now + " " + entry + ": " + outcome);
      }
      if (now % EXEMPLAR_EVERY == 0 && entry.histogram() != null) {
        appender.exemplar(
            entry.labels(),
            new Exemplar(Labels.of("trace_id", "t" + now), now, entry.timestampMs()));
      }
    }
    appender.commit();
  }

  private static AppendOutcome append(Appender appender, KillLoad.Entry entry) {
    long ref = appender.series(entry.labels());
    return entry.histogram() == null
        ? appender.append(ref, entry.timestampMs(), entry.value())
        : appender.append(ref, entry.timestampMs(), entry.histogram());
  }

  /** One write, so that a line is there whole or not at all. */
  private void say(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void bad(String what) {
    say("bad " + what);
    Runtime.getRuntime().halt(1);
  }
}
