package org.inferometer.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

  /**
   * Gives a file that is never written to again a second name, or copies it where that can't be.
   * The bytes last; for the name the folder must be synced.
   */
  default void link(Path from, Path to) throws IOException {
    try (MappedFile source = map(from);
        DiskFile target = create(to)) {
      byte[] buffer = new byte[64 * 1024];
      long size = source.bytes().byteSize();
      for (long done = 0; done < size; done += buffer.length) {
        int count = (int) Math.min(buffer.length, size - done);
        MemorySegment.copy(source.bytes(), ValueLayout.JAVA_BYTE, done, buffer, 0, count);
        target.write(buffer, 0, count);
      }
      target.sync();
    }
  }

  /** Removes a file, or a folder with all that is in it; nothing if it isn't there. */
  void delete(Path path) throws IOException;

  /** Makes names in a folder last. */
  void syncFolder(Path folder) throws IOException;

  /**
   * Takes a file, made if it isn't there, as a lock against other processes until it is closed.
   * Then it holds the id of this process in digits, so that others can tell who has it.
   *
   * @return null if another process, or another part of this one, holds it
   */
  @org.jspecify.annotations.Nullable
  DiskLock lock(Path file) throws IOException;

  /** The bytes that can still be written where a path lies. */
  long freeBytes(Path path) throws IOException;
}
