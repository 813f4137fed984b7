package org.inferometer.tsdb.wal;

/**
 * How a log is written.
 *
 * @param segmentBytes a new segment begins before one gets larger; a multiple of the page size
 * @param compress whether records are compressed with snappy
 */
public record WalOptions(int segmentBytes, boolean compress) {
  /** A page: what is written and read at once. */
  public static final int PAGE_BYTES = 32 * 1024;

  public WalOptions {
    if (segmentBytes <= 0 || segmentBytes % PAGE_BYTES != 0) {
      throw new IllegalArgumentException(
          "expected a positive multiple of " + PAGE_BYTES + ", got " + segmentBytes);
    }
  }

  /** 128 MiB, as Prometheus has it, and snappy. */
  public static WalOptions defaults() {
    return new WalOptions(128 * 1024 * 1024, true);
  }
}
