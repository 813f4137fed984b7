package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import org.inferometer.io.Disk;
import org.inferometer.io.NotThereYet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from its newest checkpoint, if there is one, through all segments. Stops at the first
 * record that isn't whole. Not thread-safe.
 *
 * <pre>{@code
 * try (WalReader in = WalReader.open(disk, folder)) {
 *   for (WalRecord r = in.next(); r != null; r = in.next()) ...
 *   if (in.damage() != null) ...
 * }
 * }</pre>
 */
public final class WalReader implements AutoCloseable {
  private WalReader() {}

  /** Opens a log; one without any segment is empty. */
  public static WalReader open(Disk disk, Path folder) throws IOException {
    return NotThereYet.now();
  }

  /**
   * The next record; null behind the last, or where the log is damaged. The columns of samples are
   * the reader's own and filled again by the next call, unless they are taken: see {@link
   * #takeSamples}.
   */
  public @Nullable WalRecord next() throws IOException {
    return NotThereYet.now();
  }

  /** Leaves the columns of the last record to the caller: the reader makes others. */
  public void takeSamples() {
    NotThereYet.now();
  }

  /** Where and why reading stopped, once {@link #next} said null; null if it reached the end. */
  public @Nullable WalDamage damage() {
    return NotThereYet.now();
  }

  /** How many bytes there are in all, for telling progress. */
  public long sizeBytes() {
    return NotThereYet.now();
  }

  /** How many bytes were read. */
  public long readBytes() {
    return NotThereYet.now();
  }

  /**
   * Makes a damaged log one that can be written on: cuts it off at the damage. What is cut off and
   * isn't an unfinished last write is kept beside, in files whose names end in {@code .corrupt}.
   */
  public static void repair(Disk disk, Path folder, WalDamage damage) throws IOException {
    NotThereYet.now();
  }

  @Override
  public void close() {
    NotThereYet.now();
  }
}
