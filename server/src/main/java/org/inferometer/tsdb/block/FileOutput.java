package org.inferometer.tsdb.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;

/**
 * Writes the numbers of a block's files, the highest byte first, through a buffer, and sums up what
 * was written since {@link #beginSum}. Not thread-safe.
 */
final class FileOutput implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path path;
  private final DiskFile file;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final CRC32C crc = new CRC32C();

  /** Where in the buffer the bytes begin that the sum doesn't have yet. */
  private int summedTo;

  private int buffered;
  private long flushed;

  FileOutput(Disk disk, Path path) throws IOException {
    this.path = path;
    file = disk.create(path);
  }

  Path path() {
    return path;
  }

  /** Where the next byte goes. */
  long position() {
    return flushed + buffered;
  }

  void u8(int value) throws IOException {
    if (buffered == BUFFER_BYTES) {
      flush();
    }
    buffer[buffered++] = (byte) value;
  }

  void u32(long value) throws IOException {
    for (int shift = 24; shift >= 0; shift -= 8) {
      u8((int) (value >>> shift));
    }
  }

  void u64(long value) throws IOException {
    u32(value >>> 32);
    u32(value);
  }

  void uvarint(long value) throws IOException {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      u8((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    u8((int) rest);
  }

  /** A varint with the sign in the lowest bit. */
  void varint(long value) throws IOException {
    uvarint((value << 1) ^ (value >> 63));
  }

  /** A text as its length and UTF-8 bytes. */
  void text(String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    uvarint(utf8.length);
    bytes(utf8, utf8.length);
  }

  void bytes(byte[] bytes, int count) throws IOException {
    for (int from = 0; from < count; ) {
      if (buffered == BUFFER_BYTES) {
        flush();
      }
      int step = Math.min(count - from, BUFFER_BYTES - buffered);
      System.arraycopy(bytes, from, buffer, buffered, step);
      buffered += step;
      from += step;
    }
  }

  /** Zeros up to a multiple of a number. */
  void align(int size) throws IOException {
    while (position() % size != 0) {
      u8(0);
    }
  }

  void beginSum() {
    crc.reset();
    summedTo = buffered;
  }

  /** The CRC32C of what was written since the sum began, as four bytes. */
  void sum() throws IOException {
    sumUp();
    u32(crc.getValue());
  }

  private void sumUp() {
    crc.update(buffer, summedTo, buffered - summedTo);
    summedTo = buffered;
  }

  private void flush() throws IOException {
    sumUp();
    file.write(buffer, 0, buffered);
    flushed += buffered;
    buffered = 0;
    summedTo = 0;
  }

  /** Puts another number over four bytes that were written; no sum knows of it. */
  void overwriteU32(long position, long value) throws IOException {
    flush();
    file.overwrite(
        position,
        new byte[] {
          (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value
        });
  }

  /** Writes what is buffered without making it last. */
  void handOver() throws IOException {
    flush();
  }

  /** Makes all of it last. */
  void finish() throws IOException {
    flush();
    file.sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
