package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.block.Ulid;

/**
 * What lies in a data directory, by names alone; nothing is opened.
 *
 * @param blocks the folders of blocks, by name
 * @param beside all else, by name
 */
record DataFolder(Path path, List<Path> blocks, List<Beside> beside) {
  private static final Set<String> OF_ANY_SERVER =
      Set.of("lock", "queries.active", "snapshots", "chunk_snapshot");

  private static final Set<String> OF_THE_HEAD = Set.of("wal", "wbl", "chunks_head", "head_chunks");

  DataFolder {
    blocks = List.copyOf(blocks);
    beside = List.copyOf(beside);
  }

  /** What a name beside the blocks says of what it names. */
  enum Kind {
    /** Belongs to the head: logs, mapped chunks. */
    HEAD("newest samples"),
    /** Was found damaged and set aside. */
    CORRUPT("set aside as damaged; may be removed once it was looked at"),
    /** Was left by a process that ended before it was done. */
    LEFTOVER("left unfinished; removed when a server starts"),
    /** A server's own. */
    SERVER("a server's own"),
    /** Says nothing. */
    UNKNOWN("not known");

    private final String says;

    Kind(String says) {
      this.says = says;
    }

    String says() {
      return says;
    }
  }

  /**
   * A file, or a folder with all that is in it.
   *
   * @param files how many there are
   * @param bytes what they take
   */
  record Beside(String name, Kind kind, long files, long bytes) {}

  /**
   * Looks into a folder.
   *
   * @throws CommandException if it isn't a data directory
   */
  static DataFolder look(Disk disk, Path path) throws IOException {
    DataFolder folder = list(disk, path);
    folder.requireStore(disk);
    return folder;
  }

  /** The same, but it may be one to be, in which there is nothing yet. */
  static DataFolder lookOrNew(Disk disk, Path path) throws IOException {
    DataFolder folder = list(disk, path);
    if (folder.beside.stream().anyMatch(b -> b.kind() == Kind.UNKNOWN)) {
      folder.requireStore(disk);
    }
    return folder;
  }

  private static DataFolder list(Disk disk, Path path) throws IOException {
    requireFolder(disk, path);
    List<Path> blocks = new ArrayList<>();
    List<Beside> beside = new ArrayList<>();
    for (String name : disk.list(path)) {
      if (Ulid.isUlid(name) && disk.isFolder(path.resolve(name))) {
        blocks.add(path.resolve(name));
      } else {
        beside.add(beside(disk, path.resolve(name), name));
      }
    }
    return new DataFolder(path, blocks, beside);
  }

  private static void requireFolder(Disk disk, Path path) {
    if (!disk.exists(path)) {
      throw CommandException.badInput(path + ": no such folder");
    }
    if (!disk.isFolder(path)) {
      throw CommandException.badInput(path + ": expected a data directory, found a file");
    }
    if (!Files.isReadable(path) || !Files.isExecutable(path)) {
      throw CommandException.failed(path + ": permission denied");
    }
  }

  private void requireStore(Disk disk) {
    if (disk.exists(path.resolve("meta.json"))) {
      throw CommandException.badInput(
          path + ": this is a block; expected the data directory that it lies in");
    }
    if (blocks.isEmpty() && beside.stream().noneMatch(b -> b.kind() == Kind.HEAD)) {
      throw CommandException.badInput(
          path
              + ": expected a data directory (folders of blocks such as"
              + " 01JA3V6Y3T8M2Q4N5W7X9Z0BCD, or wal), found "
              + found());
    }
  }

  private String found() {
    if (beside.isEmpty()) {
      return "nothing";
    }
    String names = String.join(", ", beside.stream().limit(3).map(Beside::name).toList());
    return beside.size() > 3 ? names + ", ..." : names;
  }

  private static Beside beside(Disk disk, Path path, String name) throws IOException {
    long[] filesAndBytes = new long[2];
    measure(disk, path, filesAndBytes);
    return new Beside(name, kind(name), filesAndBytes[0], filesAndBytes[1]);
  }

  private static void measure(Disk disk, Path path, long[] filesAndBytes) throws IOException {
    if (!disk.isFolder(path)) {
      filesAndBytes[0]++;
      filesAndBytes[1] += disk.exists(path) ? disk.size(path) : 0;
      return;
    }
    for (String name : disk.list(path)) {
      measure(disk, path.resolve(name), filesAndBytes);
    }
  }

  private static Kind kind(String name) {
    if (OF_THE_HEAD.contains(name)) {
      return Kind.HEAD;
    }
    if (name.contains(".corrupt")) {
      return Kind.CORRUPT;
    }
    if (name.endsWith(".tmp") || name.contains(".tmp-for-")) {
      return Kind.LEFTOVER;
    }
    return OF_ANY_SERVER.contains(name) || name.startsWith("chunk_snapshot.")
        ? Kind.SERVER
        : Kind.UNKNOWN;
  }
}
