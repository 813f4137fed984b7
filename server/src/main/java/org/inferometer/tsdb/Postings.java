package org.inferometer.tsdb;

import java.util.Arrays;
import org.inferometer.tsdb.index.IdSet;

/**
 * The ids of the series that have one value of a label, ascending. One thread adds at a time; any
 * thread reads. Ids only ever grow, so adding is appending; to remove, a new list is made.
 */
final class Postings {
  private static final int CAPACITY_FIRST = 2;

  /** The label's value: the one copy that all label sets share. */
  private final String value;

  private volatile int[] ids;

  /** Written after the id that it counts. */
  private volatile int size;

  Postings(String value) {
    this(value, new int[CAPACITY_FIRST], 0);
  }

  private Postings(String value, int[] ids, int size) {
    this.value = value;
    this.ids = ids;
    this.size = size;
  }

  String value() {
    return value;
  }

  int size() {
    return size;
  }

  IdSet ids() {
    int count = size; // before the array, which then has at least that many
    return new IdSet(ids, count);
  }

  void add(int id) {
    int[] array = ids;
    int count = size;
    if (count == array.length) {
      array = Arrays.copyOf(array, count + Math.max(2, count >> 1));
      ids = array;
    }
    array[count] = id;
    size = count + 1;
  }

  Postings without(IdSet removed) {
    IdSet left = ids().subtract(removed);
    return new Postings(value, Arrays.copyOf(left.ids(), left.size()), left.size());
  }
}
