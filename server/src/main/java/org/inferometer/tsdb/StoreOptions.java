package org.inferometer.tsdb;

import java.nio.file.Path;
import org.inferometer.tsdb.wal.WalOptions;

/**
 * What a {@link Store} is opened with.
 *
 * @param folder the data directory
 * @param isReadOnly whether nothing in it may be changed
 * @param retentionMs how long samples are kept; {@code storage.tsdb.retention.time}
 * @param retentionBytes how much all files may take; 0 for any; {@code storage.tsdb.retention.size}
 * @param blockMs the stretch of time of a block that is cut from the head; {@code
 *     storage.tsdb.min-block-duration}
 * @param blockMsMax the longest stretch that compaction makes; {@code
 *     storage.tsdb.max-block-duration}
 */
public record StoreOptions(
    Path folder,
    boolean isReadOnly,
    long retentionMs,
    long retentionBytes,
    long blockMs,
    long blockMsMax,
    HeadOptions head,
    WalOptions wal) {
  private static final long HOUR_MS = 3_600_000;

  public StoreOptions {
    require(retentionMs > 0, "retentionMs > 0", retentionMs);
    require(retentionBytes >= 0, "retentionBytes >= 0", retentionBytes);
    require(blockMs > 0, "blockMs > 0", blockMs);
    require(blockMsMax >= blockMs, "blockMsMax >= blockMs, which is " + blockMs, blockMsMax);
    require(
        head.chunkRangeMs() == blockMs,
        "blockMs = the head's chunkRangeMs, which is " + head.chunkRangeMs(),
        blockMs);
  }

  private static void require(boolean holds, String expected, long given) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + expected + ", got " + given);
    }
  }

  /** As Prometheus has them: 15 days, any size, two hours; a tenth of retention at most. */
  public static StoreOptions defaults(Path folder) {
    return new StoreOptions(
        folder,
        false,
        15 * 24 * HOUR_MS,
        0,
        2 * HOUR_MS,
        36 * HOUR_MS,
        HeadOptions.defaults(),
        WalOptions.defaults());
  }
}
