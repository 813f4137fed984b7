package org.inferometer.config;

import java.util.OptionalLong;

/**
 * Limits of the store; what is absent is the store's own default.
 *
 * @param retentionMs how far back samples are kept
 * @param retentionBytes how much all files of the store may take; 0 for any
 * @param outOfOrderWindowMs how late a sample may come
 * @param seriesMax how many series are held
 * @param exemplarsMax how many exemplars are held over all series; 0 for none
 */
public record StorageConfig(
    OptionalLong retentionMs,
    OptionalLong retentionBytes,
    OptionalLong outOfOrderWindowMs,
    OptionalLong seriesMax,
    OptionalLong exemplarsMax) {
  public static final StorageConfig DEFAULT =
      new StorageConfig(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty());

  StorageConfig withSeriesMax(OptionalLong value) {
    return new StorageConfig(retentionMs, retentionBytes, outOfOrderWindowMs, value, exemplarsMax);
  }
}
