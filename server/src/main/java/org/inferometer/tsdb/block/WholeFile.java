package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;

/** Writes a small file so that at each moment the old or the new one is whole. */
final class WholeFile {
  private static final String SUFFIX = ".tmp";

  private WholeFile() {}

  static void write(Disk disk, Path folder, String name, byte[] bytes) throws IOException {
    Path unfinished = folder.resolve(name + SUFFIX);
    try {
      try (DiskFile file = disk.create(unfinished)) {
        file.write(bytes, 0, bytes.length);
        file.sync();
      }
      disk.rename(unfinished, folder.resolve(name));
    } catch (IOException e) {
      remove(disk, unfinished, e);
      throw e;
    }
    disk.syncFolder(folder);
  }

  private static void remove(Disk disk, Path unfinished, IOException reason) {
    try {
      disk.delete(unfinished);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }
}
