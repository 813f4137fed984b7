package org.inferometer.io;

import java.lang.foreign.MemorySegment;

/**
 * Bytes of a file as memory. Read only, from any thread, and not after it is closed: who closes it
 * sees to that.
 */
public interface MappedFile extends AutoCloseable {
  MemorySegment bytes();

  @Override
  void close();
}
