package org.inferometer.tsdb.wal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;
import org.inferometer.io.DiskLock;
import org.inferometer.io.MappedFile;
import org.jspecify.annotations.Nullable;

/** Files in memory, and a disk that fails on demand. Thread-safe. */
final class MemoryDisk implements Disk {
  private final TreeMap<Path, byte[]> files = new TreeMap<>();
  private final TreeSet<Path> folders = new TreeSet<>();

  /** How many bytes can still be written before a write fails in the middle; -1 for any number. */
  int writableBytes = -1;

  boolean failsToTruncate;
  boolean failsToSync;
  boolean failsToSyncFolders;
  boolean failsToCreate;
  boolean failsToAppend;
  int writes;
  int syncs;

  synchronized byte[] bytes(Path file) throws IOException {
    byte[] bytes = files.get(file);
    if (bytes == null) {
      throw new FileNotFoundException(file + ": not there");
    }
    return bytes;
  }

  synchronized void put(Path file, byte[] bytes) {
    folders.add(file.getParent());
    files.put(file, bytes);
  }

  private static void failIf(boolean fails, Path path, String what) throws IOException {
    if (fails) {
      throw new IOException(path + ": can't " + what);
    }
  }

  @Override
  public synchronized List<String> list(Path folder) {
    TreeSet<String> names = new TreeSet<>();
    for (Path path : files.keySet()) {
      if (folder.equals(path.getParent())) {
        names.add(String.valueOf(path.getFileName()));
      }
    }
    for (Path path : folders) {
      if (folder.equals(path.getParent())) {
        names.add(String.valueOf(path.getFileName()));
      }
    }
    return new ArrayList<>(names);
  }

  @Override
  public synchronized boolean exists(Path path) {
    return files.containsKey(path) || folders.contains(path);
  }

  @Override
  public synchronized boolean isFolder(Path path) {
    return folders.contains(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return bytes(file).length;
  }

  @Override
  public synchronized void createFolders(Path folder) {
    for (Path path = folder; path != null; path = path.getParent()) {
      folders.add(path);
    }
  }

  @Override
  public synchronized DiskFile create(Path file) throws IOException {
    failIf(failsToCreate, file, "create");
    files.put(file, new byte[0]);
    return new Open(file, 0);
  }

  @Override
  public synchronized DiskFile append(Path file) throws IOException {
    failIf(failsToAppend, file, "append");
    return new Open(file, bytes(file).length);
  }

  @Override
  public byte[] read(Path file, int bytesMax) throws IOException {
    return bytes(file).clone();
  }

  @Override
  public MappedFile map(Path file, long offset, long length) throws IOException {
    MemorySegment segment = MemorySegment.ofArray(bytes(file)).asSlice(offset, length).asReadOnly();
    return new MappedFile() {
      @Override
      public MemorySegment bytes() {
        return segment;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    failIf(!exists(from), from, "rename");
    for (Path path : List.copyOf(files.keySet())) {
      if (path.startsWith(from)) {
        byte[] bytes = bytes(path);
        files.remove(path);
        files.put(path.equals(from) ? to : to.resolve(from.relativize(path)), bytes);
      }
    }
    if (folders.remove(from)) {
      folders.add(to);
    }
  }

  @Override
  public synchronized void delete(Path path) {
    files.keySet().removeIf(file -> file.startsWith(path));
    folders.removeIf(folder -> folder.startsWith(path));
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    failIf(failsToSyncFolders, folder, "sync");
  }

  @Override
  public @Nullable DiskLock lock(Path file) {
    return null;
  }

  @Override
  public long freeBytes(Path path) {
    return Long.MAX_VALUE;
  }

  private final class Open implements DiskFile {
    private final Path path;
    private long size;

    Open(Path path, long size) {
      this.path = path;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      synchronized (MemoryDisk.this) {
        writes++;
        int written = writableBytes < 0 ? count : Math.min(count, writableBytes);
        byte[] old = bytes(path);
        int start = Math.toIntExact(size);
        byte[] longer = Arrays.copyOf(old, Math.max(old.length, start + written));
        System.arraycopy(bytes, offset, longer, start, written);
        files.put(path, longer);
        writableBytes -= writableBytes < 0 ? 0 : written;
        failIf(written < count, path, "write");
        size += count;
      }
    }

    @Override
    public void overwrite(long position, byte[] bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void truncate(long newSize) throws IOException {
      synchronized (MemoryDisk.this) {
        failIf(failsToTruncate, path, "truncate");
        files.put(path, Arrays.copyOf(bytes(path), Math.toIntExact(newSize)));
        size = newSize;
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (MemoryDisk.this) {
        syncs++;
        failIf(failsToSync, path, "sync");
      }
    }

    @Override
    public void close() {}
  }
}
