package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.inferometer.io.Disk;

/**
 * The names in the folder of a log.
 *
 * <pre>
 * 00000007             a segment
 * checkpoint.00000006  what is still needed of the segments up to number 6: a folder of segments
 * *.tmp                a checkpoint that wasn't finished
 * *.corrupt            what a repair cut off
 * </pre>
 */
record WalFolder(Disk disk, Path path) {
  private static final String CHECKPOINT = "checkpoint.";
  private static final String UNFINISHED = ".tmp";
  private static final String CORRUPT = ".corrupt";

  /** Nine digits at most, so that every number is an int. */
  private static final Pattern NUMBER = Pattern.compile("\\d{8,9}");

  /** The numbers of segments, ascending. */
  List<Integer> segments() throws IOException {
    return numbers(disk.list(path));
  }

  private static List<Integer> numbers(List<String> names) {
    return names.stream()
        .filter(name -> NUMBER.matcher(name).matches())
        .map(Integer::valueOf)
        .sorted()
        .toList();
  }

  /** The numbers of checkpoints, ascending. */
  List<Integer> checkpoints() throws IOException {
    return numbers(
        disk.list(path).stream()
            .filter(name -> name.startsWith(CHECKPOINT))
            .map(name -> name.substring(CHECKPOINT.length()))
            .toList());
  }

  /** The number of the newest checkpoint, -1 if there is none. */
  int newestCheckpoint() throws IOException {
    List<Integer> numbers = checkpoints();
    return numbers.isEmpty() ? -1 : numbers.getLast();
  }

  /**
   * The number of the last segment, whether it is there or in a checkpoint; -1 if there is none.
   */
  int lastNumber() throws IOException {
    List<Integer> numbers = segments();
    return Math.max(newestCheckpoint(), numbers.isEmpty() ? -1 : numbers.getLast());
  }

  Path segment(int number) {
    return path.resolve("%08d".formatted(number));
  }

  Path checkpoint(int number) {
    return path.resolve(CHECKPOINT + "%08d".formatted(number));
  }

  Path unfinishedCheckpoint(int number) {
    return path.resolve(CHECKPOINT + "%08d".formatted(number) + UNFINISHED);
  }

  void removeUnfinished() throws IOException {
    for (String name : disk.list(path)) {
      if (name.startsWith(CHECKPOINT) && name.endsWith(UNFINISHED)) {
        disk.delete(path.resolve(name));
      }
    }
  }

  /** A name for what is cut off of a file; one that isn't taken. */
  Path corrupt(Path file) {
    Path kept = file.resolveSibling(file.getFileName() + CORRUPT);
    for (int i = 2; disk.exists(kept); i++) {
      kept = file.resolveSibling(file.getFileName() + "." + i + CORRUPT);
    }
    return kept;
  }

  /** The bytes of all segments and checkpoints. */
  long sizeBytes() throws IOException {
    long total = 0;
    for (int number : segments()) {
      total += disk.size(segment(number));
    }
    for (int number : checkpoints()) {
      WalFolder inner = new WalFolder(disk, checkpoint(number));
      for (int segment : inner.segments()) {
        total += disk.size(inner.segment(segment));
      }
    }
    return total;
  }
}
