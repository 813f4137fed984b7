package org.inferometer.acceptance.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Copies of data directories, and what is in them. */
final class DataFolders {
  private DataFolders() {}

  /** Copies everything but the lock. */
  static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path target = to.resolve(from.relativize(file).toString());
      if (Files.isDirectory(file)) {
        Files.createDirectories(target);
      } else if (!file.getFileName().toString().equals("lock")) {
        Files.copy(file, target);
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.sorted().toList();
    }
  }

  /** Digests of all files by their paths. */
  static Map<String, String> digests(Path folder) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    for (Path file : files(folder)) {
      String path = folder.relativize(file).toString();
      digests.put(path, Files.isDirectory(file) ? "" : digest(Files.readAllBytes(file)));
    }
    return digests;
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The names of what lies in it directly that begin like this. */
  static List<String> names(Path folder, String begin) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(f -> f.getFileName().toString())
          .filter(name -> name.startsWith(begin))
          .sorted()
          .toList();
    }
  }

  /** The blocks: folders with a {@code meta.json}. */
  static List<Path> blocks(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(f -> Files.exists(f.resolve("meta.json"))).sorted().toList();
    }
  }
}
