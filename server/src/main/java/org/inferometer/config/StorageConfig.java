package org.inferometer.config;

import java.util.OptionalLong;

/**
 * Limits of the store; what is absent is the store's own default.
 *
 * @param retentionMs how far back samples are kept
 * @param outOfOrderWindowMs how late a sample may come
 * @param seriesMax how many series are held
 */
public record StorageConfig(
    OptionalLong retentionMs, OptionalLong outOfOrderWindowMs, OptionalLong seriesMax) {
  public static final StorageConfig DEFAULT =
      new StorageConfig(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
}
