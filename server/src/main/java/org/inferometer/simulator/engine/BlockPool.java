package org.inferometer.simulator.engine;

/**
 * The blocks of a KV cache. Each is held by so many requests, or free; the free ones stand in a
 * list, and new ones are taken from its head. A full block whose content is known has a hash, by
 * which it is found again, held or free, until it is taken for something else.
 *
 * <p>A block with a hash goes to the list's tail when it gets free, one without to the head: nobody
 * can use it again. Several blocks may have the same content; the one that had it first is found.
 * Block 0 is the null block, which is never given away. Not thread-safe.
 */
final class BlockPool {
  /** The list's ends: a block of its own, which is the null block. */
  private static final int ENDS = 0;

  private final int[] holders;
  private final int[] next;
  private final int[] previous;
  private final long[] hashes;
  private final boolean[] isHashed;
  private final int[] nextTwin;
  private final int[] previousTwin;
  private final BlockIndex index;

  /** Whether it is the one of its content that the index finds. */
  private final boolean[] isFound;

  /**
   * The block that was last seen after this one in a sequence: a guess, which saves the search of a
   * table that doesn't fit into a processor's cache where blocks are single tokens.
   */
  private final int[] followers;

  private int free;

  /**
   * @param blocks the null block included
   */
  BlockPool(int blocks) {
    if (blocks < 2) {
      throw new IllegalArgumentException("expected two blocks at least, not " + blocks);
    }
    holders = new int[blocks];
    next = new int[blocks];
    previous = new int[blocks];
    hashes = new long[blocks];
    isHashed = new boolean[blocks];
    nextTwin = new int[blocks];
    previousTwin = new int[blocks];
    index = new BlockIndex(hashes);
    isFound = new boolean[blocks];
    followers = new int[blocks];
    for (int block = 1; block < blocks; block++) {
      link(block, previous[ENDS], ENDS);
    }
  }

  int usable() {
    return holders.length - 1;
  }

  int free() {
    return free;
  }

  int used() {
    return usable() - free;
  }

  int holders(int block) {
    return holders[block];
  }

  /** Takes the free block that was given back longest ago; its old content is lost. */
  int take() {
    int block = next[ENDS];
    if (block == ENDS) {
      throw new IllegalStateException("expected a free block");
    }
    unlink(block);
    forget(block);
    holders[block] = 1;
    return block;
  }

  /** One more request holds a block that was found by its hash. */
  void hold(int block) {
    if (holders[block]++ == 0) {
      unlink(block);
    }
  }

  /** A request doesn't hold a block any more. */
  void release(int block) {
    if (holders[block] <= 0) {
      throw new IllegalStateException("expected a holder of block " + block);
    }
    if (--holders[block] > 0) {
      return;
    }
    if (isHashed[block]) {
      link(block, previous[ENDS], ENDS);
    } else {
      link(block, ENDS, next[ENDS]);
    }
  }

  /** As {@link #register(int, long)}, of a block that comes after another in its sequence. */
  void register(int block, long hash, int before) {
    register(block, hash);
    if (isFound[block]) {
      followers[before] = block;
    }
  }

  /** The content of a block that is held is known from now on. */
  void register(int block, long hash) {
    if (isHashed[block]) {
      throw new IllegalStateException("expected no hash yet at block " + block);
    }
    hashes[block] = hash;
    isHashed[block] = true;
    int first = index.putIfAbsent(block);
    if (first == BlockIndex.NONE) {
      isFound[block] = true;
      nextTwin[block] = block;
      previousTwin[block] = block;
    } else {
      addTwin(block, first);
    }
  }

  /** A block with this content, or {@link BlockIndex#NONE}. */
  int find(long hash) {
    return index.get(hash);
  }

  /** As {@link #find(long)}, of what comes after the content of a block. */
  int find(long hash, int before) {
    int likely = followers[before];
    if (isFound[likely] && hashes[likely] == hash) {
      return likely;
    }
    int block = index.get(hash);
    followers[before] = block;
    return block;
  }

  /** How many different contents can be found. */
  int contents() {
    return index.size();
  }

  /** The first block to be taken, or {@link BlockIndex#NONE}; then {@link #nextFree}. */
  int firstFree() {
    return next[ENDS];
  }

  int nextFree(int block) {
    return next[block];
  }

  private void addTwin(int block, int first) {
    int last = previousTwin[first];
    nextTwin[last] = block;
    previousTwin[block] = last;
    nextTwin[block] = first;
    previousTwin[first] = block;
  }

  private void forget(int block) {
    if (!isHashed[block]) {
      return;
    }
    isHashed[block] = false;
    int twin = nextTwin[block];
    boolean wasFound = isFound[block];
    isFound[block] = false;
    if (twin == block) {
      index.remove(hashes[block]);
      return;
    }
    nextTwin[previousTwin[block]] = twin;
    previousTwin[twin] = previousTwin[block];
    if (wasFound) {
      index.put(twin);
      isFound[twin] = true;
    }
  }

  private void link(int block, int before, int after) {
    next[before] = block;
    previous[block] = before;
    next[block] = after;
    previous[after] = block;
    free++;
  }

  private void unlink(int block) {
    next[previous[block]] = next[block];
    previous[next[block]] = previous[block];
    free--;
  }
}
