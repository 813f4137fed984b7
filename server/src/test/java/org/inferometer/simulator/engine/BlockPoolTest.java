package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BlockPoolTest {
  private final BlockPool pool = new BlockPool(5);

  @Test
  void nullBlock_isNeverGivenAway() {
    assertThat(pool.usable()).isEqualTo(4);
    for (int i = 0; i < 4; i++) {
      assertThat(pool.take()).isPositive();
    }
    assertThatThrownBy(pool::take).hasMessageContaining("expected a free block");
  }

  @Test
  void freed_withHashToTheTail_withoutToTheHead() {
    int known = pool.take();
    int unknown = pool.take();
    pool.register(known, 77);
    pool.release(known);
    pool.release(unknown);
    assertThat(pool.take()).isEqualTo(unknown);
    pool.take();
    pool.take();
    assertThat(pool.find(77)).as("last in the list").isEqualTo(known);
    assertThat(pool.take()).isEqualTo(known);
    assertThat(pool.find(77)).as("its content is gone").isEqualTo(BlockIndex.NONE);
  }

  @Test
  void freeAndFound_isHeldAgain() {
    int block = pool.take();
    pool.register(block, 77);
    pool.hold(block);
    pool.release(block);
    assertThat(pool.used()).isEqualTo(1);
    pool.release(block);
    assertThat(pool.used()).isZero();
    pool.hold(pool.find(77));
    assertThat(pool.used()).isEqualTo(1);
    assertThat(pool.holders(block)).isEqualTo(1);
  }

  @Test
  void sameContentTwice_outlivesOneOfThem() {
    int first = pool.take();
    int second = pool.take();
    pool.register(first, 77);
    pool.register(second, 77);
    assertThat(pool.find(77)).isEqualTo(first);
    assertThat(pool.contents()).isEqualTo(1);
    pool.release(first);
    pool.take();
    pool.take();
    assertThat(pool.take()).isEqualTo(first);
    assertThat(pool.find(77)).isEqualTo(second);
    pool.release(second);
    pool.take();
    assertThat(pool.find(77)).isEqualTo(BlockIndex.NONE);
    assertThat(pool.contents()).isZero();
  }

  @Test
  void releasedMoreThanHeld_isABug() {
    int block = pool.take();
    pool.release(block);
    assertThatThrownBy(() -> pool.release(block)).hasMessageContaining("holder");
  }
}
