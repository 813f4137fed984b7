package org.inferometer.simulator.engine;

/** The KV cache of an engine: gives blocks to sequences and finds those that others left. */
final class KvCache {
  private final BlockPool pool;
  private final int blockSize;
  private final boolean prefixCaching;
  private final int watermarkBlocks;

  /** The blocks found by the last lookup. */
  private final int[] found;

  KvCache(EngineConfig config) {
    pool = new BlockPool(config.blocks());
    blockSize = config.blockSize();
    prefixCaching = config.prefixCaching();
    watermarkBlocks = (int) (config.watermark() * config.blocks());
    found = new int[config.maxModelLen() / blockSize + 1];
  }

  BlockPool pool() {
    return pool;
  }

  double usage() {
    return (double) pool.used() / pool.usable();
  }

  int blocksFor(int tokens) {
    return (tokens + blockSize - 1) / blockSize;
  }

  /**
   * Finds the longest beginning of a sequence whose blocks are there. One token is left to compute,
   * since a step without tokens brings none.
   *
   * @return blocks
   */
  int lookup(Sequence sequence) {
    if (!prefixCaching) {
      return 0;
    }
    int blocksMax = (sequence.known - 1) / blockSize;
    int count = 0;
    int block = BlockIndex.NONE;
    while (count < blocksMax) {
      block = pool.find(sequence.hash(count), block);
      if (block == BlockIndex.NONE) {
        break;
      }
      found[count++] = block;
    }
    return count;
  }

  /**
   * Gives a sequence that holds nothing the blocks of the last lookup and new ones.
   *
   * @param hits blocks of the lookup
   * @param tokens that need a place
   * @param tokensToFit that must fit as well, though they get no blocks yet
   * @param othersRun whether the watermark is kept free
   * @return whether there was room; if not, nothing has changed
   */
  boolean admit(Sequence sequence, int hits, int tokens, int tokensToFit, boolean othersRun) {
    int wanted = blocksFor(Math.max(tokens, tokensToFit)) - hits + freeAmongFound(hits);
    if (wanted + (othersRun ? watermarkBlocks : 0) > pool.free()) {
      return false;
    }
    for (int i = 0; i < hits; i++) {
      pool.hold(found[i]);
      sequence.addBlock(found[i]);
    }
    sequence.registered = hits;
    take(sequence, blocksFor(tokens));
    return true;
  }

  /**
   * Makes sure that a sequence has blocks for so many tokens.
   *
   * @return whether there was room; if not, nothing has changed
   */
  boolean grow(Sequence sequence, int tokens) {
    if (tokens <= sequence.blockCount * blockSize) {
      return true;
    }
    int blocks = blocksFor(tokens);
    if (blocks - sequence.blockCount > pool.free()) {
      return false;
    }
    take(sequence, blocks);
    return true;
  }

  /** The first tokens of a sequence are known and computed, or will be in this step. */
  void register(Sequence sequence, int tokens) {
    if (!prefixCaching || tokens < (sequence.registered + 1) * blockSize) {
      return;
    }
    int full = tokens / blockSize;
    for (int i = sequence.registered; i < full; i++) {
      int before = i == 0 ? BlockIndex.NONE : sequence.blocks[i - 1];
      pool.register(sequence.blocks[i], sequence.hash(i), before);
    }
    sequence.registered = full;
  }

  /** Takes all blocks back, the last first, so that a beginning outlives its end. */
  void free(Sequence sequence) {
    for (int i = sequence.blockCount - 1; i >= 0; i--) {
      pool.release(sequence.blocks[i]);
    }
    sequence.forgetBlocks();
  }

  private int freeAmongFound(int hits) {
    int count = 0;
    for (int i = 0; i < hits; i++) {
      if (pool.holders(found[i]) == 0) {
        count++;
      }
    }
    return count;
  }

  private void take(Sequence sequence, int blocks) {
    while (sequence.blockCount < blocks) {
      sequence.addBlock(pool.take());
    }
  }
}
