package org.inferometer.tsdb.block;

/** A target for Jazzer: any bytes as a file of tombstones, and as the marks in one. */
public final class TombstonesFuzz {
  private TombstonesFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    TombstonesProperties.check(bytes);
    TombstonesProperties.check(TombstonesProperties.withSum(bytes));
  }
}
