package org.inferometer.tsdb.block;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;

/** A target for Jazzer: any bytes as a file of chunks, and as a chunk with a right sum in one. */
public final class ChunkFileFuzz {
  private ChunkFileFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    long minMs = data.consumeLong();
    long maxMs = data.consumeLong();
    byte encoding = data.consumeByte((byte) 0, (byte) 4);
    if (data.consumeBoolean()) {
      BlockFileProperties.checkChunk(encoding, data.consumeRemainingAsBytes(), minMs, maxMs);
    } else {
      long reference = data.consumeLong();
      BlockFileProperties.checkChunkFile(data.consumeRemainingAsBytes(), reference, minMs, maxMs);
    }
  }
}
