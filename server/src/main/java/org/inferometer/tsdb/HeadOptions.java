package org.inferometer.tsdb;

/**
 * The limits of a {@link Head}, each with its default in {@link #defaults}.
 *
 * @param retentionMs how long samples are kept; older ones are refused
 * @param chunkRangeMs chunks don't reach over multiples of this, so that old data can be dropped by
 *     whole chunks
 * @param outOfOrderWindowMs how much older than the newest sample of its series a sample may be; 0
 *     refuses all that are older
 * @param futureLimitMs how far ahead of the clock a sample may be
 * @param seriesMax how many series there may be
 * @param bytesMax how much chunks and index may take, as {@link HeadStats#bytes} counts it
 * @param exemplarsMax how many exemplars are kept over all series; 0 for none
 */
public record HeadOptions(
    long retentionMs,
    long chunkRangeMs,
    long outOfOrderWindowMs,
    long futureLimitMs,
    int seriesMax,
    long bytesMax,
    int exemplarsMax) {
  private static final long MINUTE_MS = 60_000;
  private static final long SERIES_MOST = 1_000_000;
  private static final long HEAP_BYTES_PER_SERIES = 2_048;

  public HeadOptions {
    require(retentionMs > 0, "retentionMs > 0", retentionMs);
    require(chunkRangeMs > 0, "chunkRangeMs > 0", chunkRangeMs);
    require(outOfOrderWindowMs >= 0, "outOfOrderWindowMs >= 0", outOfOrderWindowMs);
    require(futureLimitMs >= 0, "futureLimitMs >= 0", futureLimitMs);
    require(seriesMax > 0, "seriesMax > 0", seriesMax);
    require(bytesMax > 0, "bytesMax > 0", bytesMax);
    require(exemplarsMax >= 0, "exemplarsMax >= 0", exemplarsMax);
  }

  /** With the usual number of exemplars. */
  public HeadOptions(
      long retentionMs,
      long chunkRangeMs,
      long outOfOrderWindowMs,
      long futureLimitMs,
      int seriesMax,
      long bytesMax) {
    this(
        retentionMs,
        chunkRangeMs,
        outOfOrderWindowMs,
        futureLimitMs,
        seriesMax,
        bytesMax,
        ExemplarRing.EXEMPLARS_MAX);
  }

  private static void require(boolean holds, String expected, long given) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + expected + ", got " + given);
    }
  }

  /**
   * Six hours, enough for a working day's question without a disk; two-hour chunks, ten minutes
   * ahead and five minutes out of order; a series for each two kilobytes of heap, a million at
   * most, which leaves each room for its place in the index, in its target's cache and for chunks;
   * two fifths of the heap, the rest being for queries, bodies of scrapes and caches.
   */
  public static HeadOptions defaults() {
    return new HeadOptions(
        360 * MINUTE_MS,
        120 * MINUTE_MS,
        5 * MINUTE_MS,
        10 * MINUTE_MS,
        (int) Math.min(SERIES_MOST, Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_SERIES),
        Runtime.getRuntime().maxMemory() / 5 * 2);
  }

  public HeadOptions withRetentionMs(long value) {
    return new HeadOptions(
        value, chunkRangeMs, outOfOrderWindowMs, futureLimitMs, seriesMax, bytesMax, exemplarsMax);
  }

  public HeadOptions withOutOfOrderWindowMs(long value) {
    return new HeadOptions(
        retentionMs, chunkRangeMs, value, futureLimitMs, seriesMax, bytesMax, exemplarsMax);
  }

  public HeadOptions withSeriesMax(int value) {
    return new HeadOptions(
        retentionMs,
        chunkRangeMs,
        outOfOrderWindowMs,
        futureLimitMs,
        value,
        bytesMax,
        exemplarsMax);
  }

  public HeadOptions withBytesMax(long value) {
    return new HeadOptions(
        retentionMs,
        chunkRangeMs,
        outOfOrderWindowMs,
        futureLimitMs,
        seriesMax,
        value,
        exemplarsMax);
  }

  public HeadOptions withExemplarsMax(int value) {
    return new HeadOptions(
        retentionMs, chunkRangeMs, outOfOrderWindowMs, futureLimitMs, seriesMax, bytesMax, value);
  }
}
