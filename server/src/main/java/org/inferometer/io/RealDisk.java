package org.inferometer.io;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The disk of the machine.
 *
 * <p>Scrapes and queries are ended by interrupts, and a channel closes under a thread that is
 * interrupted. So files are written through {@link RandomAccessFile}, which doesn't, and where only
 * a channel will do, the interrupt waits.
 */
final class RealDisk implements Disk {
  static final RealDisk INSTANCE = new RealDisk();

  /**
   * Files that this process has locked. POSIX drops a process's lock on a file when any of its
   * descriptors of that file is closed, so a second one isn't even opened.
   */
  private final Set<Path> locked = new HashSet<>();

  private RealDisk() {}

  @FunctionalInterface
  private interface Work<T extends @Nullable Object> {
    T run() throws IOException;
  }

  /** Has the message of a failure name the path, and say what is wrong. */
  private static <T extends @Nullable Object> T naming(Path path, Work<T> work) throws IOException {
    try {
      return work.run();
    } catch (NoSuchFileException e) {
      throw cause(new NoSuchFileException(e.getFile(), null, "there is no such file or folder"), e);
    } catch (AccessDeniedException e) {
      throw denied(e);
    } catch (FileAlreadyExistsException e) {
      throw cause(
          new FileAlreadyExistsException(
              e.getFile(), null, "something is there already, such as a link that leads nowhere"),
          e);
    } catch (FileSystemException e) {
      throw e.getReason() == null
          ? new IOException(e.getFile() + ": " + e.getClass().getSimpleName(), e)
          : e;
    } catch (IOException e) {
      throw named(path, e);
    }
  }

  private static IOException denied(AccessDeniedException e) {
    return cause(new AccessDeniedException(e.getFile(), null, "permission denied"), e);
  }

  private static IOException cause(IOException problem, IOException cause) {
    problem.initCause(cause);
    return problem;
  }

  private static IOException named(Path path, IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains(path.toString()) ? e : new IOException(path + ": " + message, e);
  }

  /** Does work that an interrupt would break off, with the interrupt put off until it is done. */
  private static <T> T uninterrupted(Work<T> work) throws IOException {
    boolean isInterrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.run();
        } catch (ClosedByInterruptException e) {
          isInterrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public List<String> list(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> String.valueOf(path.getFileName())).sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (NotDirectoryException e) {
      throw new IOException(folder + ": expected a folder", e);
    } catch (AccessDeniedException e) {
      throw denied(e);
    } catch (UncheckedIOException e) {
      throw named(folder, new IOException(e.getMessage(), e));
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
    return naming(file, () -> Files.size(file));
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    naming(folder, () -> Files.createDirectories(folder));
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw");
    RealFile made = new RealFile(file, opened);
    try {
      made.truncate(0);
      return made;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  @Override
  public DiskFile append(Path file) throws IOException {
    // It would be made if it weren't there.
    size(file);
    RealFile opened = new RealFile(file, new RandomAccessFile(file.toFile(), "rw"));
    opened.toEnd();
    return opened;
  }

  @Override
  public byte[] read(Path file, int bytesMax) throws IOException {
    if (isLocked(file)) {
      return processId();
    }
    long size = size(file);
    if (size > bytesMax) {
      throw new IOException(file + ": expected at most " + bytesMax + " bytes, found " + size);
    }
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      byte[] bytes = naming(file, () -> in.readNBytes(bytesMax));
      if (bytes.length == bytesMax && naming(file, in::read) >= 0) {
        throw new IOException(file + ": expected at most " + bytesMax + " bytes");
      }
      return bytes;
    }
  }

  @Override
  public MappedFile map(Path file, long offset, long length) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      return naming(
          file, () -> uninterrupted(() -> new Mapped(arena, map(file, offset, length, arena))));
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private static MemorySegment map(Path file, long offset, long length, Arena arena)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (offset < 0 || length < 0 || offset > size - length) {
        throw new IOException(
            file + ": expected " + length + " bytes at " + offset + ", it has " + size);
      }
      return channel.map(FileChannel.MapMode.READ_ONLY, offset, length, arena).asReadOnly();
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    naming(from, () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
  }

  @Override
  public void delete(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      naming(path, () -> Files.walkFileTree(path, new Deletion()));
    }
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    naming(
        folder,
        () ->
            uninterrupted(
                () -> {
                  try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                    return folder;
                  }
                }));
  }

  @Override
  public void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Disk.super.link(from, to); // the file system has no links, perhaps
    }
  }

  private static byte[] processId() {
    return Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
  }

  private static Path real(Path file) throws IOException {
    Path folder = file.toAbsolutePath().normalize().getParent();
    return folder == null ? file : naming(folder, folder::toRealPath).resolve(file.getFileName());
  }

  /** Whether it is one that mustn't be opened again. */
  private boolean isLocked(Path file) throws IOException {
    synchronized (locked) {
      return !locked.isEmpty() && locked.contains(real(file));
    }
  }

  @Override
  public @Nullable DiskLock lock(Path file) throws IOException {
    Path real = real(file);
    synchronized (locked) {
      if (!locked.add(real)) {
        return null;
      }
      DiskLock lock = null;
      try {
        lock = RealDisk.<@Nullable DiskLock>naming(file, () -> lockOf(file, real));
        return lock;
      } finally {
        if (lock == null) {
          locked.remove(real);
        }
      }
    }
  }

  private @Nullable DiskLock lockOf(Path file, Path real) throws IOException {
    RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw");
    FileLock lock = null;
    try {
      lock = FlockTable.isLocked(file) ? null : opened.getChannel().tryLock();
      if (lock != null) {
        opened.setLength(0);
        opened.write(processId());
      }
    } catch (OverlappingFileLockException e) {
      // Another part of this process has it, by another name.
    } finally {
      if (lock == null) {
        opened.close();
      }
    }
    return lock == null ? null : () -> unlock(opened, real);
  }

  private void unlock(RandomAccessFile opened, Path real) {
    synchronized (locked) {
      try {
        opened.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        locked.remove(real);
      }
    }
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return naming(path, () -> Files.getFileStore(path).getUsableSpace());
  }

  /** Removes what it meets, which are links themselves and not what they lead to. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    /** What another removed meanwhile is as wanted. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
      if (problem instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw problem;
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
  }

  /** A part of a file that is mapped until its arena is closed. */
  private record Mapped(Arena arena, MemorySegment bytes) implements MappedFile {
    @Override
    public void close() {
      arena.close();
    }
  }

  private static final class RealFile implements DiskFile {
    private final Path path;
    private final RandomAccessFile file;
    private long size;

    RealFile(Path path, RandomAccessFile file) {
      this.path = path;
      this.file = file;
    }

    void toEnd() throws IOException {
      try {
        size = file.length();
      } catch (IOException e) {
        file.close();
        throw named(path, e);
      }
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      try {
        file.seek(size);
        file.write(bytes, offset, count);
      } catch (IOException e) {
        throw named(path, e);
      }
      size += count;
    }

    @Override
    public void overwrite(long position, byte[] bytes) throws IOException {
      try {
        file.seek(position);
        file.write(bytes);
      } catch (IOException e) {
        throw named(path, e);
      }
    }

    @Override
    public void truncate(long newSize) throws IOException {
      try {
        file.setLength(newSize);
      } catch (IOException e) {
        throw named(path, e);
      }
      size = newSize;
    }

    @Override
    public void sync() throws IOException {
      try {
        file.getFD().sync();
      } catch (IOException e) {
        throw named(path, e);
      }
    }

    @Override
    public void close() throws IOException {
      try {
        file.close();
      } catch (IOException e) {
        throw named(path, e);
      }
    }
  }
}
