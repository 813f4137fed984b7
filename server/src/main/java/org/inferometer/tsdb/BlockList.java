package org.inferometer.tsdb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.Ulid;

/**
 * The blocks of a store that are open. The list changes in one step; who holds a block keeps it
 * open and its files in place for as long, whatever becomes of the list. Thread-safe.
 *
 * <pre>
 *   listed, held n times --left the list--> held n times --last release--> closed, then its fate
 * </pre>
 */
final class BlockList {
  private static final Comparator<Entry> BY_TIME =
      Comparator.comparing(entry -> entry.block.meta(), CompactionPlan.BY_TIME);

  /** All guarded by this. */
  private List<Entry> entries = List.of();

  /** How many open blocks read a folder: two while one with newer tombstones replaces another. */
  private final Map<Path, Integer> readers = new HashMap<>();

  /** What becomes of folders that have left the list, once nobody reads them. */
  private final Map<Path, Fate> fates = new HashMap<>();

  /** What becomes of the files of a block that has left the list. */
  enum Fate {
    DELETE,
    SET_ASIDE
  }

  /** A block, and how often it is held; the list itself is one holder. */
  private static final class Entry {
    private final Block block;
    private int holders = 1;

    Entry(Block block) {
      this.block = block;
    }
  }

  /** Blocks that are held until this is closed. */
  final class Held implements AutoCloseable {
    private List<Entry> held;

    private Held(List<Entry> held) {
      this.held = held;
    }

    /** By time. */
    List<Block> blocks() {
      return held.stream().map(entry -> entry.block).toList();
    }

    @Override
    public void close() {
      List<Entry> released = held;
      held = List.of();
      release(released);
    }
  }

  /** The metas of the listed blocks, by time. */
  synchronized List<BlockMeta> metas() {
    return entries.stream().map(entry -> entry.block.meta()).toList();
  }

  synchronized long sizeBytes() {
    return entries.stream().mapToLong(entry -> entry.block.sizeBytes()).sum();
  }

  synchronized List<Retention.Sized> sized() {
    return entries.stream()
        .map(entry -> new Retention.Sized(entry.block.meta(), entry.block.sizeBytes()))
        .toList();
  }

  /** Holds the blocks that may have a sample in a stretch of time, ends included. */
  Held hold(long minMs, long maxMs) {
    return hold(meta -> meta.minMs() <= maxMs && meta.maxMs() > minMs);
  }

  synchronized Held hold(java.util.function.Predicate<BlockMeta> isWanted) {
    List<Entry> held = entries.stream().filter(entry -> isWanted.test(entry.block.meta())).toList();
    held.forEach(entry -> entry.holders++);
    return new Held(held);
  }

  private void release(List<Entry> released) {
    List<Block> unused;
    synchronized (this) {
      released.forEach(entry -> entry.holders--);
      unused = released.stream().filter(e -> e.holders == 0).map(e -> e.block).toList();
    }
    unused.forEach(Block::close);
    synchronized (this) {
      unused.forEach(b -> readers.computeIfPresent(b.folder(), (f, n) -> n == 1 ? null : n - 1));
    }
  }

  /**
   * Changes the list in one step.
   *
   * @param added which replace listed ones that read the same folders
   * @param removed what becomes of blocks that leave the list
   */
  void change(Collection<Block> added, Map<Ulid, Fate> removed) {
    Set<Ulid> replaced =
        added.stream().map(block -> block.meta().ulid()).collect(Collectors.toSet());
    List<Entry> left = new ArrayList<>();
    synchronized (this) {
      List<Entry> changed = new ArrayList<>();
      for (Entry entry : entries) {
        Ulid ulid = entry.block.meta().ulid();
        boolean stays = !replaced.contains(ulid) && !removed.containsKey(ulid);
        (stays ? changed : left).add(entry);
        if (removed.containsKey(ulid)) {
          fates.put(entry.block.folder(), removed.get(ulid));
        }
      }
      added.forEach(block -> changed.add(new Entry(block)));
      added.forEach(block -> readers.merge(block.folder(), 1, Integer::sum));
      changed.sort(BY_TIME);
      entries = List.copyOf(changed);
    }
    release(left);
  }

  /** The folders that nobody reads any more, with their fates; each is told until it is done. */
  synchronized Map<Path, Fate> settled() {
    Map<Path, Fate> settled = new HashMap<>(fates);
    settled.keySet().removeAll(readers.keySet());
    return settled;
  }

  synchronized void done(Path folder) {
    fates.remove(folder);
  }

  /** Empties the list; who holds blocks still keeps them open. */
  void close() {
    List<Entry> left;
    synchronized (this) {
      left = entries;
      entries = List.of();
    }
    release(left);
  }
}
