package org.inferometer.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BitWriterTest {
  private static String hex(BitWriter writer) {
    return HexFormat.of().formatHex(Arrays.copyOf(writer.bytes(), writer.byteCount()));
  }

  @Test
  void writeBits_beginsWithTheHighest() {
    BitWriter writer = new BitWriter(0);
    writer.writeBits(0b101, 3);
    writer.writeBits(-1, 4);
    writer.writeBits(0x0123456789abcdefL, 64);
    // 101 1111 and then the number one bit late.
    assertThat(hex(writer)).isEqualTo("be02468acf13579bde");
    assertThat(writer.bitCount()).isEqualTo(71);
  }

  @Test
  void writeVarint_putsTheSignLast() {
    BitWriter writer = new BitWriter(0);
    writer.writeVarint(-1);
    writer.writeVarint(64);
    writer.writeUnsignedVarint(300);
    assertThat(hex(writer)).isEqualTo("01" + "8001" + "ac02");
  }

  @Test
  void bits_comeBackAtAnyOffset() {
    for (long seed = 0; seed < 200; seed++) {
      long[] values = new long[300];
      int[] counts = new int[values.length];
      Random random = new Random(seed);
      BitWriter writer = new BitWriter(random.nextInt(20));
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextLong() >> random.nextInt(64);
        counts[i] = random.nextInt(67);
        if (counts[i] == 65) {
          writer.writeVarint(values[i]);
        } else if (counts[i] == 66) {
          writer.writeUnsignedVarint(values[i]);
        } else if (counts[i] > 0) {
          writer.writeBits(values[i], counts[i]);
        }
      }
      BitReader reader = new BitReader(writer.bytes(), 0);
      for (int i = 0; i < values.length; i++) {
        long expected = counts[i] < 64 ? values[i] & ((1L << counts[i]) - 1) : values[i];
        assertThat(read(reader, counts[i])).as("seed " + seed).isEqualTo(expected);
      }
      assertThat(reader.position()).isEqualTo(writer.bitCount());
    }
  }

  private static long read(BitReader reader, int count) {
    return switch (count) {
      case 0 -> 0;
      case 65 -> reader.readVarint();
      case 66 -> reader.readUnsignedVarint();
      default -> reader.readBits(count);
    };
  }

  @Test
  void readUnsignedVarint_refusesOneWithoutEnd() {
    byte[] bytes = new byte[30];
    Arrays.fill(bytes, (byte) 0xff);
    assertThatThrownBy(() -> new BitReader(bytes, 0).readUnsignedVarint())
        .isInstanceOf(IllegalStateException.class);
  }
}
