package org.inferometer.scrape;

import java.util.Arrays;

/** A hash map of positive longs to ints, with linear probing. Not thread-safe. */
final class LongToInt {
  static final int NONE = -1;

  private long[] keys = new long[16];
  private int[] values = new int[16];
  private int size;

  int get(long key) {
    int slot = slot(key);
    return keys[slot] == 0 ? NONE : values[slot];
  }

  void put(long key, int value) {
    int slot = slot(key);
    if (keys[slot] == 0) {
      keys[slot] = key;
      size++;
    }
    values[slot] = value;
    if (size > keys.length / 2) {
      grow();
    }
  }

  /** Closes the gap, so that no marks of removed keys pile up. */
  void remove(long key) {
    int gap = slot(key);
    if (keys[gap] == 0) {
      return;
    }
    int mask = keys.length - 1;
    for (int i = (gap + 1) & mask; keys[i] != 0; i = (i + 1) & mask) {
      int home = home(keys[i]);
      if (((i - home) & mask) >= ((i - gap) & mask)) {
        keys[gap] = keys[i];
        values[gap] = values[i];
        gap = i;
      }
    }
    keys[gap] = 0;
    size--;
  }

  int size() {
    return size;
  }

  private int home(long key) {
    long mixed = key * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32) & (keys.length - 1);
  }

  private int slot(long key) {
    int slot = home(key);
    while (keys[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }

  void clear() {
    Arrays.fill(keys, 0);
    size = 0;
  }
}
