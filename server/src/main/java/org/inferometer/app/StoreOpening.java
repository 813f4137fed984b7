package org.inferometer.app;

import org.inferometer.io.Disk;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;

/** Opens a store and tells how far it is, if that takes a while. Thread-safe. */
final class StoreOpening {
  private final Console console;
  private final Ticker ticker;

  StoreOpening(Console console, Ticker ticker) {
    this.console = console;
    this.ticker = ticker;
  }

  /** What is being done, for those who ask. */
  String told() {
    return "the data is being opened";
  }

  /**
   * @throws org.inferometer.store.StoreException as {@link Store#open} does
   */
  Store open(StoreOptions options, WallClock clock) {
    return Store.open(options, Disk.real(), clock, console::say);
  }
}
