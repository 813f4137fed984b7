package org.inferometer.tsdb.block;

/**
 * The files of a block's chunks.
 *
 * <pre>
 * file    magic 0x85bd40dd (4 bytes)  version 1 (1 byte)  0 (3 bytes)  chunk*
 * chunk   length of the data (uvarint)  encoding (1 byte)  data
 *         CRC32C of encoding and data (4 bytes)
 * </pre>
 *
 * Files are named 000001 and so on. A reference to a chunk is the number of its file, counted from
 * 0, times 2^32 plus the offset in it. The format is described in prometheus/prometheus {@code
 * tsdb/docs/format/chunks.md}.
 */
final class ChunkFormat {
  static final String FOLDER = "chunks";
  static final int MAGIC = 0x85bd40dd;
  static final int VERSION = 1;
  static final int HEAD_BYTES = 8;
  static final int SUM_BYTES = 4;

  /** As Prometheus cuts them. */
  static final long FILE_BYTES_MAX = 512L << 20;

  private ChunkFormat() {}

  static String fileName(int number) {
    return "%06d".formatted(number + 1);
  }

  static int file(long reference) {
    return (int) (reference >>> 32);
  }

  static long offset(long reference) {
    return reference & 0xffff_ffffL;
  }

  static long reference(int file, long offset) {
    return ((long) file << 32) | offset;
  }
}
