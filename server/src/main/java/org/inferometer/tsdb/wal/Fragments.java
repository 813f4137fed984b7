package org.inferometer.tsdb.wal;

import java.util.zip.CRC32C;

/**
 * How records lie in a segment. A record is cut where a page of {@value WalOptions#PAGE_BYTES}
 * bytes ends:
 *
 * <pre>
 * segment   page*
 * page      fragment*  zeros, up to its end
 * fragment  header (7 bytes)  data
 * header    kind and flags (1)  length of the data (2)  CRC-32C of the data (4)
 *
 *            7 6 5   4      3       2 1 0
 *           | none | zstd | snappy | kind |     kind  0 the rest of the page is zeros
 *                                                     1 a whole record
 *                                                     2 its first, 3 a middle, 4 its last fragment
 * </pre>
 *
 * Numbers are big-endian. A record is compressed before it is cut, so all its fragments have the
 * same flags. Where less than a header fits into a page, the rest of it is zeros.
 */
final class Fragments {
  static final int HEADER_BYTES = 7;

  static final int WHOLE = 1;
  static final int FIRST = 2;
  static final int MIDDLE = 3;
  static final int LAST = 4;

  static final int KIND_MASK = 7;
  static final int SNAPPY = 1 << 3;
  static final int ZSTD = 1 << 4;

  private Fragments() {}

  static int checksum(CRC32C crc, byte[] bytes, int from, int count) {
    crc.reset();
    crc.update(bytes, from, count);
    return (int) crc.getValue();
  }
}
