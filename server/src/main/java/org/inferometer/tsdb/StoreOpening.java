package org.inferometer.tsdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.io.Disk;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.CorruptBlockException;
import org.inferometer.tsdb.block.Ulid;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.SeriesChunks;

/** Opens the blocks of a data directory. Not thread-safe. */
final class StoreOpening {
  private static final Pattern VERSION = Pattern.compile("\"version\"\\s*:\\s*(\\d{1,9})\\b");
  private static final int META_BYTES_MAX = 16 << 20;

  private final Disk disk;
  private final StoreFolder folder;
  private final boolean isReadOnly;
  private final Consumer<String> log;
  private final List<Block> opened = new ArrayList<>();
  private int corruptCount;

  StoreOpening(Disk disk, StoreFolder folder, boolean isReadOnly, Consumer<String> log) {
    this.disk = disk;
    this.folder = folder;
    this.isReadOnly = isReadOnly;
    this.log = log;
  }

  /** Blocks that can't be used. */
  int corruptCount() {
    return corruptCount;
  }

  /**
   * Where the blocks end of samples that came in order: what the logs have before isn't read. So a
   * block isn't taken at its word, which a damaged digit may have changed.
   *
   * @param blockMs blocks end at multiples of this
   */
  static long endMs(List<Block> blocks, long blockMs) {
    long endMs = Long.MIN_VALUE;
    for (Block block : byEnd(blocks)) {
      if (block.meta().maxMs() <= endMs) {
        return endMs;
      }
      endMs = Math.max(endMs, endMs(block, blockMs));
    }
    return endMs;
  }

  /** The latest first. */
  private static List<Block> byEnd(List<Block> blocks) {
    return blocks.stream()
        .filter(block -> !block.meta().isOutOfOrder())
        .sorted(Comparator.comparingLong((Block block) -> block.meta().maxMs()).reversed())
        .toList();
  }

  /** Reads no more series than it takes to find one that goes on to where the block says. */
  private static long endMs(Block block, long blockMs) {
    long saidMs = block.meta().maxMs();
    long endMs = Long.MIN_VALUE;
    try {
      Iterator<SeriesChunks> all = block.series(Long.MIN_VALUE, Long.MAX_VALUE);
      while (endMs < saidMs && all.hasNext()) {
        long lastMs = all.next().chunks().getLast().maxMs();
        endMs = Math.max(endMs, (Math.floorDiv(lastMs, blockMs) + 1) * blockMs);
      }
    } catch (CorruptChunkException e) {
      return saidMs;
    }
    return Math.min(saidMs, endMs);
  }

  /** The blocks that can be used, each sample in one of them. */
  List<Block> openBlocks() throws IOException {
    try {
      for (Path block : folder.blocks()) {
        open(block);
      }
      removeParents();
      return List.copyOf(opened);
    } catch (IOException | RuntimeException e) {
      opened.forEach(Block::close);
      throw e;
    }
  }

  private void open(Path block) throws IOException {
    try {
      opened.add(Block.open(disk, block));
    } catch (CorruptBlockException e) {
      if (!isReadOnly && isNewer(block)) {
        throw new StoreException(
            "%s: of a newer version than can be written here; open the folder with --read-only: %s"
                .formatted(block.resolve(BlockMeta.FILE), e.getMessage()),
            e);
      }
      if (!isReadOnly) {
        corruptCount++;
        Path aside = folder.setAside(block);
        log.accept(
            "%s: damaged, set aside as %s, its samples are missing: %s"
                .formatted(block, aside.getFileName(), e.getMessage()));
      } else if (disk.exists(block)) { // else another process has just removed it
        corruptCount++;
        log.accept(
            "%s: damaged, passed over, its samples are missing: %s"
                .formatted(block, e.getMessage()));
      }
    } catch (IOException e) {
      if (!isReadOnly || disk.exists(block)) {
        throw e;
      }
    }
  }

  /** Whether it says that it is of a version that wasn't known yet, which isn't damage. */
  private boolean isNewer(Path block) throws IOException {
    Path meta = block.resolve(BlockMeta.FILE);
    if (!disk.exists(meta) || disk.size(meta) > META_BYTES_MAX) {
      return false;
    }
    Matcher version = VERSION.matcher(new String(disk.read(meta, META_BYTES_MAX), UTF_8));
    return version.find() && version.group(1).matches("[2-9]|[1-9]\\d+");
  }

  /** A process that ends between making a block and removing those it was made of leaves both. */
  private void removeParents() throws IOException {
    Set<Ulid> replaced = replaced();
    for (Block block : List.copyOf(opened)) {
      if (replaced.contains(block.meta().ulid())) {
        opened.remove(block);
        block.close();
        if (!isReadOnly) {
          folder.delete(block.folder());
        }
      }
    }
  }

  /**
   * The blocks of which what they have is in one that stays. Those that name each other, or
   * themselves, as what they were made of aren't among them: no other block has their samples.
   */
  private Set<Ulid> replaced() {
    Map<Ulid, BlockMeta> metas = new HashMap<>();
    opened.forEach(block -> metas.put(block.meta().ulid(), block.meta()));
    Set<Ulid> named = new HashSet<>();
    metas.values().forEach(meta -> named.addAll(parents(meta, metas)));
    Set<Ulid> replaced = new HashSet<>();
    Deque<BlockMeta> staying = new ArrayDeque<>(metas.values());
    staying.removeIf(meta -> named.contains(meta.ulid()));
    while (!staying.isEmpty()) {
      for (Ulid parent : parents(staying.pop(), metas)) {
        BlockMeta meta = metas.get(parent);
        if (meta != null && replaced.add(parent)) {
          staying.push(meta);
        }
      }
    }
    return replaced;
  }

  private static Set<Ulid> parents(BlockMeta meta, Map<Ulid, BlockMeta> present) {
    return meta.parents().stream()
        .map(BlockMeta.Parent::ulid)
        .filter(ulid -> !ulid.equals(meta.ulid()) && present.containsKey(ulid))
        .collect(Collectors.toSet());
  }

  /**
   * Opens what may be opened, or says why not.
   *
   * @throws StoreException with the path and what the disk said
   */
  static StoreException failed(Path folder, IOException e) {
    return new StoreException(folder + ": can't be opened: " + e.getMessage(), e);
  }
}
