package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongToIntTest {
  @Test
  void map_agreesWithHashMap() {
    long seed = 42;
    Random random = new Random(seed);
    LongToInt map = new LongToInt();
    Map<Long, Integer> model = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      long key = 1 + (long) random.nextInt(500) * (1L << random.nextInt(40));
      if (random.nextInt(3) == 0) {
        map.remove(key);
        model.remove(key);
      } else {
        map.put(key, i);
        model.put(key, i);
      }
      long asked = 1L + random.nextInt(500);
      assertThat(map.get(asked))
          .as("seed %d, step %d", seed, i)
          .isEqualTo(model.getOrDefault(asked, LongToInt.NONE));
    }
    assertThat(map.size()).isEqualTo(model.size());
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
  }
}
