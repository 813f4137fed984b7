package org.inferometer.simulator.engine;

import java.util.Arrays;

/**
 * A map from the hash of a block's content to a block, by open addressing with linear probing; a
 * removal moves what follows back instead of leaving a mark. Block 0, the null block, is no value.
 * Not thread-safe.
 */
final class BlockIndex {
  static final int NONE = 0;

  private final long[] keys;
  private final int[] values;
  private final int mask;
  private int size;

  /**
   * @param entriesMax so many entries it can hold
   */
  BlockIndex(int entriesMax) {
    int length = Integer.highestOneBit(Math.max(8, entriesMax)) << 2;
    keys = new long[length];
    values = new int[length];
    mask = length - 1;
  }

  int size() {
    return size;
  }

  /** The block, or {@link #NONE}. */
  int get(long key) {
    return values[slot(key)];
  }

  void put(long key, int value) {
    int slot = slot(key);
    if (values[slot] == NONE) {
      keys[slot] = key;
      size++;
    }
    values[slot] = value;
  }

  void remove(long key) {
    int slot = slot(key);
    if (values[slot] != NONE) {
      size--;
      close(slot);
    }
  }

  void clear() {
    Arrays.fill(values, NONE);
    size = 0;
  }

  /** Where the key is, or would be put. */
  private int slot(long key) {
    int slot = home(key);
    while (values[slot] != NONE && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long key) {
    return (int) (key ^ (key >>> 32)) & mask;
  }

  /** Empties a slot and moves those after it that would not be found any more. */
  private void close(int slot) {
    int hole = slot;
    int next = (hole + 1) & mask;
    while (values[next] != NONE) {
      int away = (next - home(keys[next])) & mask;
      if (away >= ((next - hole) & mask)) {
        keys[hole] = keys[next];
        values[hole] = values[next];
        hole = next;
      }
      next = (next + 1) & mask;
    }
    values[hole] = NONE;
  }
}
