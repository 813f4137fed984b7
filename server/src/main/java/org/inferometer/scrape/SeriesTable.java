package org.inferometer.scrape;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The series of one target, as columns by a small number: the store's reference, the scrape that
 * saw it last, and whether its end is to be marked. Several texts may be one series. Not
 * thread-safe.
 */
final class SeriesTable {
  /** To be marked as ended if the next scrape doesn't have it. */
  private static final byte TRACKED = 1;

  /** To become {@link #TRACKED} if this scrape succeeds. */
  private static final byte TRACK_NEXT = 2;

  /** Written by the scrape itself. */
  private static final byte REPORT = 4;

  private static final byte FREE = 8;

  private final LongToInt byRef = new LongToInt();
  private long[] refs = new long[16];
  private long[] seen = new long[16];
  private byte[] flags = new byte[16];
  private int limit;
  private int size;
  private int[] free = new int[16];
  private int freeCount;

  /** The number of a series, or {@link LongToInt#NONE}. */
  int find(long ref) {
    return byRef.get(ref);
  }

  int add(long ref) {
    int index = freeCount > 0 ? free[--freeCount] : next();
    refs[index] = ref;
    seen[index] = 0;
    flags[index] = 0;
    byRef.put(ref, index);
    size++;
    return index;
  }

  private int next() {
    if (limit == refs.length) {
      refs = Arrays.copyOf(refs, 2 * limit);
      seen = Arrays.copyOf(seen, 2 * limit);
      flags = Arrays.copyOf(flags, 2 * limit);
    }
    return limit++;
  }

  int size() {
    return size;
  }

  long ref(int index) {
    return refs[index];
  }

  /** Gives a series another reference, as the store forgot the one before. */
  void setRef(int index, long ref) {
    byRef.remove(refs[index]);
    refs[index] = ref;
    byRef.put(ref, index);
  }

  /** Whether no scrape had it yet. */
  boolean isNew(int index) {
    return seen[index] == 0;
  }

  /** Notes that a scrape has it; false if the scrape had it before. */
  boolean see(int index, long scrape) {
    boolean first = seen[index] != scrape;
    seen[index] = scrape;
    return first;
  }

  void trackNext(int index) {
    flags[index] |= TRACK_NEXT;
  }

  void setReport(int index) {
    flags[index] |= REPORT;
  }

  boolean isReport(int index) {
    return (flags[index] & REPORT) != 0;
  }

  /**
   * After a scrape that succeeded: names the series that ended, and forgets those that it didn't
   * have.
   */
  void finish(long scrape, LongConsumer ended) {
    for (int i = 0; i < limit; i++) {
      byte flag = flags[i];
      if ((flag & (FREE | REPORT)) != 0) {
        continue;
      }
      if (seen[i] == scrape) {
        flags[i] = (flag & TRACK_NEXT) != 0 ? TRACKED : 0;
      } else {
        if ((flag & TRACKED) != 0) {
          ended.accept(refs[i]);
        }
        remove(i);
      }
    }
  }

  /** After a scrape that failed: names the series of the last one that succeeded. */
  void fail(LongConsumer ended) {
    for (int i = 0; i < limit; i++) {
      byte flag = flags[i];
      if ((flag & (FREE | REPORT)) != 0) {
        continue;
      }
      if ((flag & TRACKED) != 0) {
        ended.accept(refs[i]);
      }
      flags[i] = 0;
    }
  }

  /** Forgets all series whose end isn't to be marked. */
  void forgetUntracked() {
    for (int i = 0; i < limit; i++) {
      if (flags[i] == 0) {
        remove(i);
      }
    }
  }

  private void remove(int index) {
    byRef.remove(refs[index]);
    flags[index] = FREE;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = index;
    size--;
  }
}
