package org.inferometer.tsdb.block;

import java.util.Arrays;

/**
 * The label pairs of a block that is written, each numbered when it is first seen, and how many
 * series have it: a hash table over columns. Not thread-safe.
 */
final class PairCollector {
  private long[] pairs = new long[1 << 10];
  private int[] counts = new int[1 << 10];
  private int[] slots = new int[1 << 12];
  private int size;

  int size() {
    return size;
  }

  int name(int number) {
    return (int) (pairs[number] >>> 32);
  }

  int value(int number) {
    return (int) pairs[number];
  }

  /** How many series have a pair. */
  int count(int number) {
    return counts[number];
  }

  /** Counts one more series that has a name and a value, given by their numbers. */
  int add(int name, int value) {
    long pair = ((long) name << 32) | value;
    int slot = slot(pair);
    if (slots[slot] == 0) {
      if (size == pairs.length) {
        grow();
        slot = slot(pair);
      }
      pairs[size] = pair;
      slots[slot] = ++size;
    }
    int number = slots[slot] - 1;
    counts[number]++;
    return number;
  }

  /** The number of a pair that is there. */
  int number(int name, int value) {
    return slots[slot(((long) name << 32) | value)] - 1;
  }

  private int slot(long pair) {
    long hash = pair * 0x9e3779b97f4a7c15L;
    int slot = (int) (hash >>> 32) & (slots.length - 1);
    while (slots[slot] != 0 && pairs[slots[slot] - 1] != pair) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private void grow() {
    pairs = Arrays.copyOf(pairs, 2 * size);
    counts = Arrays.copyOf(counts, 2 * size);
    slots = new int[2 * slots.length];
    for (int i = 0; i < size; i++) {
      slots[slot(pairs[i])] = i + 1;
    }
  }
}
