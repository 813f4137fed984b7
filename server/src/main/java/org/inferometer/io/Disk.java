package org.inferometer.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The files and folders that a store needs, as one handed-in thing, so that tests can make it fail.
 * Thread-safe; a {@link DiskFile} is not. Failures are an {@link IOException} whose message names
 * the path.
 *
 * <p>What survives a power cut: the bytes of a file up to its last {@link DiskFile#sync}, and its
 * name, a rename and a removal since the last {@link #syncFolder} of the folder they happened in.
 * What survives the end of the process is everything that was written.
 */
public interface Disk {
  /** That of the machine. */
  static Disk real() {
    return RealDisk.INSTANCE;
  }

  /** The names in a folder, sorted; none if it isn't there. */
  List<String> list(Path folder) throws IOException;

  boolean exists(Path path);

  boolean isFolder(Path path);

  /** The bytes of a file. */
  long size(Path file) throws IOException;

  /** Makes a folder and those above it; nothing if it is there. */
  void createFolders(Path folder) throws IOException;

  /** A file to write, empty at first. */
  DiskFile create(Path file) throws IOException;

  /** A file that is there, to be written on at its end. */
  DiskFile append(Path file) throws IOException;

  /**
   * The whole of a small file.
   *
   * @throws IOException also if it has more than {@code bytesMax} bytes
   */
  byte[] read(Path file, int bytesMax) throws IOException;

  /** A part of a file as memory, to read. */
  MappedFile map(Path file, long offset, long length) throws IOException;

  /** The whole of a file as memory, to read. */
  default MappedFile map(Path file) throws IOException {
    return map(file, 0, size(file));
  }

  /** Gives a file or folder another name in one step, replacing a file that has it. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file, or a folder with all that is in it; nothing if it isn't there. */
  void delete(Path path) throws IOException;

  /** Makes names in a folder last. */
  void syncFolder(Path folder) throws IOException;

  /**
   * Takes a file as a lock against other processes until it is closed.
   *
   * @return null if another process, or another part of this one, holds it
   */
  @org.jspecify.annotations.Nullable
  DiskLock lock(Path file) throws IOException;

  /** The bytes that can still be written where a path lies. */
  long freeBytes(Path path) throws IOException;
}
