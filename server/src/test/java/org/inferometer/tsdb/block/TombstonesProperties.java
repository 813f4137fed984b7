package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** What holds for any bytes that are read as tombstones. */
final class TombstonesProperties {
  private TombstonesProperties() {}

  /** A file around any marks. */
  static byte[] withSum(byte[] marks) {
    CRC32C crc = new CRC32C();
    crc.update(marks);
    return ByteBuffer.allocate(5 + marks.length + 4)
        .putInt(0x0130ba30)
        .put((byte) 1)
        .put(marks)
        .putInt((int) crc.getValue())
        .array();
  }

  static void check(byte[] bytes) {
    try {
      Tombstones read = Tombstones.parse(bytes, "tombstones");
      Tombstones again = Tombstones.parse(read.toBytes(), "tombstones");
      assertThat(again.toBytes()).isEqualTo(read.toBytes());
    } catch (CorruptBlockException e) {
      assertThat(e).hasMessageStartingWith("tombstones: ");
    }
  }
}
