package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds for any bytes that are read as a meta. */
final class BlockMetaProperties {
  private BlockMetaProperties() {}

  static void check(byte[] json) {
    try {
      BlockMeta meta = BlockMetaReader.read(json, "meta.json");
      assertThat(meta.minMs()).isLessThanOrEqualTo(meta.maxMs());
      BlockMeta again = BlockMetaReader.read(meta.toJson(), "meta.json");
      assertThat(again.withStats(meta.stats()).ulid()).isEqualTo(meta.ulid());
      assertThat(again.stats()).isEqualTo(meta.stats());
    } catch (CorruptBlockException e) {
      assertThat(e).hasMessageStartingWith("meta.json: ");
    }
  }
}
