package org.inferometer.acceptance.kill;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Which batches were acknowledged, and which perhaps are there though they weren't. */
final class KillModel {
  private final List<BitSet> acknowledged = new ArrayList<>();
  private final List<BitSet> uncertain = new ArrayList<>();
  private int newest = -1;

  KillModel() {
    for (int i = 0; i < KillLoad.WRITERS; i++) {
      acknowledged.add(new BitSet());
      uncertain.add(new BitSet());
    }
  }

  void acknowledged(int writer, int tick) {
    acknowledged.get(writer).set(tick);
    newest = Math.max(newest, tick);
  }

  /**
   * A life ended. Each writer may have been in the middle of the batch after its last acknowledged
   * one.
   *
   * @param firstTick that of the life
   */
  void nextLife(int firstTick) {
    for (int i = 0; i < KillLoad.WRITERS; i++) {
      int last = acknowledged.get(i).length() - 1;
      uncertain.get(i).set(Math.max(firstTick, last + 1));
    }
  }

  /** The last tick of which a batch was acknowledged; -1 if none was. */
  int newest() {
    return newest;
  }

  boolean isAcknowledged(int writer, int tick) {
    return acknowledged.get(writer).get(tick);
  }

  boolean isUncertain(int writer, int tick) {
    return uncertain.get(writer).get(tick);
  }

  /** For messages: the last acknowledged tick of each writer, and those that are uncertain. */
  @Override
  public String toString() {
    List<String> writers = new ArrayList<>();
    for (int i = 0; i < KillLoad.WRITERS; i++) {
      writers.add((acknowledged.get(i).length() - 1) + " or " + uncertain.get(i));
    }
    return writers.toString();
  }

  long acknowledgedCount() {
    return acknowledged.stream().mapToLong(BitSet::cardinality).sum();
  }
}
