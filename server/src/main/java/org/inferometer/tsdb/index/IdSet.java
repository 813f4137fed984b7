package org.inferometer.tsdb.index;

import java.util.Arrays;
import java.util.List;

/**
 * A set of series ids as the first part of an ascending array, which may be shared. Never changed.
 */
public record IdSet(int[] ids, int size) {
  public static final IdSet EMPTY = new IdSet(new int[0], 0);

  /** From this ratio of sizes on, jumping through the larger set beats walking it. */
  private static final int GALLOP_RATIO = 16;

  public int get(int index) {
    return ids[index];
  }

  /** The ids up to a number. */
  public IdSet upTo(int max) {
    int found = Arrays.binarySearch(ids, 0, size, max);
    int count = found >= 0 ? found + 1 : -found - 1;
    return count == size ? this : new IdSet(ids, count);
  }

  public IdSet intersect(IdSet other) {
    return size <= other.size ? pick(other, true) : other.pick(this, true);
  }

  public IdSet subtract(IdSet other) {
    return other.size == 0 ? this : pick(other, false);
  }

  /** The ids of this set that are in the other, or that aren't. */
  private IdSet pick(IdSet other, boolean wanted) {
    boolean gallops = other.size / GALLOP_RATIO > size;
    int[] picked = new int[size];
    int count = 0;
    int at = 0;
    for (int i = 0; i < size; i++) {
      int id = ids[i];
      at = gallops ? other.gallop(at, id) : other.walk(at, id);
      if ((at < other.size && other.ids[at] == id) == wanted) {
        picked[count++] = id;
      }
    }
    return new IdSet(picked, count);
  }

  private int walk(int from, int id) {
    int at = from;
    while (at < size && ids[at] < id) {
      at++;
    }
    return at;
  }

  /** Doubles its stride until it is past the id, then halves back. */
  private int gallop(int from, int id) {
    int stride = 1;
    int low = from;
    while (low + stride < size && ids[low + stride] < id) {
      low += stride;
      stride <<= 1;
    }
    int high = Math.min(size, low + stride + 1);
    int found = Arrays.binarySearch(ids, low, high, id);
    return found >= 0 ? found : -found - 1;
  }

  /** The union of sets without a common id, as those of a label's values are. */
  public static IdSet unionOfDisjoint(List<IdSet> sets) {
    if (sets.size() <= 1) {
      return sets.isEmpty() ? EMPTY : sets.getFirst();
    }
    int[] all = new int[Math.toIntExact(sizeOf(sets))];
    int count = 0;
    for (IdSet set : sets) {
      System.arraycopy(set.ids, 0, all, count, set.size);
      count += set.size;
    }
    Arrays.sort(all);
    return new IdSet(all, count);
  }

  public static long sizeOf(List<IdSet> sets) {
    long total = 0;
    for (IdSet set : sets) {
      total += set.size;
    }
    return total;
  }
}
