package org.inferometer.tsdb.block;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;

/** A target for Jazzer: any bytes as an index, and as parts of one whose sums are right. */
public final class BlockIndexFuzz {
  private BlockIndexFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    if (data.consumeBoolean()) {
      BlockFileProperties.checkIndex(data.consumeRemainingAsBytes());
    } else {
      BlockFileProperties.checkIndex(
          BlockFileProperties.index(
              data.consumeBytes(200),
              data.consumeBytes(200),
              data.consumeBytes(100),
              data.consumeRemainingAsBytes()));
    }
  }
}
