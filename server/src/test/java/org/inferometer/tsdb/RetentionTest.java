package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.BlockWriter;
import org.inferometer.tsdb.block.Ulid;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private static Retention.Sized block(long minMs, long maxMs, long bytes) {
    return new Retention.Sized(
        BlockWriter.ofHead(new Ulid(minMs, maxMs), minMs, maxMs, List.of()), bytes);
  }

  private final Retention.Sized a = block(0, 20, 100);
  private final Retention.Sized b = block(20, 40, 100);
  private final Retention.Sized c = block(40, 60, 100);
  private final List<Retention.Sized> blocks = List.of(b, a, c);

  private List<BlockMeta> expired(long retentionMs, long bytesMax, long otherBytes) {
    return new Retention(retentionMs, bytesMax).expired(blocks, otherBytes, Long.MAX_VALUE);
  }

  @Test
  void time_countsFromTheNewestBlock() {
    assertThat(expired(100, 0, 0)).isEmpty();
    assertThat(expired(41, 0, 0)).isEmpty();
    assertThat(expired(40, 0, 0)).containsExactly(a.meta());
    assertThat(expired(20, 0, 0)).containsExactly(b.meta(), a.meta());
    assertThat(expired(1, 0, 0)).containsExactly(b.meta(), a.meta());
  }

  @Test
  void size_takesTheOldestFirst() {
    assertThat(expired(100, 300, 0)).isEmpty();
    assertThat(expired(100, 299, 0)).containsExactly(a.meta());
    assertThat(expired(100, 300, 1)).containsExactly(a.meta());
    assertThat(expired(100, 150, 0)).containsExactly(b.meta(), a.meta());
    assertThat(expired(100, 150, 51)).containsExactly(c.meta(), b.meta(), a.meta());
  }

  @Test
  void nothing_forNoBlocks() {
    assertThat(new Retention(1, 1).expired(List.of(), 5, Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void blockThatEndsInTheFuture_makesNoneOlder() {
    Retention retention = new Retention(40, 0);
    long nowMs = a.meta().maxMs() + 39;
    assertThat(retention.expired(blocks, 0, nowMs)).isEmpty();
    assertThat(retention.expired(blocks, 0, nowMs + 1)).containsExactly(a.meta());
  }
}
