package org.inferometer.io;

/** A lock that is held. */
@FunctionalInterface
public interface DiskLock extends AutoCloseable {
  @Override
  void close();
}
