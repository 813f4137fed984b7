package org.inferometer.tsdb;

import org.junit.jupiter.api.Test;

/** What becomes of a store whose process is killed, or whose disk fails, at any moment. */
class StoreLifeTest {
  private static final int STEPS = 260;

  @Test
  void kill_losesNothingThatWasAcknowledged() throws Exception {
    StoreFaults.kills(1, STEPS, 41, 3);
  }

  @Test
  void powerCut_losesNothingThatWasSynced() throws Exception {
    StoreFaults.powerCuts(2, STEPS, 31, 3);
  }

  @Test
  void tornWrite_losesOnlyWhatWasBeingWritten() throws Exception {
    StoreFaults.tornWrites(6, 307);
  }

  @Test
  void fullDisk_losesNothingAndGoesOnWhenThereIsRoom() throws Exception {
    StoreFaults.fullDisks(3, 86);
  }

  @Test
  void failedSync_losesNothingThatWasSyncedBefore() throws Exception {
    StoreFaults.failedSyncs(4, 86);
  }
}
