package org.inferometer.tsdb.block;

/** The numbers of an index file that its writer and reader share. */
final class IndexFormat {
  static final String FILE = "index";
  static final int MAGIC = 0xbaaad700;
  static final int VERSION = 2;
  static final int HEAD_BYTES = 5;

  /** Six offsets and their sum. */
  static final int CONTENTS_BYTES = 6 * 8 + 4;

  static final int SUM_BYTES = 4;

  /** A series begins at a multiple of this, by which its offset is divided to be its id. */
  static final int SERIES_ALIGNMENT = 16;

  static final int POSTINGS_ALIGNMENT = 4;

  /** So that ids stay below 2^31. */
  static final long BYTES_MAX = (1L << 31) * SERIES_ALIGNMENT;

  private IndexFormat() {}
}
