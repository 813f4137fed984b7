package org.inferometer.simulator.engine;

/**
 * Finds blocks by the hashes of their contents, by open addressing with linear probing; a removal
 * moves what follows back instead of leaving a mark. It holds blocks alone and looks their hashes
 * up where the pool keeps them, so that it stays small. Block 0, the null block, is never in it.
 * Not thread-safe.
 */
final class BlockIndex {
  static final int NONE = 0;

  private final long[] hashes;
  private final int[] blocks;
  private final int mask;
  private int size;

  /**
   * @param hashes by block; those of blocks that are in the index don't change
   */
  BlockIndex(long[] hashes) {
    this.hashes = hashes;
    int length = Integer.highestOneBit(Math.max(8, hashes.length)) << 2;
    blocks = new int[length];
    mask = length - 1;
  }

  int size() {
    return size;
  }

  /** The block with this hash, or {@link #NONE}. */
  int get(long hash) {
    return blocks[slot(hash)];
  }

  /** Puts a block in, in the place of the one with the same hash if there is one. */
  void put(int block) {
    int slot = slot(hashes[block]);
    if (blocks[slot] == NONE) {
      size++;
    }
    blocks[slot] = block;
  }

  /**
   * Puts a block in, unless there is one with the same hash.
   *
   * @return the one that was there, or {@link #NONE}
   */
  int putIfAbsent(int block) {
    int slot = slot(hashes[block]);
    int present = blocks[slot];
    if (present == NONE) {
      blocks[slot] = block;
      size++;
    }
    return present;
  }

  void remove(long hash) {
    int slot = slot(hash);
    if (blocks[slot] != NONE) {
      size--;
      close(slot);
    }
  }

  /** Where the hash is, or would be put. */
  private int slot(long hash) {
    int slot = home(hash);
    while (blocks[slot] != NONE && hashes[blocks[slot]] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long hash) {
    return (int) (hash ^ (hash >>> 32)) & mask;
  }

  /** Empties a slot and moves those after it that would not be found any more. */
  private void close(int slot) {
    int hole = slot;
    int next = (hole + 1) & mask;
    while (blocks[next] != NONE) {
      int away = (next - home(hashes[blocks[next]])) & mask;
      if (away >= ((next - hole) & mask)) {
        blocks[hole] = blocks[next];
        hole = next;
      }
      next = (next + 1) & mask;
    }
    blocks[hole] = NONE;
  }
}
