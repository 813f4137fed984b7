package org.inferometer.tsdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.Ulid;

/** Makes fewer and longer blocks of those that are there. One thread at a time. */
final class BlockCompaction {
  private final StoreParts parts;
  private final Compactor compactor;
  private final CompactionPlan plan;
  private final AtomicLong compactionCount = new AtomicLong();
  private final AtomicLong corruptionCount = new AtomicLong();

  /** Blocks that make the program fail: left alone until the next start. */
  private final Set<Ulid> failed = new HashSet<>();

  BlockCompaction(StoreParts parts, Compactor compactor) {
    this.parts = parts;
    this.compactor = compactor;
    plan = new CompactionPlan(parts.options().blockMs(), parts.options().blockMsMax());
  }

  long compactionCount() {
    return compactionCount.get();
  }

  /** Blocks that turned out to be damaged. */
  long corruptionCount() {
    return corruptionCount.get();
  }

  /** Compacts until nothing is left to do. */
  void run() throws IOException {
    List<BlockMeta> next = plan.next(parts.blocks().metas(), failed);
    while (!next.isEmpty()) {
      compact(next);
      next = plan.next(parts.blocks().metas(), failed);
    }
  }

  /** Writes the blocks with tombstones anew. */
  void cleanTombstones() throws IOException {
    List<BlockMeta> marked;
    try (BlockList.Held all = parts.blocks().hold(meta -> true)) {
      marked =
          all.blocks().stream().filter(b -> !b.tombstones().isEmpty()).map(Block::meta).toList();
    }
    for (BlockMeta meta : marked) {
      compact(List.of(meta));
    }
  }

  private void compact(List<BlockMeta> metas) throws IOException {
    try (BlockList.Held held = parts.blocks().hold(metas::contains)) {
      compactHeld(held.blocks());
    } catch (Compactor.StoppedException | UncheckedIOException | StoreException e) {
      throw e;
    } catch (RuntimeException e) { // a fault of ours, or a block that nothing was prepared for
      metas.forEach(meta -> failed.add(meta.ulid()));
      throw new StoreException(
          "blocks " + metas.stream().map(BlockMeta::ulid).toList() + " left as they are: " + e, e);
    }
  }

  private void compactHeld(List<Block> blocks) throws IOException {
    try {
      parts.requireRoom(blocks.stream().mapToLong(Block::sizeBytes).sum());
      replace(blocks, compactor.compact(blocks));
      compactionCount.incrementAndGet();
    } catch (Compactor.UnreadableException e) {
      Block block = blocks.get(e.place());
      failed.add(block.meta().ulid());
      corruptionCount.incrementAndGet();
      parts
          .log()
          .accept(block.folder() + ": damaged, not compacted until a restart: " + e.getMessage());
    }
  }

  private void replace(List<Block> blocks, Compactor.Outcome outcome) throws IOException {
    Map<Ulid, BlockList.Fate> fates = new HashMap<>();
    blocks.forEach(block -> fates.put(block.meta().ulid(), BlockList.Fate.DELETE));
    outcome.damages().forEach((place, sentence) -> tellDamage(blocks.get(place), sentence, fates));
    List<Block> added = new ArrayList<>();
    BlockMeta meta = outcome.meta();
    if (meta != null) {
      added.add(parts.openWritten(meta));
    }
    parts.blocks().change(added, fates);
  }

  private void tellDamage(Block block, String sentence, Map<Ulid, BlockList.Fate> fates) {
    corruptionCount.incrementAndGet();
    fates.put(block.meta().ulid(), BlockList.Fate.SET_ASIDE);
    parts
        .log()
        .accept(
            block.folder()
                + ": what can be read is in another block now; it is set aside: "
                + sentence);
  }
}
