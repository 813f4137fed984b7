package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What peers leave on the disk. */
final class WorkFolder {
  private WorkFolder() {}

  static void delete(Path folder) throws IOException {
    for (Path path : all(folder).reversed()) {
      Files.deleteIfExists(path);
    }
  }

  /** The bytes of all files below a folder, or of a file; 0 if it isn't there. */
  static long bytes(Path folder) throws IOException {
    long bytes = 0;
    for (Path path : all(folder)) {
      bytes += size(path);
    }
    return bytes;
  }

  /** Files of a running program may go away at any time. */
  private static long size(Path path) throws IOException {
    try {
      return Files.isRegularFile(path) ? Files.size(path) : 0;
    } catch (NoSuchFileException gone) {
      return 0;
    }
  }

  private static List<Path> all(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.sorted(Comparator.naturalOrder()).toList();
    }
  }
}
