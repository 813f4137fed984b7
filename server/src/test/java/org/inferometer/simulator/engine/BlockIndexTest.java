package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.inferometer.simulator.event.Dice;
import org.junit.jupiter.api.Test;

class BlockIndexTest {
  @Test
  void anyOrder_isAsAMapSays() {
    Dice dice = Dice.of(7);
    BlockIndex index = new BlockIndex(300);
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      // Few different low bits, so that keys collide.
      long key = ((long) dice.nextInt(400) << 40) | dice.nextInt(3);
      if (expected.size() < 300 && dice.chance(0.6)) {
        int value = 1 + dice.nextInt(1000);
        index.put(key, value);
        expected.put(key, value);
      } else {
        index.remove(key);
        expected.remove(key);
      }
      long asked = ((long) dice.nextInt(400) << 40) | dice.nextInt(3);
      assertThat(index.get(asked)).isEqualTo(expected.getOrDefault(asked, BlockIndex.NONE));
      assertThat(index.size()).isEqualTo(expected.size());
    }
    expected.forEach((key, value) -> assertThat(index.get(key)).isEqualTo(value));
  }
}
