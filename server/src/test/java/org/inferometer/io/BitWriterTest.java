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

  private static String varbit(long value) {
    BitWriter writer = new BitWriter(0);
    writer.writeVarbit(value);
    return bits(writer);
  }

  private static String unsignedVarbit(long value) {
    BitWriter writer = new BitWriter(0);
    writer.writeUnsignedVarbit(value);
    return bits(writer);
  }

  private static String bits(BitWriter writer) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < writer.bitCount(); i++) {
      text.append((writer.bytes()[i >>> 3] >>> (7 - (i & 7))) & 1);
    }
    return text.toString();
  }

  @Test
  void writeVarbit_growsBySteps() {
    assertThat(varbit(0)).isEqualTo("0");
    assertThat(varbit(-3)).isEqualTo("10" + "101");
    assertThat(varbit(4)).isEqualTo("10" + "100");
    assertThat(varbit(-4)).isEqualTo("110" + "111100");
    assertThat(varbit(32)).isEqualTo("110" + "100000");
    assertThat(varbit(33)).isEqualTo("1110" + "000100001");
    assertThat(varbit(256)).isEqualTo("1110" + "100000000");
    assertThat(varbit(-256)).isEqualTo("11110" + "111100000000");
    assertThat(varbit(2_048)).isEqualTo("11110" + "100000000000");
    assertThat(varbit(-2_048)).isEqualTo("111110" + "111111100000000000");
    assertThat(varbit(131_072)).isEqualTo("111110" + "1" + "0".repeat(17));
    assertThat(varbit(131_073)).isEqualTo("1111110" + "0000000100000000000000001");
    assertThat(varbit(1 << 24)).isEqualTo("1111110" + "1" + "0".repeat(24));
    assertThat(varbit((1 << 24) + 1)).hasSize(64).startsWith("11111110" + "0".repeat(31) + "1");
    assertThat(varbit(1L << 55)).isEqualTo("11111110" + "1" + "0".repeat(55));
    assertThat(varbit(-(1L << 55))).isEqualTo("11111111" + "111111111" + "0".repeat(55));
    assertThat(varbit(Long.MIN_VALUE)).isEqualTo("11111111" + "1" + "0".repeat(63));
  }

  @Test
  void writeUnsignedVarbit_growsBySteps() {
    assertThat(unsignedVarbit(0)).isEqualTo("0");
    assertThat(unsignedVarbit(7)).isEqualTo("10" + "111");
    assertThat(unsignedVarbit(8)).isEqualTo("110" + "001000");
    assertThat(unsignedVarbit(511)).isEqualTo("1110" + "111111111");
    assertThat(unsignedVarbit(4_095)).isEqualTo("11110" + "111111111111");
    assertThat(unsignedVarbit(262_143)).isEqualTo("111110" + "1".repeat(18));
    assertThat(unsignedVarbit(33_554_431)).isEqualTo("1111110" + "1".repeat(25));
    assertThat(unsignedVarbit((1L << 56) - 1)).isEqualTo("11111110" + "1".repeat(56));
    assertThat(unsignedVarbit(1L << 56)).isEqualTo("11111111" + "00000001" + "0".repeat(56));
    assertThat(unsignedVarbit(-1)).isEqualTo("1".repeat(72));
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
        counts[i] = random.nextInt(69);
        if (counts[i] == 65) {
          writer.writeVarint(values[i]);
        } else if (counts[i] == 66) {
          writer.writeUnsignedVarint(values[i]);
        } else if (counts[i] == 67) {
          writer.writeVarbit(values[i]);
        } else if (counts[i] == 68) {
          writer.writeUnsignedVarbit(values[i]);
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
      case 67 -> reader.readVarbit();
      case 68 -> reader.readUnsignedVarbit();
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
