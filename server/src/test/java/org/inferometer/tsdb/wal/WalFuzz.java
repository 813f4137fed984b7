package org.inferometer.tsdb.wal;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A target for Jazzer: segments of any bytes, and such whose checksums are right, so that the
 * records within are read.
 */
public final class WalFuzz {
  private static final Path FOLDER = Path.of("/wal");

  private WalFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    boolean areWhole = data.consumeBoolean();
    byte[] first = areWhole ? fragments(data) : data.consumeBytes(2 * WalOptions.PAGE_BYTES);
    try {
      check(first, data.consumeRemainingAsBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What was read of two segments is still read after a repair, and nothing is damaged then.
   *
   * @throws AssertionError if not
   */
  static void check(byte[] first, byte[] second) throws IOException {
    MemoryDisk disk = new MemoryDisk();
    disk.put(FOLDER.resolve("00000000"), first);
    disk.put(FOLDER.resolve("00000001"), second);
    Logs.Contents before = Logs.read(disk, FOLDER);
    WalDamage damage = before.damage();
    if (damage == null) {
      return;
    }
    if (damage.lostBytes() <= 0 || damage.lostBytes() + before.readBytes() != before.size()) {
      throw new AssertionError("lost and read bytes aren't all: " + damage);
    }
    WalReader.repair(disk, FOLDER, damage);
    Logs.Contents after = Logs.read(disk, FOLDER);
    if (after.damage() != null || !after.records().equals(before.records())) {
      throw new AssertionError("not repaired: " + damage + ", then " + after.damage());
    }
  }

  /** Whole records of any bytes, one behind the other in the first page. */
  private static byte[] fragments(FuzzedDataProvider data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (data.remainingBytes() > 0 && out.size() < WalOptions.PAGE_BYTES / 2) {
      int flags = data.consumeInt(0, 3) == 0 ? Fragments.SNAPPY : 0;
      out.writeBytes(fragment(Fragments.WHOLE | flags, data.consumeBytes(data.consumeInt(0, 200))));
    }
    return out.toByteArray();
  }

  /** A fragment with the right checksum. */
  static byte[] fragment(int flags, byte[] data) {
    byte[] bytes = new byte[Fragments.HEADER_BYTES + data.length];
    bytes[0] = (byte) flags;
    bytes[1] = (byte) (data.length >>> 8);
    bytes[2] = (byte) data.length;
    int checksum = Fragments.checksum(new CRC32C(), data, 0, data.length);
    for (int i = 0; i < 4; i++) {
      bytes[3 + i] = (byte) (checksum >>> (24 - 8 * i));
    }
    System.arraycopy(data, 0, bytes, Fragments.HEADER_BYTES, data.length);
    return bytes;
  }
}
