package org.inferometer.tsdb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.inferometer.store.SampleColumns;
import org.jspecify.annotations.Nullable;

/** What holds for any bytes that are read as a chunk. */
public final class ChunkProperties {
  private ChunkProperties() {}

  /** Checks both ways to a chunk; returns whether the bytes are one. */
  public static boolean check(Encoding encoding, byte[] bytes) {
    Chunk parsed = parse(encoding, bytes);
    if (parsed == null) {
      checkTrusted(encoding, bytes, 0, 1_000);
      checkTrusted(encoding, bytes, Long.MIN_VALUE, Long.MAX_VALUE);
      return false;
    }
    SampleColumns expected = read(parsed);
    assertThat(expected.size()).isEqualTo(parsed.size());
    assertThat(expected.timestampMs(0)).isEqualTo(parsed.minMs());
    assertThat(expected.timestampMs(parsed.size() - 1)).isEqualTo(parsed.maxMs());
    assertAscending(expected);
    assertThat(parsed.toBytes()).isEqualTo(canonical(encoding, bytes));
    SampleColumns trusted = read(Chunk.of(encoding, bytes, parsed.minMs(), parsed.maxMs()));
    assertThat(trusted.size()).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(trusted.timestampMs(i)).isEqualTo(expected.timestampMs(i));
      assertThat(Double.doubleToRawLongBits(trusted.value(i)))
          .isEqualTo(Double.doubleToRawLongBits(expected.value(i)));
    }
    return true;
  }

  /** Of the flags of a histogram chunk six bits mean nothing. */
  private static byte[] canonical(Encoding encoding, byte[] bytes) {
    byte[] canonical = bytes.clone();
    if (encoding != Encoding.XOR) {
      canonical[2] = (byte) (canonical[2] & 0xc0);
    }
    return canonical;
  }

  private static @Nullable Chunk parse(Encoding encoding, byte[] bytes) {
    try {
      return Chunk.parse(encoding, bytes);
    } catch (CorruptChunkException e) {
      return null;
    }
  }

  private static SampleColumns read(Chunk chunk) {
    SampleColumns columns = new SampleColumns(1);
    chunk.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
    return columns;
  }

  private static void checkTrusted(Encoding encoding, byte[] bytes, long minMs, long maxMs) {
    SampleColumns columns = new SampleColumns(1);
    columns.add(7, 7);
    try {
      Chunk chunk = Chunk.of(encoding, Arrays.copyOf(bytes, bytes.length), minMs, maxMs);
      chunk.read(100, 900, columns);
      columns.remove(0, 1);
      assertAscending(columns);
      for (int i = 0; i < columns.size(); i++) {
        assertThat(columns.timestampMs(i)).isBetween(100L, 900L);
      }
    } catch (CorruptChunkException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  private static void assertAscending(SampleColumns columns) {
    for (int i = 1; i < columns.size(); i++) {
      assertThat(columns.timestampMs(i)).isGreaterThan(columns.timestampMs(i - 1));
    }
  }
}
