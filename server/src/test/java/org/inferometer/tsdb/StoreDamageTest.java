package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What becomes of a store of whose files one is damaged. */
class StoreDamageTest {
  private static final int STEPS = 150;

  @Test
  void flippedBit_costsWhatIsBehindItAndIsTold() throws Exception {
    StoreDamage damage = new StoreDamage(1, STEPS);
    damage.flipBits(3);
    assertThat(damage.lossesByKind().keySet()).contains("block/index");
  }

  @Test
  void cutOffFile_costsWhatIsBehindAndIsTold() throws Exception {
    StoreDamage damage = new StoreDamage(2, STEPS);
    damage.cutOff(1);
    assertThat(damage.lossesByKind().keySet()).contains("block/index", "block/chunks/N", "wal/N");
  }

  @Test
  void zeroedSector_costsWhatIsBehindItAndIsTold() throws Exception {
    StoreDamage damage = new StoreDamage(3, STEPS);
    damage.zeroSectors(1);
    assertThat(damage.lossesByKind().keySet()).contains("block/index", "block/chunks/N", "wal/N");
  }

  @Test
  void lostEntries_costWhatWasInThem() throws Exception {
    StoreDamage damage = new StoreDamage(4, STEPS);
    damage.loseEntries();
    assertThat(damage.lossesByKind().keySet()).contains("block", "block/meta.json", "wal");
  }
}
