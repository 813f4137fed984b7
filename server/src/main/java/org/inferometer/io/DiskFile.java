package org.inferometer.io;

import java.io.Closeable;
import java.io.IOException;

/**
 * A file that is being written. Not thread-safe, except that {@link #sync} may be called while
 * another thread does something else.
 */
public interface DiskFile extends Closeable {
  /** Where the next byte goes: the end. */
  long size();

  /**
   * Writes at the end. If it fails, some of the bytes may be there; {@link #size} counts them only
   * if the call returned.
   */
  void write(byte[] bytes, int offset, int count) throws IOException;

  /** Writes over bytes that are there. */
  void overwrite(long position, byte[] bytes) throws IOException;

  /** Cuts the file off, what a failed write may have left beyond {@link #size} included. */
  void truncate(long size) throws IOException;

  /** Makes the bytes last. After a failure what was written since the last success may be lost. */
  void sync() throws IOException;
}
