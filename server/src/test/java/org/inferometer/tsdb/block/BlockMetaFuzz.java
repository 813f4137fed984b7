package org.inferometer.tsdb.block;

/** A target for Jazzer: any bytes as a meta. */
public final class BlockMetaFuzz {
  private BlockMetaFuzz() {}

  public static void fuzzerTestOneInput(byte[] json) {
    BlockMetaProperties.check(json);
  }
}
