package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.inferometer.simulator.event.Dice;
import org.junit.jupiter.api.Test;

class BlockIndexTest {
  private static final int BLOCKS = 300;

  @Test
  void anyOrder_isAsAMapSays() {
    Dice dice = Dice.of(7);
    long[] hashes = new long[BLOCKS];
    BlockIndex index = new BlockIndex(hashes);
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      int block = 1 + dice.nextInt(BLOCKS - 1);
      if (expected.containsValue(block)) {
        index.remove(hashes[block]);
        expected.remove(hashes[block]);
      } else {
        hashes[block] = hash(dice);
        index.put(block);
        expected.put(hashes[block], block);
      }
      long asked = hash(dice);
      assertThat(index.get(asked)).isEqualTo(expected.getOrDefault(asked, BlockIndex.NONE));
      assertThat(index.size()).isEqualTo(expected.size());
    }
    expected.forEach((hash, block) -> assertThat(index.get(hash)).isEqualTo(block));
  }

  /** Few different low bits, so that they collide. */
  private static long hash(Dice dice) {
    return ((long) dice.nextInt(400) << 40) | dice.nextInt(3);
  }
}
