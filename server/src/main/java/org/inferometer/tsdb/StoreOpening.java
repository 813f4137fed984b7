package org.inferometer.tsdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.io.Disk;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.CorruptBlockException;
import org.inferometer.tsdb.block.Ulid;

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

  /** Where the blocks end of samples that came in order. */
  static long endMs(List<Block> blocks) {
    return blocks.stream()
        .map(Block::meta)
        .filter(meta -> !meta.isOutOfOrder())
        .mapToLong(BlockMeta::maxMs)
        .max()
        .orElse(Long.MIN_VALUE);
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
    return version.find() && !version.group(1).equals("0") && !version.group(1).equals("1");
  }

  /** A process that ends between making a block and removing those it was made of leaves both. */
  private void removeParents() throws IOException {
    Set<Ulid> parents = new HashSet<>();
    opened.forEach(block -> block.meta().parents().forEach(p -> parents.add(p.ulid())));
    for (Block block : List.copyOf(opened)) {
      if (parents.contains(block.meta().ulid())) {
        opened.remove(block);
        block.close();
        if (!isReadOnly) {
          folder.delete(block.folder());
        }
      }
    }
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
