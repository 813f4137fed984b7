package org.inferometer.app;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.inferometer.config.StorageConfig;
import org.inferometer.tsdb.HeadOptions;
import org.inferometer.tsdb.StoreOptions;
import org.inferometer.tsdb.wal.WalOptions;

/**
 * Where and how a server keeps its data, as the command line says it; what is absent is as the
 * config file says, or else the store's own.
 *
 * @param folder the data directory
 * @param isReadOnly whether nothing in it may be changed
 * @param blockMs the stretch of time of a new block
 * @param blockMsMax the longest stretch of a compacted one
 */
record StorageOptions(
    Path folder,
    boolean isReadOnly,
    OptionalLong retentionMs,
    OptionalLong retentionBytes,
    OptionalLong blockMs,
    OptionalLong blockMsMax,
    WalOptions wal) {
  private static final long DAY_MS = 86_400_000;

  /**
   * As Prometheus: compaction makes blocks of at most this, and of at most a tenth of retention.
   */
  private static final long BLOCK_MS_MOST = 31 * DAY_MS;

  static StorageOptions of(Path folder) {
    return new StorageOptions(
        folder,
        false,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        WalOptions.defaults());
  }

  /** All that the store needs to know. */
  StoreOptions withConfig(StorageConfig config) {
    StoreOptions defaults = StoreOptions.defaults(folder);
    long retention = first(retentionMs, config.retentionMs(), defaults.retentionMs());
    long block = blockMs.orElse(defaults.blockMs());
    return new StoreOptions(
        folder,
        isReadOnly,
        retention,
        first(retentionBytes, config.retentionBytes(), defaults.retentionBytes()),
        block,
        Math.max(block, blockMsMax.orElse(Math.min(retention / 10, BLOCK_MS_MOST))),
        head(config, retention, block),
        wal);
  }

  private static long first(OptionalLong given, OptionalLong configured, long otherwise) {
    return given.isPresent() ? given.getAsLong() : configured.orElse(otherwise);
  }

  private static HeadOptions head(StorageConfig config, long retentionMs, long blockMs) {
    HeadOptions defaults = HeadOptions.defaults();
    return new HeadOptions(
        retentionMs,
        blockMs,
        config.outOfOrderWindowMs().orElse(defaults.outOfOrderWindowMs()),
        defaults.futureLimitMs(),
        (int) Math.min(Integer.MAX_VALUE, config.seriesMax().orElse(defaults.seriesMax())),
        defaults.bytesMax(),
        (int) config.exemplarsMax().orElse(defaults.exemplarsMax()));
  }
}
