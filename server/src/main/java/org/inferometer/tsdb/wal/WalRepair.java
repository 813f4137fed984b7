package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;
import org.inferometer.io.MappedFile;

/**
 * Cuts a log off where it is damaged. Everything is kept before anything is cut, and the damage is
 * still found until the last step is done, so that a repair that was interrupted is done again.
 */
final class WalRepair {
  private static final int COPIED_AT_ONCE = 1024 * 1024;

  /** Keeps what there is. */
  private static final CheckpointFilter ALL =
      new CheckpointFilter() {
        @Override
        public boolean keepsSeries(long ref) {
          return true;
        }

        @Override
        public long keptFromMs() {
          return Long.MIN_VALUE;
        }
      };

  private final WalFolder folder;
  private final WalDamage damage;

  private WalRepair(WalFolder folder, WalDamage damage) {
    this.folder = folder;
    this.damage = damage;
  }

  static void repair(WalFolder folder, WalDamage damage) throws IOException {
    WalRepair repair = new WalRepair(folder, damage);
    if (folder.path().equals(damage.file().getParent())) {
      repair.repairSegment();
    } else {
      repair.repairCheckpoint();
    }
  }

  private Disk disk() {
    return folder.disk();
  }

  private void repairSegment() throws IOException {
    Path file = damage.file();
    boolean isThere = disk().exists(file);
    if (isThere && !damage.isTail()) {
      keepEnd(file);
    }
    setAsideAfter(Integer.parseInt(String.valueOf(file.getFileName())));
    if (isThere) {
      cutOff(file);
    }
    disk().syncFolder(folder.path());
  }

  private void keepEnd(Path file) throws IOException {
    try (MappedFile mapped = disk().map(file);
        DiskFile kept = disk().create(folder.corrupt(file))) {
      byte[] part = new byte[COPIED_AT_ONCE];
      long size = mapped.bytes().byteSize();
      for (long at = damage.offset(); at < size; at += part.length) {
        int count = (int) Math.min(part.length, size - at);
        mapped.bytes().asSlice(at, count).asByteBuffer().get(part, 0, count);
        kept.write(part, 0, count);
      }
      kept.sync();
    }
    disk().syncFolder(folder.path());
  }

  /** The last first, so that none is ever missing between others. */
  private void setAsideAfter(int number) throws IOException {
    List<Integer> later = folder.segments().stream().filter(n -> n > number).toList();
    for (int next : later.reversed()) {
      disk().rename(folder.segment(next), folder.corrupt(folder.segment(next)));
    }
    disk().syncFolder(folder.path());
  }

  /** The last page is filled, as that of every segment that isn't written any more. */
  private void cutOff(Path file) throws IOException {
    try (DiskFile open = disk().append(file)) {
      open.truncate(damage.offset());
      int used = (int) (damage.offset() % WalOptions.PAGE_BYTES);
      if (used > 0) {
        open.write(new byte[WalOptions.PAGE_BYTES], 0, WalOptions.PAGE_BYTES - used);
      }
      open.sync();
    }
  }

  /**
   * Writes what can be read of a checkpoint as one that is newer than all there is, so that nothing
   * else is read from the moment it has its name.
   */
  private void repairCheckpoint() throws IOException {
    int damaged = folder.newestCheckpoint();
    int newer = Math.max(damaged + 1, folder.lastNumber());
    try (WalReader in = WalReader.open(disk(), folder.path())) {
      Checkpoint.write(folder, newer, WalOptions.defaults(), ALL, in);
    }
    Checkpoint.finish(folder, newer);
    setAsideAfter(damaged);
    Path checkpoint = folder.checkpoint(damaged);
    disk().rename(checkpoint, folder.corrupt(checkpoint));
    disk().syncFolder(folder.path());
  }
}
