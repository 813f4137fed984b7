package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;
import org.jspecify.annotations.Nullable;

/**
 * A log to write: segments numbered from 0 in a folder, the last of them open. Thread-safe; records
 * of one call stay together.
 *
 * <p>After a call returns, its records survive the end of the process; after {@link #sync}, a power
 * cut. If a call fails, none of its records can be read later: what was written of them is cut off,
 * and if that isn't possible either, every later call fails until it is.
 *
 * <p>Records are encoded and compressed outside of any lock, then written by one write to the disk.
 * Locks are taken in this order: {@code checkpointing}, {@code syncing}, {@code writing}. A sync
 * doesn't keep others from writing.
 */
public final class Wal implements AutoCloseable {
  private static final int SPARE_MAX = 16;

  private final WalFolder folder;
  private final WalOptions options;
  private final ReentrantLock checkpointing = new ReentrantLock();
  private final ReentrantLock syncing = new ReentrantLock();
  private final ReentrantLock writing = new ReentrantLock();
  private final ArrayBlockingQueue<EncodedRecords> spare = new ArrayBlockingQueue<>(SPARE_MAX);

  /** Changes with both {@code syncing} and {@code writing} held. */
  private volatile SegmentWriter current;

  /** The bytes of all other segments and checkpoints. */
  private final AtomicLong otherBytes;

  /** Whether a sync of the current segment failed; what a disk then says of it means nothing. */
  private boolean isSuspect;

  private boolean isClosed;

  /** Why a segment that has ended may not last; guarded by {@code syncing}. */
  private @Nullable IOException unsynced;

  private Wal(WalFolder folder, WalOptions options, SegmentWriter first, long otherBytes) {
    this.folder = folder;
    this.options = options;
    this.current = first;
    this.otherBytes = new AtomicLong(otherBytes);
  }

  /**
   * Opens a log to write, in a new segment behind those that are there; what is there was read and
   * repaired before. A last segment without a byte is used again.
   */
  public static Wal open(Disk disk, Path path, WalOptions options) throws IOException {
    WalFolder folder = new WalFolder(disk, path);
    if (!disk.exists(path)) {
      createFolder(disk, path);
    }
    folder.removeUnfinished();
    int number = folder.lastNumber() + 1;
    List<Integer> segments = folder.segments();
    if (!segments.isEmpty() && segments.getLast() == number - 1) {
      Path last = folder.segment(number - 1);
      long size = disk.size(last);
      number -= size == 0 && number - 1 > folder.newestCheckpoint() ? 1 : 0;
      pad(disk, last, size);
    }
    SegmentWriter first = SegmentWriter.create(folder, number);
    return new Wal(folder, options, first, folder.sizeBytes());
  }

  private static void createFolder(Disk disk, Path path) throws IOException {
    disk.createFolders(path);
    Path parent = path.getParent();
    if (parent != null) {
      disk.syncFolder(parent);
    }
  }

  /** Fills the last page of a segment that wasn't ended properly. */
  private static void pad(Disk disk, Path segment, long size) throws IOException {
    int used = (int) (size % WalOptions.PAGE_BYTES);
    if (used > 0) {
      try (DiskFile file = disk.append(segment)) {
        file.write(new byte[WalOptions.PAGE_BYTES - used], 0, WalOptions.PAGE_BYTES - used);
      }
    }
  }

  /**
   * Writes records, in order.
   *
   * @throws IllegalArgumentException if one is a {@link WalRecord.Other}
   */
  public void log(List<? extends WalRecord> records) throws IOException {
    EncodedRecords encoded = begin();
    encoded.encode(records);
    log(encoded);
  }

  /** For a record whose samples are known before it is clear whether they are logged. */
  public EncodedRecords begin() {
    EncodedRecords spared = spare.poll();
    EncodedRecords encoded = spared == null ? new EncodedRecords(options.compress()) : spared;
    encoded.clear();
    return encoded;
  }

  /** Encodes the samples of {@link EncodedRecords#floats} as a record, without writing it. */
  public void encode(EncodedRecords of) {
    of.encode(new WalRecord.Samples(of.floats()));
  }

  /** Writes what was encoded, which is used again by others afterwards. */
  public void log(EncodedRecords encoded) throws IOException {
    if (!encoded.isEmpty() && !wasWritten(encoded)) {
      writeInNext(encoded);
    }
    if (encoded.isSmall()) {
      spare.offer(encoded);
    }
  }

  /** Writes into the current segment, unless it is full or suspect. */
  private boolean wasWritten(EncodedRecords encoded) throws IOException {
    writing.lock();
    try {
      requireOpen();
      int bytes = encoded.frame(current.size());
      if (isSuspect || !current.hasRoomFor(bytes, options.segmentBytes())) {
        return false;
      }
      current.write(encoded.framed(), bytes);
      return true;
    } finally {
      writing.unlock();
    }
  }

  private void requireOpen() throws IOException {
    if (isClosed) {
      throw new IOException(folder.path() + ": the log is closed");
    }
  }

  private void writeInNext(EncodedRecords encoded) throws IOException {
    syncing.lock();
    try {
      // Another thread may have begun a segment in the meantime, or fill this one.
      while (!wasWritten(encoded)) {
        beginNext();
      }
    } finally {
      syncing.unlock();
    }
  }

  /** Begins a segment; the caller holds {@code syncing}. Others write while the old one syncs. */
  private void beginNext() throws IOException {
    SegmentWriter old;
    boolean wasSuspect;
    writing.lock();
    try {
      requireOpen();
      old = current;
      wasSuspect = isSuspect;
      old.pad();
      current = SegmentWriter.create(folder, old.number() + 1);
      otherBytes.addAndGet(old.size());
      isSuspect = false;
    } finally {
      writing.unlock();
    }
    end(old, wasSuspect);
  }

  /** What fails here is told by the next {@link #sync}, if it wasn't told before. */
  private void end(SegmentWriter old, boolean wasSuspect) {
    try (old) {
      old.sync();
    } catch (IOException e) {
      unsynced = wasSuspect ? unsynced : e;
    }
  }

  /**
   * Makes what was written last.
   *
   * @throws IOException if what was written since the last call that returned may not survive a
   *     power cut; later records go to a new segment
   */
  public void sync() throws IOException {
    syncing.lock();
    try {
      if (startsAnew()) {
        beginNext();
      }
      syncCurrent();
      throwUnsynced();
    } finally {
      syncing.unlock();
    }
  }

  private void throwUnsynced() throws IOException {
    IOException earlier = unsynced;
    unsynced = null;
    if (earlier != null) {
      throw new IOException(folder.path() + ": a segment that ended wasn't synced", earlier);
    }
  }

  private boolean startsAnew() throws IOException {
    writing.lock();
    try {
      requireOpen();
      current.recover();
      return isSuspect;
    } finally {
      writing.unlock();
    }
  }

  private void syncCurrent() throws IOException {
    try {
      current.sync();
    } catch (IOException e) {
      writing.lock();
      try {
        isSuspect = true;
        current.distrust();
      } finally {
        writing.unlock();
      }
      throw e;
    }
  }

  /** The number of the segment that is written. */
  public int segment() {
    return current.number();
  }

  /** Ends the segment and begins another, unless it is empty. Returns the number of the new one. */
  public int cutSegment() throws IOException {
    syncing.lock();
    try {
      if (current.size() > 0) {
        beginNext();
      }
      return current.number();
    } finally {
      syncing.unlock();
    }
  }

  /**
   * Writes a checkpoint of the segments before a number, then removes these and older checkpoints.
   * Others may write meanwhile.
   *
   * @param before the first segment that stays
   * @param keep what is kept of a record
   * @throws IllegalArgumentException if that segment isn't there yet
   * @throws IOException also if what is to be read is damaged; nothing is removed then
   */
  public void checkpoint(int before, CheckpointFilter keep) throws IOException {
    requireSegment(before);
    checkpointing.lock();
    try {
      if (before - 1 > folder.newestCheckpoint()) {
        Checkpoint.write(folder, before - 1, options, keep);
      }
      remove(before);
    } finally {
      checkpointing.unlock();
    }
  }

  private void requireSegment(int number) {
    if (number > segment()) {
      throw new IllegalArgumentException(
          "expected a segment up to %d, got %d".formatted(segment(), number));
    }
  }

  /** Removes the segments before a number, without a checkpoint. */
  public void removeBefore(int segment) throws IOException {
    requireSegment(segment);
    checkpointing.lock();
    try {
      remove(segment);
    } finally {
      checkpointing.unlock();
    }
  }

  /**
   * Takes back what was written since a segment was begun. Nothing else may write meanwhile.
   *
   * @throws IOException if some of it is still there
   */
  public void emptyFrom(int segment) throws IOException {
    requireSegment(segment);
    syncing.lock();
    writing.lock();
    try {
      current.empty();
      for (int number = current.number() - 1; number >= segment; number--) {
        try (DiskFile file = folder.disk().append(folder.segment(number))) {
          file.truncate(0);
        }
      }
      otherBytes.set(folder.sizeBytes() - current.size());
    } finally {
      writing.unlock();
      syncing.unlock();
    }
  }

  private void remove(int before) throws IOException {
    Checkpoint.removeOld(folder, before);
    writing.lock();
    try {
      otherBytes.set(folder.sizeBytes() - current.size());
    } finally {
      writing.unlock();
    }
  }

  /** The bytes of all segments and checkpoints. */
  public long sizeBytes() {
    return otherBytes.get() + current.size();
  }

  /** Makes all last and ends. */
  @Override
  public void close() throws IOException {
    syncing.lock();
    writing.lock();
    try {
      if (isClosed) {
        return;
      }
      isClosed = true;
      try (SegmentWriter last = current) {
        last.recover();
        last.sync();
      }
      throwUnsynced();
    } finally {
      writing.unlock();
      syncing.unlock();
    }
  }
}
