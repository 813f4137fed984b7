package org.inferometer.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProtoWriterTest {
  private static String hex(ProtoWriter writer) {
    return HexFormat.of().formatHex(writer.toByteArray());
  }

  @Test
  void examplesOfTheDescription() {
    assertThat(hex(new ProtoWriter().varint(1, 150))).isEqualTo("089601");
    assertThat(hex(new ProtoWriter().string(2, "testing"))).isEqualTo("120774657374696e67");
    assertThat(hex(new ProtoWriter().message(3, m -> m.varint(1, 150)))).isEqualTo("1a03089601");
    assertThat(hex(new ProtoWriter().varints(6, 3, 270, 86942))).isEqualTo("3206038e029ea705");
    assertThat(hex(new ProtoWriter().zigzag(1, -2))).isEqualTo("0803");
    assertThat(hex(new ProtoWriter().varint(1, -2))).isEqualTo("08feffffffffffffffff01");
    assertThat(hex(new ProtoWriter().fixed32(1, 1).float64(2, 1)))
        .isEqualTo("0d0100000011000000000000f03f");
    assertThat(hex(new ProtoWriter().varint(16, 1))).isEqualTo("800101");
  }

  @Test
  void emptyListsAreLeftOut() {
    assertThat(new ProtoWriter().float64s(1).varints(2).zigzags(3).size()).isZero();
  }

  @Test
  void fieldNumbersStartAtOne() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ProtoWriter().varint(0, 1));
  }

  /** Random trees of fields, written and read back. */
  @Test
  void whatIsWrittenIsRead() throws ProtoException {
    for (int seed = 0; seed < 2_000; seed++) {
      ProtoWriter writer = new ProtoWriter(seed % 3);
      write(writer, new SplittableRandom(seed), 0);
      check(new ProtoReader(writer.toByteArray()), new SplittableRandom(seed), 0, seed);
    }
  }

  private static void write(ProtoWriter writer, SplittableRandom random, int depth) {
    int fields = random.nextInt(6);
    for (int i = 0; i < fields; i++) {
      int field = number(random);
      switch (random.nextInt(depth > 4 ? 7 : 8)) {
        case 0 -> writer.varint(field, value(random));
        case 1 -> writer.zigzag(field, value(random));
        case 2 -> writer.float64(field, Double.longBitsToDouble(value(random)));
        case 3 -> writer.fixed32(field, (int) value(random));
        case 4 -> writer.string(field, "é".repeat(random.nextInt(200)));
        case 5 -> writer.zigzags(field, values(random));
        case 6 -> writer.varints(field, values(random));
        default -> writer.message(field, inner -> write(inner, random, depth + 1));
      }
    }
  }

  private static void check(ProtoReader reader, SplittableRandom random, int depth, int seed)
      throws ProtoException {
    int fields = random.nextInt(6);
    for (int i = 0; i < fields; i++) {
      int field = number(random);
      assertThat(reader.next()).as("seed %d", seed).isTrue();
      assertThat(reader.field()).as("seed %d", seed).isEqualTo(field);
      switch (random.nextInt(depth > 4 ? 7 : 8)) {
        case 0 -> assertThat(reader.varint()).isEqualTo(value(random));
        case 1 -> assertThat(reader.zigzag()).isEqualTo(value(random));
        case 2 -> assertThat(Double.doubleToRawLongBits(reader.float64())).isEqualTo(value(random));
        case 3 -> assertThat(reader.fixed32()).isEqualTo((int) value(random));
        case 4 -> assertThat(reader.string()).isEqualTo("é".repeat(random.nextInt(200)));
        case 5 -> {
          List<Long> read = new ArrayList<>();
          reader.zigzags(read::add);
          assertThat(read.stream().mapToLong(v -> v).toArray()).isEqualTo(values(random));
        }
        case 6 -> {
          List<Long> read = new ArrayList<>();
          reader.varints(read::add);
          assertThat(read.stream().mapToLong(v -> v).toArray()).isEqualTo(values(random));
        }
        default -> check(reader.message(), random, depth + 1, seed);
      }
    }
    assertThat(reader.next()).as("seed %d", seed).isFalse();
  }

  private static int number(SplittableRandom random) {
    return random.nextInt(1, 1 << random.nextInt(1, 30));
  }

  private static long value(SplittableRandom random) {
    return random.nextLong() >> random.nextInt(64);
  }

  private static long[] values(SplittableRandom random) {
    long[] values = new long[1 + random.nextInt(40)];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(random);
    }
    return values;
  }
}
