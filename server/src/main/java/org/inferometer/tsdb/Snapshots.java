package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockWriter;

/**
 * Copies a store into a folder that is one by itself: {@code snapshots/20260102T030405Z-RANDOM}.
 * Files of blocks never change, so each is given a second name there where the file system can.
 */
final class Snapshots {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final StoreParts parts;
  private final Compactor compactor;
  private final Disk disk;

  Snapshots(StoreParts parts, Compactor compactor) {
    this.parts = parts;
    this.compactor = compactor;
    disk = parts.disk();
  }

  /** Returns the new folder, which has its name when all of it is there. */
  Path write(long nowMs, boolean withoutHead) throws IOException {
    Path all = parts.folder().path().resolve(StoreFolder.SNAPSHOTS);
    String name = NAME.format(Instant.ofEpochMilli(nowMs)) + "-" + parts.ulids().digits();
    Path unfinished = all.resolve(name + BlockWriter.CREATING_SUFFIX);
    disk.createFolders(unfinished);
    try {
      writeAll(unfinished, withoutHead);
      Path finished = all.resolve(name);
      disk.rename(unfinished, finished);
      disk.syncFolder(all);
      disk.syncFolder(parts.folder().path());
      return finished;
    } catch (IOException | RuntimeException e) {
      removeQuietly(unfinished, e);
      throw e;
    }
  }

  private void removeQuietly(Path folder, Exception cause) {
    try {
      disk.delete(folder);
    } catch (IOException e) { // the next start removes it
      cause.addSuppressed(e);
    }
  }

  private void writeAll(Path target, boolean withoutHead) throws IOException {
    try (BlockList.Held held = parts.blocks().hold(meta -> true)) {
      for (Block block : held.blocks()) {
        link(block.folder(), target.resolve(String.valueOf(block.folder().getFileName())));
      }
    }
    HeadStats head = parts.head().stats();
    if (!withoutHead && head.minMs() <= head.maxMs()) {
      writeHead(target, head.minMs(), head.maxMs() + 1);
    }
    disk.syncFolder(target);
  }

  private void writeHead(Path target, long minMs, long endMs) throws IOException {
    parts.requireRoom(0);
    compactor.writeHead(target, minMs, endMs, List.of(), parts.head());
  }

  private void link(Path from, Path to) throws IOException {
    disk.createFolders(to);
    for (String name : disk.list(from)) {
      Path source = from.resolve(name);
      if (disk.isFolder(source)) {
        link(source, to.resolve(name));
      } else {
        disk.link(source, to.resolve(name));
      }
    }
    disk.syncFolder(to);
  }
}
