package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskLock;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.block.BlockWriter;
import org.inferometer.tsdb.block.Ulid;

/**
 * A data directory: what lies in it, by names alone, and who has it.
 *
 * <pre>
 *   lock                         held by the process that writes here, with its id
 *   wal/ wbl/                    logs of the head: segments 00000000, ... and checkpoint.00000000
 *   chunks_head/ head_chunks/    full chunks of the head: Prometheus's, ours
 *   01HZX...26 characters/       a block
 *   01HZX....tmp-for-creation/   a block that is being written
 *   01HZX....tmp-for-deletion/   a block that is being removed
 *   01HZX....corrupt/            a block that was set aside
 *   snapshots/                   copies
 * </pre>
 */
final class StoreFolder {
  static final String LOCK = "lock";
  static final String SNAPSHOTS = "snapshots";
  static final String DELETING_SUFFIX = ".tmp-for-deletion";
  static final String CORRUPT_SUFFIX = ".corrupt";

  private static final List<String> LOGS = List.of("wal", "wbl");
  private static final Pattern LOG_FILE =
      Pattern.compile("\\d{8,}|checkpoint\\.\\d+(\\.tmp)?|.*\\.corrupt.*");

  /** Folders that only a store has. */
  private static final Set<String> OWN = Set.of("chunks_head", "head_chunks");

  /** What may be there before a store is, or be left of one. */
  private static final Set<String> NEUTRAL =
      Set.of(LOCK, SNAPSHOTS, "queries.active", "lost+found");

  private static final int NAMES_TOLD = 8;
  private static final int LOCK_BYTES_MAX = 4096;

  private final Disk disk;
  private final Path path;

  StoreFolder(Disk disk, Path path) {
    this.disk = disk;
    this.path = path;
  }

  Path path() {
    return path;
  }

  /**
   * Makes sure that this is a store or may become one.
   *
   * @param isReadOnly whether it must be there
   * @throws StoreException if it is something else
   */
  void require(boolean isReadOnly) throws IOException {
    if (!disk.exists(path)) {
      if (isReadOnly) {
        throw new StoreException(path + ": expected a data directory, there is none");
      }
      return;
    }
    if (!disk.isFolder(path)) {
      throw new StoreException(path + ": expected a folder, found a file");
    }
    List<String> names = disk.list(path);
    if (!isStore(names)) {
      throw new StoreException(
          ("%s: expected an empty folder or a data directory (wal, wbl, chunks_head, or blocks"
                  + " named like 01BKGV7JBM69T2G1BGBGM6KB12), found %s; nothing was changed")
              .formatted(path, told(names)));
    }
  }

  private boolean isStore(List<String> names) throws IOException {
    for (String name : names) {
      if (OWN.contains(name) || isBlock(name) || isLeftover(name) || isLog(name)) {
        return true;
      }
    }
    return NEUTRAL.containsAll(names);
  }

  private static boolean isBlock(String name) {
    return Ulid.isUlid(name.split("\\.", 2)[0]);
  }

  static boolean isLeftover(String name) {
    return name.endsWith(BlockWriter.CREATING_SUFFIX) || name.endsWith(DELETING_SUFFIX);
  }

  /** Other databases have a folder of that name, too, with other things in it. */
  private boolean isLog(String name) throws IOException {
    return LOGS.contains(name)
        && disk.isFolder(path.resolve(name))
        && disk.list(path.resolve(name)).stream().allMatch(n -> LOG_FILE.matcher(n).matches());
  }

  private static String told(List<String> names) {
    String first = String.join(", ", names.subList(0, Math.min(NAMES_TOLD, names.size())));
    int more = names.size() - NAMES_TOLD;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  /**
   * @throws StoreException if another holds it
   */
  DiskLock lock() throws IOException {
    DiskLock lock = disk.lock(path.resolve(LOCK));
    if (lock == null) {
      throw new StoreException(
          "%s: in use by %s; stop it, or open the folder beside it with --read-only"
              .formatted(path, holder()));
    }
    return lock;
  }

  /** Whether the file is there that says who has the folder, as it is while the store is open. */
  boolean isOwn() {
    return disk.exists(path.resolve(LOCK));
  }

  /**
   * Open files outlast their names: what is written to them afterwards would be gone unnoticed.
   *
   * @throws IOException if the folder was removed, or another is in its place
   */
  void requireOwn() throws IOException {
    if (!isOwn()) {
      throw new IOException(
          path.resolve(LOCK)
              + ": expected the file that was made at the start, there is none: the folder was"
              + " removed or replaced, and what comes now is lost at a restart");
    }
  }

  private String holder() {
    String text;
    try {
      text = new String(disk.read(path.resolve(LOCK), LOCK_BYTES_MAX), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "another process, whose id can't be read";
    }
    String id = text.strip();
    return id.matches("\\d{1,19}") ? "process " + id : "another process";
  }

  /** Removes what was left of work that was broken off. */
  void removeLeftovers(Consumer<String> log) throws IOException {
    List<Path> leftovers = new ArrayList<>();
    for (Path folder : List.of(path, path.resolve(SNAPSHOTS))) {
      addAll(leftovers, folder, StoreFolder::isLeftover);
    }
    for (String logs : LOGS) {
      addAll(leftovers, path.resolve(logs), n -> n.startsWith("checkpoint.") && n.endsWith(".tmp"));
    }
    for (Path leftover : leftovers) {
      disk.delete(leftover);
      log.accept(leftover + ": removed; it is left of work that was broken off");
    }
  }

  private void addAll(List<Path> found, Path folder, java.util.function.Predicate<String> isWanted)
      throws IOException {
    for (String name : disk.list(folder)) {
      if (isWanted.test(name)) {
        found.add(folder.resolve(name));
      }
    }
  }

  /** The folders that are named as blocks, in order. */
  List<Path> blocks() throws IOException {
    return disk.list(path).stream()
        .filter(Ulid::isUlid)
        .map(path::resolve)
        .filter(disk::isFolder)
        .toList();
  }

  /**
   * Removes a block so that half of one is never taken for one. May be tried again if it failed.
   */
  void delete(Path block) throws IOException {
    Path doomed = path.resolve(block.getFileName() + DELETING_SUFFIX);
    if (disk.exists(block)) {
      disk.delete(doomed);
      disk.rename(block, doomed);
    }
    disk.syncFolder(path);
    disk.delete(doomed);
  }

  /** Gives a folder in this one a name that it isn't opened by. Returns its new place. */
  Path setAside(Path damaged) throws IOException {
    Path aside = path.resolve(damaged.getFileName() + CORRUPT_SUFFIX);
    for (int i = 2; disk.exists(aside); i++) {
      aside = path.resolve(damaged.getFileName() + CORRUPT_SUFFIX + "-" + i);
    }
    if (disk.exists(damaged)) { // else it was done before, but for what follows
      disk.rename(damaged, aside);
    }
    disk.syncFolder(path);
    return aside;
  }
}
