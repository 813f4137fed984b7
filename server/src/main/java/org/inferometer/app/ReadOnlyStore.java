package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import org.inferometer.io.Disk;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.HeadOptions;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;

/** Opens a data directory to read, whoever wrote it and whoever has it open. */
final class ReadOnlyStore {
  /** A thousand years: nothing is too old to be read. */
  private static final long ANY_AGE_MS = 1000L * 365 * 24 * 3_600_000;

  private ReadOnlyStore() {}

  /**
   * @throws CommandException if it isn't a data directory
   * @throws org.inferometer.store.StoreException if it can't be read
   */
  static Store open(Console console, Disk disk, Path folder, WallClock clock) throws IOException {
    DataFolder.look(disk, folder);
    StoreOptions defaults = StoreOptions.defaults(folder);
    StoreOptions all =
        new StoreOptions(
            folder,
            true,
            ANY_AGE_MS,
            0,
            defaults.blockMs(),
            defaults.blockMsMax(),
            HeadOptions.defaults().withRetentionMs(ANY_AGE_MS),
            defaults.wal());
    return Store.open(all, disk, clock, console::say);
  }
}
