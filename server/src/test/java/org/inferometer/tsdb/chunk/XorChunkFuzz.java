package org.inferometer.tsdb.chunk;

/** A target for Jazzer: any bytes as a chunk of floats. */
public final class XorChunkFuzz {
  private XorChunkFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    ChunkProperties.check(Encoding.XOR, bytes);
  }
}
