package org.inferometer.tsdb.wal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;

/**
 * A segment that is written. What a failed write may have left is cut off before anything else is
 * done. Not thread-safe, but {@link #sync} may be called beside all else.
 */
final class SegmentWriter implements Closeable {
  private static final byte[] ZEROS = new byte[WalOptions.PAGE_BYTES];

  private final Disk disk;
  private final Path path;
  private final int number;
  private volatile DiskFile file;
  private volatile long size;

  /** Whether the file may be longer than it should be, or can't be written any more. */
  private boolean isBroken;

  /** How much of it is known to last; guarded by whoever syncs. */
  private long syncedSize = -1;

  private SegmentWriter(Disk disk, Path path, int number, DiskFile file) {
    this.disk = disk;
    this.path = path;
    this.number = number;
    this.file = file;
  }

  /** Makes an empty segment whose name lasts; none is left if that fails. */
  static SegmentWriter create(WalFolder folder, int number) throws IOException {
    Path path = folder.segment(number);
    DiskFile file = folder.disk().create(path);
    try {
      folder.disk().syncFolder(folder.path());
    } catch (IOException e) {
      try (file) {
        folder.disk().delete(path);
      } catch (IOException deeper) {
        e.addSuppressed(deeper);
      }
      throw e;
    }
    return new SegmentWriter(folder.disk(), path, number, file);
  }

  int number() {
    return number;
  }

  long size() {
    return size;
  }

  boolean hasRoomFor(int bytes, int segmentBytes) {
    return size == 0 || size + bytes <= segmentBytes;
  }

  /** Writes the first bytes of an array, or nothing. */
  void write(byte[] bytes, int count) throws IOException {
    recover();
    try {
      file.write(bytes, 0, count);
      size = file.size();
    } catch (IOException | RuntimeException e) {
      isBroken = true;
      takeBack(e);
      throw e;
    }
  }

  private void takeBack(Exception failure) {
    try {
      recover();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Cuts off what may be left of a write that failed. */
  void recover() throws IOException {
    if (!isBroken) {
      return;
    }
    try {
      file.truncate(size);
    } catch (IOException e) {
      // A channel is closed for good if its thread was interrupted.
      reopen(e);
    }
    isBroken = false;
  }

  /** Takes back all that was written. */
  void empty() throws IOException {
    size = 0;
    syncedSize = -1;
    isBroken = true;
    recover();
  }

  private void reopen(IOException failure) throws IOException {
    DiskFile old = file;
    try {
      file = disk.append(path);
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
    closeQuietly(old);
    file.truncate(size);
  }

  private static void closeQuietly(DiskFile file) {
    try {
      file.close();
    } catch (IOException _) {
      // Nothing more is asked of it.
    }
  }

  /** Fills the last page. */
  void pad() throws IOException {
    recover();
    int used = (int) (size % WalOptions.PAGE_BYTES);
    if (used > 0) {
      write(ZEROS, WalOptions.PAGE_BYTES - used);
    }
  }

  /** Makes all last that was there when it is called. */
  void sync() throws IOException {
    long now = size;
    if (now == syncedSize) {
      return;
    }
    file.sync();
    syncedSize = now;
  }

  /** After a failed sync: its file is looked at again before it is used. */
  void distrust() {
    isBroken = true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
