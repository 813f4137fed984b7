package org.inferometer.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The disk of the machine. */
final class RealDisk implements Disk {
  static final RealDisk INSTANCE = new RealDisk();

  /**
   * The files that this process holds as locks. They aren't opened a second time: a lock of the
   * system ends when its process closes the file, whichever of its openings that is.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private RealDisk() {}

  @Override
  public List<String> list(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> String.valueOf(path.getFileName())).sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (NotDirectoryException e) {
      throw new IOException(folder + ": expected a folder", e);
    }
  }

  @Override
  public boolean exists(Path path) {
    return Files.exists(path);
  }

  @Override
  public boolean isFolder(Path path) {
    return Files.isDirectory(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return Files.size(file);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    Files.createDirectories(folder);
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    return new RealFile(
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING),
        0);
  }

  @Override
  public DiskFile append(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    return new RealFile(channel, channel.size());
  }

  @Override
  public byte[] read(Path file, int bytesMax) throws IOException {
    if (HELD.contains(absolute(file))) {
      return processId();
    }
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(bytesMax);
      if (in.read() >= 0) {
        throw new IOException(file + ": expected at most " + bytesMax + " bytes");
      }
      return bytes;
    }
  }

  @Override
  public MappedFile map(Path file, long offset, long length) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MemorySegment bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, offset, length, arena).asReadOnly();
      return new Mapped(arena, bytes);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem)
              throws IOException {
            if (problem != null) {
              throw problem;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static byte[] processId() {
    return Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
  }

  private static Path absolute(Path file) {
    Path parent = file.toAbsolutePath().normalize().getParent();
    try {
      return parent == null ? file : parent.toRealPath().resolve(file.getFileName());
    } catch (IOException e) { // it isn't there
      return file.toAbsolutePath().normalize();
    }
  }

  @Override
  public void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException | FileSystemException e) { // another device, perhaps
      Disk.super.link(from, to);
    }
  }

  @Override
  public @Nullable DiskLock lock(Path file) throws IOException {
    Path held = absolute(file);
    if (!HELD.add(held)) {
      return null;
    }
    DiskLock lock = null;
    try {
      lock = lockNew(file, held);
      return lock;
    } finally {
      if (lock == null) {
        HELD.remove(held);
      }
    }
  }

  private static @Nullable DiskLock lockNew(Path file, Path held) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
      if (lock == null) {
        return null;
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(processId()));
      return () -> release(channel, held);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
  }

  private static void release(FileChannel channel, Path held) {
    close(channel);
    HELD.remove(held);
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }

  /** A part of a file that is mapped until its arena is closed. */
  private record Mapped(Arena arena, MemorySegment bytes) implements MappedFile {
    @Override
    public void close() {
      arena.close();
    }
  }

  private static final class RealFile implements DiskFile {
    private final FileChannel channel;
    private long size;

    RealFile(FileChannel channel, long size) {
      this.channel = channel;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, count);
      for (long position = size; buffer.hasRemaining(); ) {
        position += channel.write(buffer, position);
      }
      size += count;
    }

    @Override
    public void overwrite(long position, byte[] bytes) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      for (long at = position; buffer.hasRemaining(); ) {
        at += channel.write(buffer, at);
      }
    }

    @Override
    public void truncate(long newSize) throws IOException {
      channel.truncate(newSize);
      size = newSize;
    }

    @Override
    public void sync() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
