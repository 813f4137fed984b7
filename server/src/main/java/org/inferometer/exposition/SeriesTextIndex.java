package org.inferometer.exposition;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Finds what is known of a series by the bytes that a target sends for it: an open-addressing hash
 * map from series text and {@link ExpositionParser#seriesKeyFlags flags} to a small number, the id.
 * Ids of removed series are given again, so that callers can hold their own columns by id. Each
 * series has a long of the caller's and the generation, usually the scrape, that it was seen in
 * last.
 *
 * <p>Texts are copied once, into one array that is compacted when more than half of it is
 * abandoned. {@link #find} allocates nothing. Bounded by a number of series and a number of bytes.
 * Not thread-safe.
 */
public final class SeriesTextIndex {
  /** What {@link #find} and {@link #add} answer for no series. */
  public static final int NONE = -1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int LEAST_SLOTS = 16;

  private final int maxSeries;
  private final int maxBytes;
  private final long seed;
  private final int hashMask;

  private static final byte FREE = -1;

  /** Id plus one, or 0. At most half of them are in use; searched one after the other. */
  private int[] slots = new int[LEAST_SLOTS];

  // By id.
  private int[] hashes = new int[LEAST_SLOTS / 2];
  private int[] starts = new int[LEAST_SLOTS / 2];
  private int[] lengths = new int[LEAST_SLOTS / 2];

  /** {@link #FREE} for ids that aren't in use. */
  private byte[] flags = new byte[LEAST_SLOTS / 2];

  private long[] values = new long[LEAST_SLOTS / 2];
  private long[] generations = new long[LEAST_SLOTS / 2];

  private byte[] texts = new byte[1024];
  private int textsEnd;
  private int abandoned;

  /** Ids that were ever given are below it. */
  private int idLimit;

  private int size;

  /** Removed ids, linked through {@link #starts}; {@link #NONE} ends it. */
  private int firstFree = NONE;

  /**
   * @param maxSeries the most series at a time
   * @param maxBytes the most bytes of series texts at a time
   * @param seed makes collisions unpredictable for targets
   */
  public SeriesTextIndex(int maxSeries, int maxBytes, long seed) {
    this(maxSeries, maxBytes, seed, -1);
  }

  /** With a mask on hashes, so that tests get collisions. */
  SeriesTextIndex(int maxSeries, int maxBytes, long seed, int hashMask) {
    if (maxSeries < 1 || maxSeries > 1 << 28 || maxBytes < 1 || maxBytes >= 1 << 30) {
      throw new IllegalArgumentException(maxSeries + " series, " + maxBytes + " bytes");
    }
    this.maxSeries = maxSeries;
    this.maxBytes = maxBytes;
    this.seed = seed;
    this.hashMask = hashMask;
  }

  public int size() {
    return size;
  }

  /** All ids are below it; for columns held by id. */
  public int idLimit() {
    return idLimit;
  }

  /** Bytes of the texts of all series that are in it. */
  public int textBytes() {
    return textsEnd - abandoned;
  }

  /** The id of a series, or {@link #NONE}. */
  public int find(byte[] text, int start, int end, int keyFlags) {
    return slots[slotOf(text, start, end, keyFlags, hash(text, start, end, keyFlags))] - 1;
  }

  /**
   * Adds a series that isn't there, with the value 0 and the generation {@link Long#MIN_VALUE}.
   *
   * @param keyFlags from 0 to 127
   * @return its id, or {@link #NONE} if a limit is reached
   * @throws IllegalStateException if it is there
   */
  public int add(byte[] text, int start, int end, int keyFlags) {
    if (keyFlags < 0 || keyFlags > Byte.MAX_VALUE) {
      throw new IllegalArgumentException("flags " + keyFlags);
    }
    int length = end - start;
    if (size == maxSeries || length > maxBytes - textBytes()) {
      return NONE;
    }
    int hash = hash(text, start, end, keyFlags);
    int slot = slotOf(text, start, end, keyFlags, hash);
    if (slots[slot] != 0) {
      throw new IllegalStateException("series is there already");
    }
    int id = newId();
    starts[id] = copy(text, start, length);
    lengths[id] = length;
    hashes[id] = hash;
    flags[id] = (byte) keyFlags;
    values[id] = 0;
    generations[id] = Long.MIN_VALUE;
    slots[slot] = id + 1;
    size++;
    if (size > slots.length / 2) {
      rehash(slots.length * 2);
    }
    return id;
  }

  public long value(int id) {
    return values[id];
  }

  public void setValue(int id, long value) {
    values[id] = value;
  }

  /** The generation that the series was seen in last. */
  public long seen(int id) {
    return generations[id];
  }

  /** Notes that a series is seen; false if it was in this generation before. */
  public boolean see(int id, long generation) {
    boolean first = generations[id] != generation;
    generations[id] = generation;
    return first;
  }

  /** The text of a series, as text. Invalid UTF-8 is replaced. */
  public String text(int id) {
    return Utf8.decode(texts, starts[id], starts[id] + lengths[id]);
  }

  /** Calls back with each id. Nothing may be added or removed meanwhile. */
  public void forEach(IntConsumer action) {
    for (int id = 0; id < idLimit; id++) {
      if (flags[id] != FREE) {
        action.accept(id);
      }
    }
  }

  /**
   * Removes the series that weren't seen in a generation or a later one.
   *
   * @param removed called with each id before it is gone
   * @return how many
   */
  public int removeUnseenSince(long generation, IntConsumer removed) {
    int before = size;
    for (int id = 0; id < idLimit; id++) {
      if (flags[id] != FREE && generations[id] < generation) {
        removed.accept(id);
        free(id);
      }
    }
    if (size < before) {
      rehash(slots.length);
      compactIfWorth();
    }
    return before - size;
  }

  public void clear() {
    Arrays.fill(slots, 0);
    size = 0;
    idLimit = 0;
    firstFree = NONE;
    textsEnd = 0;
    abandoned = 0;
  }

  private int newId() {
    if (firstFree != NONE) {
      int id = firstFree;
      firstFree = starts[id];
      return id;
    }
    if (idLimit == starts.length) {
      int longer = 2 * idLimit;
      hashes = Arrays.copyOf(hashes, longer);
      starts = Arrays.copyOf(starts, longer);
      lengths = Arrays.copyOf(lengths, longer);
      flags = Arrays.copyOf(flags, longer);
      values = Arrays.copyOf(values, longer);
      generations = Arrays.copyOf(generations, longer);
    }
    return idLimit++;
  }

  private void free(int id) {
    abandoned += lengths[id];
    flags[id] = FREE;
    starts[id] = firstFree;
    firstFree = id;
    size--;
  }

  /** The slot that holds a series, or the empty one where it belongs. */
  private int slotOf(byte[] text, int start, int end, int keyFlags, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0 && !isAt(slots[slot] - 1, text, start, end, keyFlags, hash)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isAt(int id, byte[] text, int start, int end, int keyFlags, int hash) {
    return hashes[id] == hash
        && lengths[id] == end - start
        && flags[id] == keyFlags
        && Arrays.equals(text, start, end, texts, starts[id], starts[id] + lengths[id]);
  }

  private void rehash(int length) {
    slots = length == slots.length ? slots : new int[length];
    Arrays.fill(slots, 0);
    int mask = slots.length - 1;
    for (int id = 0; id < idLimit; id++) {
      if (flags[id] != FREE) {
        int slot = hashes[id] & mask;
        while (slots[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = id + 1;
      }
    }
  }

  private int copy(byte[] text, int from, int length) {
    if (textsEnd + length > texts.length) {
      if (abandoned > 0) {
        compact(texts.length);
      }
      if (textsEnd + length > texts.length) {
        int longer = (int) Math.min(maxBytes, Math.max(2L * texts.length, textsEnd + length));
        texts = Arrays.copyOf(texts, Math.max(longer, textsEnd + length));
      }
    }
    System.arraycopy(text, from, texts, textsEnd, length);
    textsEnd += length;
    return textsEnd - length;
  }

  /** Gives memory back when most of it isn't used. */
  private void compactIfWorth() {
    if (abandoned > textsEnd / 2) {
      compact(Math.max(1024, 2 * textBytes()));
    }
  }

  private void compact(int capacity) {
    byte[] packed = new byte[capacity];
    int end = 0;
    for (int id = 0; id < idLimit; id++) {
      if (flags[id] != FREE && lengths[id] > 0) {
        System.arraycopy(texts, starts[id], packed, end, lengths[id]);
        starts[id] = end;
        end += lengths[id];
      }
    }
    texts = packed;
    textsEnd = end;
    abandoned = 0;
  }

  /**
   * Eight bytes at a time, each step a multiplication whose two halves are folded together, so that
   * every bit of a word reaches every bit of the hash.
   */
  private int hash(byte[] text, int start, int end, int keyFlags) {
    long hash = seed ^ (end - start) ^ ((long) keyFlags << 32);
    int i = start;
    for (; i + 8 <= end; i += 8) {
      hash = fold(hash ^ (long) LONGS.get(text, i), 0x9e3779b97f4a7c15L);
    }
    long rest = 0;
    for (; i < end; i++) {
      rest = (rest << 8) | (text[i] & 0xff);
    }
    hash = fold(hash ^ rest, 0xd6e8feb86659fd93L);
    return (int) (hash ^ (hash >>> 32)) & hashMask;
  }

  private static long fold(long a, long b) {
    return (a * b) ^ Math.unsignedMultiplyHigh(a, b);
  }
}
