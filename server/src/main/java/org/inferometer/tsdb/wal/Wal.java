package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.io.NotThereYet;

/**
 * A log to write: segments numbered from 0 in a folder, the last of them open. Thread-safe; records
 * of one call stay together.
 *
 * <p>After a call returns, its records survive the end of the process; after {@link #sync}, a power
 * cut. If a call fails, none of its records can be read later: what was written of them is cut off,
 * and if that isn't possible either, every later call fails until it is.
 */
public final class Wal implements AutoCloseable {
  private Wal() {}

  /**
   * Opens a log to write, in a new segment behind those that are there; what is there was read and
   * repaired before.
   */
  public static Wal open(Disk disk, Path folder, WalOptions options) throws IOException {
    return NotThereYet.now();
  }

  /** Writes records, in order. */
  public void log(List<? extends WalRecord> records) throws IOException {
    NotThereYet.now();
  }

  /** Makes what was written last. */
  public void sync() throws IOException {
    NotThereYet.now();
  }

  /** The number of the segment that is written. */
  public int segment() {
    return NotThereYet.now();
  }

  /** Ends the segment and begins another, unless it is empty. Returns the number of the new one. */
  public int cutSegment() throws IOException {
    return NotThereYet.now();
  }

  /**
   * Writes a checkpoint of the segments before a number, then removes these and older checkpoints.
   *
   * @param before the first segment that stays
   * @param keep what is kept of a record
   */
  public void checkpoint(int before, CheckpointFilter keep) throws IOException {
    NotThereYet.now();
  }

  /** Removes the segments before a number, without a checkpoint. */
  public void removeBefore(int segment) throws IOException {
    NotThereYet.now();
  }

  /** The bytes of all segments and checkpoints. */
  public long sizeBytes() {
    return NotThereYet.now();
  }

  @Override
  public void close() throws IOException {
    NotThereYet.now();
  }
}
