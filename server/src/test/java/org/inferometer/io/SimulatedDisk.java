package org.inferometer.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that knows what of it would survive a power cut, and that fails as it is told.
 * The same operations in the same order give the same, for one seed. Thread-safe.
 *
 * <pre>
 *   write, rename ...   seen at once by all, lost by none but a power cut
 *        |
 *        | sync (bytes of a file), syncFolder (names in a folder)
 *        v
 *   the medium          survives all, unless a test damages it
 * </pre>
 *
 * {@link #processKill} and {@link #powerCut} leave this disk as it is and give another one, so that
 * one life can be looked at from many of its moments: see {@link #watch}. Memory that was mapped is
 * a copy that may not be read after it is closed.
 */
public final class SimulatedDisk implements Disk {
  private static final int OPERATIONS_LOGGED = 60;

  private final SimulatedTree tree;
  private final SplittableRandom random;
  private final Set<SimulatedNode> locked = new HashSet<>();
  private final List<DiskFault> faults = new ArrayList<>();
  private final Deque<String> log = new ArrayDeque<>();
  private Consumer<Operation> watcher = operation -> {};
  private long capacity = Long.MAX_VALUE;
  private long operations;
  private long changes;
  private int openFiles;
  private int openMappings;

  /** What can be asked of a disk. */
  public enum Kind {
    LIST,
    SIZE,
    READ,
    MAP,
    LOCK,
    CREATE_FOLDER,
    CREATE,
    APPEND,
    WRITE,
    OVERWRITE,
    TRUNCATE,
    RENAME,
    DELETE,
    SYNC,
    SYNC_FOLDER;

    /** Whether there is something else on the disk, or on the medium, after it. */
    public boolean changes() {
      return switch (this) {
        case LIST, SIZE, READ, MAP, LOCK, APPEND -> false;
        case CREATE_FOLDER, CREATE, WRITE, OVERWRITE, TRUNCATE, RENAME, DELETE, SYNC, SYNC_FOLDER ->
            true;
      };
    }
  }

  /**
   * One call.
   *
   * @param number how many changes there were before
   * @param bytes that are written
   */
  public record Operation(long number, Kind kind, Path path, int bytes) {}

  /** What a power cut takes of all that isn't synced. */
  public enum Loss {
    /** Everything. */
    ALL,
    /** Names, renames and removals, but no bytes. */
    NAMES,
    /** Bytes, but no names. */
    BYTES,
    /** This and that, bytes also in part. */
    SOME
  }

  public SimulatedDisk(long seed) {
    this(new SimulatedTree(), new SplittableRandom(seed));
  }

  private SimulatedDisk(SimulatedTree tree, SplittableRandom random) {
    this.tree = tree;
    this.random = random;
  }

  // What happens to all of it

  /** The disk as another process finds it if this one is killed now. */
  public synchronized SimulatedDisk processKill() {
    return new SimulatedDisk(tree.copy(), new SplittableRandom(random.nextLong()));
  }

  /** The disk as it may be if the power is cut now: what isn't synced is lost, or in part. */
  public SimulatedDisk powerCut(RandomGenerator by) {
    return powerCut(Loss.SOME, by);
  }

  public synchronized SimulatedDisk powerCut(Loss loss, RandomGenerator by) {
    return new SimulatedDisk(tree.afterCut(loss, by), new SplittableRandom(by.nextLong()));
  }

  /** Makes everything last. */
  public synchronized void syncAll() {
    tree.syncAll();
    for (Path file : files(Path.of("/"))) {
      fileAt(file).sync();
    }
  }

  // Faults

  /** Has operations fail; returns the fault, which counts. */
  public synchronized DiskFault fail(DiskFault fault) {
    faults.add(fault);
    return fault;
  }

  /** Ends all faults, and gives room without end. */
  public synchronized void heal() {
    faults.clear();
    capacity = Long.MAX_VALUE;
  }

  /** How many bytes all files may have together. */
  public synchronized void limit(long bytes) {
    capacity = bytes;
  }

  public synchronized long usedBytes() {
    return tree.bytes();
  }

  /**
   * Has each operation told before it is done, under the lock of the disk. Who throws from there
   * makes it fail.
   */
  public synchronized void watch(Consumer<Operation> newWatcher) {
    watcher = newWatcher;
  }

  /** How many operations that change something there were. */
  public synchronized long changes() {
    return changes;
  }

  /** The last operations, a line each, for messages. */
  public synchronized String log() {
    return String.join("\n", log);
  }

  public synchronized int openFiles() {
    return openFiles;
  }

  public synchronized int openMappings() {
    return openMappings;
  }

  // Damage, on the medium too

  public synchronized byte[] bytes(Path file) {
    return fileAt(file).bytes();
  }

  public synchronized void flipBit(Path file, long bit) {
    byte[] one = fileAt(file).bytes(bit / 8, 1);
    one[0] ^= (byte) (1 << (bit % 8));
    put(file, bit / 8, one);
  }

  /** Writes bytes at a place, and leaves the rest of the file. */
  public synchronized void put(Path file, long position, byte[] bytes) {
    fileAt(file).write(position, bytes, 0, bytes.length);
    fileAt(file).sync();
  }

  /** Makes a file with these bytes, and its folders; replaces one that is there. */
  public synchronized void put(Path file, byte[] bytes) {
    try {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        makeFolders(parent);
      }
      tree.put(file, SimulatedFile.of(bytes));
      tree.syncAll();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public synchronized void cutOff(Path file, long size) {
    fileAt(file).truncate(size);
    fileAt(file).sync();
  }

  /** Takes a file or folder away. */
  public synchronized void lose(Path path) {
    try {
      tree.remove(path);
      tree.syncAll();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All files below a folder, sorted. */
  public synchronized List<Path> files(Path folder) {
    List<Path> files = new ArrayList<>();
    collect(folder, files);
    return files;
  }

  private void collect(Path path, List<Path> files) {
    switch (tree.find(path)) {
      case SimulatedFile file -> files.add(path);
      case SimulatedFolder folder ->
          folder.now.keySet().forEach(n -> collect(path.resolve(n), files));
      case null -> {}
    }
  }

  private SimulatedFile fileAt(Path path) {
    try {
      return tree.file(path);
    } catch (NoSuchFileException e) {
      throw new AssertionError(e);
    }
  }

  // The disk

  private void begin(Kind kind, Path path) throws IOException {
    begin(kind, path, 0);
  }

  private void begin(Kind kind, Path path, int bytes) throws IOException {
    DiskFault fault = announce(kind, path, bytes);
    if (fault != null) {
      throw failure(path, fault.message());
    }
  }

  /** Counts and logs an operation; returns what makes it fail. */
  private @Nullable DiskFault announce(Kind kind, Path path, int bytes) {
    Operation operation = new Operation(changes, kind, path, bytes);
    watcher.accept(operation);
    operations++;
    changes += kind.changes() ? 1 : 0;
    DiskFault striking = null;
    for (DiskFault fault : faults) {
      striking = fault.strikes(operation) && striking == null ? fault : striking;
    }
    if (log.size() == OPERATIONS_LOGGED) {
      log.removeFirst();
    }
    log.add(
        "%d: %s %s%s%s"
            .formatted(
                operations,
                kind,
                path,
                bytes == 0 ? "" : " " + bytes + " bytes",
                striking == null ? "" : " FAILS: " + striking.message()));
    return striking;
  }

  private static FileSystemException failure(Path path, String reason) {
    return new FileSystemException(path.toString(), null, reason);
  }

  @Override
  public synchronized List<String> list(Path folder) throws IOException {
    begin(Kind.LIST, folder);
    return switch (tree.find(folder)) {
      case SimulatedFolder found -> List.copyOf(found.now.keySet());
      case SimulatedFile file -> throw failure(folder, "expected a folder");
      case null -> List.of();
    };
  }

  @Override
  public synchronized boolean exists(Path path) {
    return tree.find(path) != null;
  }

  @Override
  public synchronized boolean isFolder(Path path) {
    return tree.find(path) instanceof SimulatedFolder;
  }

  @Override
  public synchronized long size(Path file) throws IOException {
    begin(Kind.SIZE, file);
    return tree.file(file).size();
  }

  @Override
  public synchronized void createFolders(Path folder) throws IOException {
    if (!(tree.find(folder) instanceof SimulatedFolder)) {
      begin(Kind.CREATE_FOLDER, folder);
      makeFolders(folder);
    }
  }

  private void makeFolders(Path folder) throws IOException {
    Path path = folder.toAbsolutePath().normalize().getRoot();
    for (Path name : folder.toAbsolutePath().normalize()) {
      path = path.resolve(name);
      switch (tree.find(path)) {
        case SimulatedFolder there -> {}
        case SimulatedFile file -> throw failure(path, "expected a folder");
        case null -> tree.put(path, new SimulatedFolder());
      }
    }
  }

  @Override
  public synchronized DiskFile create(Path file) throws IOException {
    begin(Kind.CREATE, file);
    return switch (tree.find(file)) {
      case SimulatedFile there -> {
        there.truncate(0);
        yield new Open(file, there);
      }
      case SimulatedFolder folder -> throw failure(file, "expected a file");
      case null -> {
        SimulatedFile made = new SimulatedFile();
        tree.put(file, made);
        yield new Open(file, made);
      }
    };
  }

  @Override
  public synchronized DiskFile append(Path file) throws IOException {
    begin(Kind.APPEND, file);
    return new Open(file, tree.file(file));
  }

  @Override
  public synchronized byte[] read(Path file, int bytesMax) throws IOException {
    begin(Kind.READ, file);
    byte[] bytes = tree.file(file).bytes();
    if (bytes.length > bytesMax) {
      throw failure(file, "expected at most " + bytesMax + " bytes, found " + bytes.length);
    }
    return bytes;
  }

  @Override
  public synchronized MappedFile map(Path file, long offset, long length) throws IOException {
    begin(Kind.MAP, file);
    SimulatedFile mapped = tree.file(file);
    if (offset < 0 || length < 0 || offset + length > mapped.size()) {
      throw failure(file, "expected " + length + " bytes at " + offset + " of " + mapped.size());
    }
    byte[] bytes = mapped.bytes(offset, Math.toIntExact(length));
    Arena arena = Arena.ofShared();
    // Aligned as the file is, which is what mapping whole pages gives.
    MemorySegment memory = arena.allocate(length + 8, 8).asSlice(offset & 7, length);
    memory.copyFrom(MemorySegment.ofArray(bytes));
    openMappings++;
    return new Mapped(arena, memory.asReadOnly());
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    begin(Kind.RENAME, from);
    if (tree.find(to) instanceof SimulatedFolder folder && !folder.now.isEmpty()) {
      throw new DirectoryNotEmptyException(to.toString());
    }
    tree.rename(from, to);
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    if (tree.find(path) instanceof SimulatedFolder folder) {
      for (String name : List.copyOf(folder.now.keySet())) {
        delete(path.resolve(name));
      }
    }
    if (tree.find(path) != null) {
      begin(Kind.DELETE, path);
      tree.remove(path);
    }
  }

  @Override
  public synchronized void syncFolder(Path folder) throws IOException {
    begin(Kind.SYNC_FOLDER, folder);
    tree.sync(tree.folder(folder));
  }

  @Override
  public synchronized @Nullable DiskLock lock(Path file) throws IOException {
    begin(Kind.LOCK, file);
    if (tree.find(file) == null) {
      tree.put(file, new SimulatedFile());
    }
    SimulatedFile node = tree.file(file);
    return locked.add(node) ? () -> unlock(node) : null;
  }

  private synchronized void unlock(SimulatedFile node) {
    locked.remove(node);
  }

  @Override
  public synchronized long freeBytes(Path path) {
    return capacity == Long.MAX_VALUE ? capacity : Math.max(0, capacity - tree.bytes());
  }

  private long room(long wanted) {
    return capacity == Long.MAX_VALUE ? wanted : Math.clamp(capacity - tree.bytes(), 0, wanted);
  }

  private final class Mapped implements MappedFile {
    private final Arena arena;
    private final MemorySegment bytes;

    Mapped(Arena arena, MemorySegment bytes) {
      this.arena = arena;
      this.bytes = bytes;
    }

    @Override
    public MemorySegment bytes() {
      return bytes;
    }

    @Override
    public void close() {
      synchronized (SimulatedDisk.this) {
        arena.close();
        openMappings--;
      }
    }
  }

  private final class Open implements DiskFile {
    private final Path path;
    private final SimulatedFile file;
    private long size;
    private boolean isOpen = true;

    Open(Path path, SimulatedFile file) {
      this.path = path;
      this.file = file;
      this.size = file.size();
      openFiles++;
    }

    @Override
    public long size() {
      return size;
    }

    private @Nullable DiskFault announce(Kind kind, int bytes) throws IOException {
      if (!isOpen) {
        throw failure(path, "it is closed");
      }
      return SimulatedDisk.this.announce(kind, path, bytes);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      synchronized (SimulatedDisk.this) {
        DiskFault fault = announce(Kind.WRITE, count);
        long grown = Math.max(0, size + count - file.size());
        int fitting = count - (int) (grown - room(grown));
        int written =
            fault == null
                ? fitting
                : Math.min(fitting, Math.clamp(count - 1, 0, fault.bytesBefore()));
        file.write(size, bytes, offset, written);
        if (fault != null) {
          throw failure(path, fault.message());
        }
        if (written < count) {
          throw failure(path, DiskFault.FULL);
        }
        size += count;
      }
    }

    @Override
    public void overwrite(long position, byte[] bytes) throws IOException {
      synchronized (SimulatedDisk.this) {
        DiskFault fault = announce(Kind.OVERWRITE, bytes.length);
        int written = fault == null ? bytes.length : Math.min(bytes.length, fault.bytesBefore());
        file.write(position, bytes, 0, written);
        if (fault != null) {
          throw failure(path, fault.message());
        }
      }
    }

    @Override
    public void truncate(long newSize) throws IOException {
      synchronized (SimulatedDisk.this) {
        DiskFault fault = announce(Kind.TRUNCATE, 0);
        if (fault != null) {
          throw failure(path, fault.message());
        }
        file.truncate(newSize);
        size = newSize;
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (SimulatedDisk.this) {
        DiskFault fault = announce(Kind.SYNC, 0);
        if (fault != null) {
          file.failSync(random);
          throw failure(path, fault.message());
        }
        file.sync();
      }
    }

    @Override
    public void close() {
      synchronized (SimulatedDisk.this) {
        openFiles -= isOpen ? 1 : 0;
        isOpen = false;
      }
    }
  }
}
