package org.inferometer.io;

import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/**
 * The bytes of a file twice: as processes see them, and as they are on the medium. Between the two
 * are pages that were written since they were last synced.
 */
final class SimulatedFile implements SimulatedNode {
  static final int PAGE_BYTES = 4_096;

  private byte[] now = new byte[0];
  private int size;
  private byte[] durable = new byte[0];
  private int durableSize;
  private final BitSet dirtyPages = new BitSet();

  /** One with bytes that last. */
  static SimulatedFile of(byte[] bytes) {
    SimulatedFile file = new SimulatedFile();
    file.write(0, bytes, 0, bytes.length);
    file.sync();
    return file;
  }

  int size() {
    return size;
  }

  byte[] bytes() {
    return Arrays.copyOf(now, size);
  }

  byte[] bytes(long from, int count) {
    return Arrays.copyOfRange(now, (int) from, (int) from + count);
  }

  void write(long position, byte[] bytes, int offset, int count) {
    int end = Math.toIntExact(position + count);
    if (end > now.length) {
      now = Arrays.copyOf(now, Math.max(end, 2 * now.length));
    }
    System.arraycopy(bytes, offset, now, (int) position, count);
    touch(position, end);
    size = Math.max(size, end);
  }

  void truncate(long newSize) {
    int end = Math.toIntExact(newSize);
    if (end > now.length) {
      now = Arrays.copyOf(now, end);
    }
    if (end < size) {
      Arrays.fill(now, end, size, (byte) 0);
    }
    touch(Math.min(end, size), Math.max(end, size));
    size = end;
  }

  private void touch(long from, long to) {
    if (to > from) {
      dirtyPages.set((int) (from / PAGE_BYTES), (int) ((to - 1) / PAGE_BYTES) + 1);
    }
  }

  void sync() {
    if (durable.length < size) {
      durable = Arrays.copyOf(durable, now.length);
    }
    dirtyPages.stream().forEach(this::writeBack);
    dirtyPages.clear();
    durableSize = size;
    Arrays.fill(durable, size, durable.length, (byte) 0);
  }

  private void writeBack(int page) {
    int from = page * PAGE_BYTES;
    int to = Math.min(from + PAGE_BYTES, Math.min(now.length, durable.length));
    if (to > from) {
      System.arraycopy(now, from, durable, from, to - from);
    }
  }

  /**
   * As kernels do it: pages count as clean after a failure, whether they were written or not, and a
   * later sync that succeeds doesn't write them.
   */
  void failSync(RandomGenerator random) {
    if (durable.length < size) {
      durable = Arrays.copyOf(durable, now.length);
    }
    dirtyPages.stream().filter(page -> random.nextBoolean()).forEach(this::writeBack);
    dirtyPages.clear();
  }

  /** The same file, what isn't synced included. */
  SimulatedFile copy() {
    SimulatedFile copy = new SimulatedFile();
    copy.now = now.clone();
    copy.size = size;
    copy.durable = durable.clone();
    copy.durableSize = durableSize;
    copy.dirtyPages.or(dirtyPages);
    return copy;
  }

  /** Without anything that isn't synced. */
  SimulatedFile durable() {
    return of(Arrays.copyOf(durable, durableSize));
  }

  /**
   * As it may be after a power cut: of what isn't synced any pages are there, some in part; the
   * length is any that it had or grew through, with zeros where nothing was written.
   */
  SimulatedFile torn(RandomGenerator random) {
    byte[] bytes = new byte[lengthAfterCut(random)];
    for (int from = 0; from < bytes.length; from += PAGE_BYTES) {
      int to = Math.min(from + PAGE_BYTES, bytes.length);
      int newBytes = dirtyPages.get(from / PAGE_BYTES) ? newBytes(to - from, random) : 0;
      copy(now, from, bytes, from, from + newBytes);
      copy(durable, from + newBytes, bytes, from + newBytes, to);
    }
    return of(bytes);
  }

  private int lengthAfterCut(RandomGenerator random) {
    int low = Math.min(size, durableSize);
    int high = Math.max(size, durableSize);
    return switch (random.nextInt(4)) {
      case 0 -> low;
      case 1 -> high;
      default -> random.nextInt(low, high + 1);
    };
  }

  private static int newBytes(int count, RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextInt(count + 1);
      default -> count;
    };
  }

  private static void copy(byte[] source, int from, byte[] target, int targetFrom, int targetTo) {
    int count = Math.min(targetTo - targetFrom, source.length - from);
    if (count > 0) {
      System.arraycopy(source, from, target, targetFrom, count);
    }
  }
}
