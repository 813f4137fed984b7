package org.inferometer.app;

import java.util.concurrent.TimeUnit;
import org.inferometer.io.Disk;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;

/** Opens a store and tells about it, if that takes a while. Thread-safe. */
final class StoreOpening {
  /** Most starts are over before. */
  private static final long TOLD_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long TOLD_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Console console;
  private final Ticker ticker;
  private final Pacer pacer;
  private volatile long startNanos;

  StoreOpening(Console console, Ticker ticker, Pacer pacer) {
    this.console = console;
    this.ticker = ticker;
    this.pacer = pacer;
    this.startNanos = ticker.nanos();
  }

  /** What is being done, for those who ask. */
  String told() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(ticker.nanos() - startNanos);
    return "the log of the data is being read, for " + seconds + " s now";
  }

  /**
   * @throws org.inferometer.store.StoreException as {@link Store#open} does
   */
  Store open(StoreOptions options, WallClock clock) {
    startNanos = ticker.nanos();
    Pacer.Running telling =
        pacer.start(
            "store-opening",
            TOLD_AFTER_NANOS,
            () -> {
              console.say(told());
              return TOLD_EVERY_NANOS;
            });
    try {
      return Store.open(options, Disk.real(), clock, console::say);
    } finally {
      telling.stop();
    }
  }
}
