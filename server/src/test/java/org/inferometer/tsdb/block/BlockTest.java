package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.inferometer.io.Disk;
import org.inferometer.model.Matcher;
import org.inferometer.model.Utf8Order;
import org.inferometer.store.Querier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockTest {
  @TempDir Path folder;

  private Block open(BlockMeta meta) throws Exception {
    return Block.open(Disk.real(), folder.resolve(meta.ulid().toString()));
  }

  @Test
  void querier_asTheModel() throws Exception {
    for (long seed = 0; seed < 60; seed++) {
      ModelBlock model = new ModelBlock(seed);
      BlockMeta meta = model.write(Disk.real(), folder, seed % 3 == 0 ? 4_000 : 1 << 20);
      Random random = new Random(seed);
      try (Block block = open(meta)) {
        assertThat(block.meta()).isEqualTo(meta);
        for (int i = 0; i < 20; i++) {
          assertSame(model, block, random, "seed " + seed);
        }
        assertThat(block.corruptions()).isZero();
      }
    }
  }

  private static void assertSame(ModelBlock model, Block block, Random random, String what) {
    List<Matcher> matchers = model.randomMatchers(random);
    long minMs = ModelBlock.START_MS + random.nextInt(7_200_000);
    long maxMs = minMs + random.nextInt(random.nextBoolean() ? 20_000 : 7_200_000);
    try (Querier querier = block.querier(minMs, maxMs)) {
      assertThat(ModelBlock.read(querier, matchers, Long.MIN_VALUE, Long.MAX_VALUE))
          .as(what + " " + matchers)
          .isEqualTo(model.select(matchers, minMs, maxMs));
      TreeSet<String> names = new TreeSet<>(Utf8Order.INSTANCE);
      TreeSet<String> values = new TreeSet<>(Utf8Order.INSTANCE);
      model
          .samples()
          .forEach(
              (labels, samples) -> {
                if (matchers.stream().allMatch(m -> m.matches(labels))) {
                  labels.forEach((name, value) -> names.add(name));
                  values.add(labels.get("zone"));
                }
              });
      values.remove("");
      assertThat(querier.labelNames(matchers)).as(what).containsExactlyElementsOf(names);
      assertThat(querier.labelValues("zone", matchers)).containsExactlyElementsOf(values);
      assertThat(querier.warnings()).isEmpty();
    }
  }
}
