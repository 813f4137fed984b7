package org.inferometer.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Whole-file locks as {@code flock} takes them, which Prometheus uses. Linux keeps them apart from
 * those that Java takes, so neither is in the way of the other; but it has a table of all:
 *
 * <pre>
 * 13: FLOCK  ADVISORY  WRITE 30087 fe:00:2154560 0 EOF
 *     kind                   process  major:minor:inode of the file
 * </pre>
 */
final class FlockTable {
  private static final Path TABLE = Path.of("/proc/locks");

  private FlockTable() {}

  /** Whether a process has locked a file; false where there is no such table. */
  static boolean isLocked(Path file) throws IOException {
    if (!Files.isReadable(TABLE)) {
      return false;
    }
    long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
    long inode = ((Number) Files.getAttribute(file, "unix:ino")).longValue();
    return isLocked(Files.readAllLines(TABLE), device, inode);
  }

  static boolean isLocked(List<String> table, long device, long inode) {
    String file = String.format(Locale.ROOT, " %02x:%02x:%d ", major(device), minor(device), inode);
    return table.stream().anyMatch(line -> line.contains(" FLOCK ") && line.contains(file));
  }

  private static long major(long device) {
    return (device >> 8) & 0xfff;
  }

  private static long minor(long device) {
    return (device & 0xff) | ((device >> 12) & 0xfff00);
  }
}
