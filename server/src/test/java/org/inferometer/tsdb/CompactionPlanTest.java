package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.Ulid;
import org.junit.jupiter.api.Test;

class CompactionPlanTest {
  /** Ranges of 20, 60 and 180. */
  private final CompactionPlan plan = new CompactionPlan(20, 250);

  private static BlockMeta block(long minMs, long maxMs) {
    return block(minMs, maxMs, 0);
  }

  private static BlockMeta block(long minMs, long maxMs, long tombstones) {
    return new BlockMeta(
        new Ulid(minMs, maxMs),
        minMs,
        maxMs,
        new BlockMeta.Stats(1_000, 100, 10, tombstones),
        1,
        List.of(),
        List.of(),
        List.of());
  }

  /** Blocks from pairs of times. */
  private static List<BlockMeta> blocks(long... times) {
    List<BlockMeta> blocks = new ArrayList<>();
    for (int i = 0; i < times.length; i += 2) {
      blocks.add(block(times[i], times[i + 1]));
    }
    return blocks;
  }

  private void expect(List<BlockMeta> blocks, long... times) {
    List<BlockMeta> given = new ArrayList<>(blocks);
    Collections.shuffle(given, new Random(1));
    assertThat(plan.next(given, Set.of())).isEqualTo(blocks(times));
  }

  @Test
  void ranges_growByThreeUpToTheLongest() {
    assertThat(plan.rangesMs()).containsExactly(20L, 60L, 180L);
    assertThat(new CompactionPlan(20, 20).rangesMs()).containsExactly(20L);
  }

  @Test
  void nothing_forNoneOrFewBlocks() {
    expect(blocks());
    expect(blocks(0, 20));
    expect(blocks(0, 20, 20, 40));
    // The last of these is the newest, which is left out.
    expect(blocks(0, 20, 20, 40, 40, 60));
  }

  @Test
  void neighbours_thatFillARange() {
    expect(blocks(0, 20, 20, 40, 40, 60, 60, 80), 0, 20, 20, 40, 40, 60);
    expect(blocks(0, 20, 40, 60, 60, 80), 0, 20, 40, 60);
  }

  @Test
  void neighbours_wherePartOfTheRangeIsMissing() {
    // Nothing will come before 60 any more, since there is a later block beside the newest.
    expect(blocks(20, 40, 40, 60, 60, 80, 80, 100), 20, 40, 40, 60);
    expect(blocks(0, 20, 20, 40, 60, 80, 80, 100), 0, 20, 20, 40);
    // Here the newest is in the same range.
    expect(blocks(0, 20, 20, 40, 40, 60));
  }

  @Test
  void neighbours_shortRangesFirst() {
    expect(
        blocks(0, 60, 60, 120, 120, 180, 180, 200, 200, 220, 220, 240, 240, 260),
        180,
        200,
        200,
        220,
        220,
        240);
    expect(blocks(0, 60, 60, 120, 120, 180, 180, 240, 240, 260), 0, 60, 60, 120, 120, 180);
  }

  @Test
  void neighbours_aLongBlockIsLeftOutOfShortRanges() {
    expect(blocks(0, 180, 180, 200, 200, 220, 220, 240, 240, 260), 180, 200, 200, 220, 220, 240);
  }

  @Test
  void neighbours_beforeTheEpoch() {
    expect(blocks(-60, -40, -40, -20, -20, 0, 0, 20), -60, -40, -40, -20, -20, 0);
  }

  @Test
  void overlapping_goesFirstAndTakesTheNewestToo() {
    expect(blocks(0, 20, 0, 19, 20, 40, 40, 60, 60, 80), 0, 19, 0, 20);
    expect(blocks(0, 20, 20, 40, 30, 35), 20, 40, 30, 35);
    expect(blocks(0, 100, 10, 20, 90, 120, 115, 130, 130, 150), 0, 100, 10, 20, 90, 120, 115, 130);
  }

  @Test
  void overlapping_touchingIsNot() {
    expect(blocks(0, 20, 20, 40));
  }

  @Test
  void failedBlocks_areLeftAlone() {
    List<BlockMeta> blocks = blocks(0, 20, 20, 40, 40, 60, 60, 80, 80, 100, 100, 120, 120, 140);
    assertThat(plan.next(blocks, Set.of(blocks.get(1).ulid())))
        .isEqualTo(blocks(60, 80, 80, 100, 100, 120));
    List<BlockMeta> overlapping = blocks(0, 20, 10, 20, 20, 40, 30, 40);
    assertThat(plan.next(overlapping, Set.of(overlapping.getFirst().ulid())))
        .isEqualTo(blocks(20, 40, 30, 40));
  }

  @Test
  void tombstones_whenThereAreManyInALongBlock() {
    BlockMeta many = block(0, 180, 6);
    BlockMeta few = block(180, 360, 5);
    BlockMeta shortOne = block(360, 380, 50);
    BlockMeta newest = block(380, 400, 50);
    assertThat(plan.next(List.of(many, few, shortOne, newest), Set.of())).containsExactly(many);
    assertThat(plan.next(List.of(few, shortOne, newest), Set.of())).isEmpty();
    assertThat(plan.next(List.of(many, newest), Set.of(many.ulid()))).isEmpty();
  }

  @Test
  void blocks_staysFewOverTime() {
    List<BlockMeta> blocks = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      blocks.add(block(20L * i, 20L * i + 20));
      for (List<BlockMeta> next = plan.next(blocks, Set.of());
          !next.isEmpty();
          next = plan.next(blocks, Set.of())) {
        blocks.removeAll(next);
        blocks.add(block(next.getFirst().minMs(), next.getLast().maxMs()));
      }
      assertThat(blocks.size()).isLessThanOrEqualTo(i / 9 + 6);
      assertThat(blocks).allMatch(b -> b.maxMs() - b.minMs() <= 180);
    }
  }
}
