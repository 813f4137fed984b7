package org.inferometer.tsdb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.SampleColumns;
import org.junit.jupiter.api.Test;

class XorChunkTest {
  private static Chunk encode(SampleColumns columns) {
    XorChunkBuilder builder = new XorChunkBuilder(columns.timestampMs(0), columns.value(0));
    for (int i = 1; i < columns.size(); i++) {
      builder.add(columns.timestampMs(i), columns.value(i));
    }
    return builder.seal();
  }

  private static SampleColumns columns(double... timestampsAndValues) {
    SampleColumns columns = new SampleColumns();
    for (int i = 0; i < timestampsAndValues.length; i += 2) {
      columns.add((long) timestampsAndValues[i], timestampsAndValues[i + 1]);
    }
    return columns;
  }

  private static String hex(Chunk chunk) {
    return HexFormat.of().formatHex(chunk.toBytes());
  }

  @Test
  void toBytes_ofOneSample() {
    // Count 1; varint of 1000 is 2000 = 0xd0 0x0f; 1.0 is 0x3ff0...
    assertThat(hex(encode(columns(1000, 1)))).isEqualTo("0001" + "d00f" + "3ff0000000000000");
  }

  @Test
  void toBytes_ofSamplesThatStandStill() {
    // 15000 is 0x98 0x75; then one bit for the same value, and two bits for each further sample.
    assertThat(hex(encode(columns(0, 0, 15_000, 0, 30_000, 0, 45_000, 0))))
        .isEqualTo("0004" + "00" + "0000000000000000" + "9875" + "00");
  }

  @Test
  void toBytes_ofAWindowAndItsReuse() {
    // 1.0 xor 2.0 = 0x7ff0...: 1 leading zero, 11 bits. 11 00001 001011 11111111111, in all 24
    // bits:
    // 1100 0010 0101 1111 1111 1111. Then a delta 1 ms longer: 10 00000000000001, and back to 1.0
    // within the window: 10 11111111111.
    assertThat(hex(encode(columns(0, 1, 1, 2, 3, 1))))
        .isEqualTo("0003" + "00" + "3ff0000000000000" + "01" + "c25fff" + "8001" + "bff8");
  }

  /** The definition as slow text: a string of 0 and 1, written for reading. */
  private static String slow(SampleColumns columns) {
    StringBuilder out = new StringBuilder(bits(columns.size(), 16));
    long lastDelta = 0;
    int leading = -1;
    int trailing = 0;
    for (int i = 0; i < columns.size(); i++) {
      long t = columns.timestampMs(i);
      long value = Double.doubleToRawLongBits(columns.value(i));
      if (i == 0) {
        out.append(varint((t << 1) ^ (t >> 63))).append(bits(value, 64));
        continue;
      }
      long delta = t - columns.timestampMs(i - 1);
      out.append(i == 1 ? varint(delta) : deltaOfDelta(delta - lastDelta));
      lastDelta = delta;
      long xor = value ^ Double.doubleToRawLongBits(columns.value(i - 1));
      if (xor == 0) {
        out.append('0');
        continue;
      }
      int zerosBefore = Math.min(31, Long.numberOfLeadingZeros(xor));
      int zerosAfter = Long.numberOfTrailingZeros(xor);
      if (leading >= 0 && zerosBefore >= leading && zerosAfter >= trailing) {
        out.append("10");
      } else {
        leading = zerosBefore;
        trailing = zerosAfter;
        out.append("11").append(bits(leading, 5)).append(bits(64 - leading - trailing, 6));
      }
      out.append(bits(xor, 64), leading, 64 - trailing);
    }
    return out.toString();
  }

  private static String bits(long value, int count) {
    StringBuilder out = new StringBuilder();
    for (int i = count - 1; i >= 0; i--) {
      out.append((value >>> i) & 1);
    }
    return out.toString();
  }

  private static String varint(long value) {
    return Long.compareUnsigned(value, 128) < 0
        ? bits(value, 8)
        : "1" + bits(value, 7) + varint(value >>> 7);
  }

  private static String deltaOfDelta(long value) {
    if (value == 0) {
      return "0";
    }
    if (value >= -8191 && value <= 8192) {
      return "10" + bits(value, 14);
    }
    if (value >= -65535 && value <= 65536) {
      return "110" + bits(value, 17);
    }
    return value >= -524287 && value <= 524288
        ? "1110" + bits(value, 20)
        : "1111" + bits(value, 64);
  }

  private static String toHex(String binary) {
    String padded = binary + "0".repeat((8 - binary.length() % 8) % 8);
    byte[] bytes = new byte[padded.length() / 8];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(padded.substring(8 * i, 8 * i + 8), 2);
    }
    return HexFormat.of().formatHex(bytes);
  }

  private static final double[] SPECIAL = {
    0,
    -0.0,
    1,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    StalenessMarker.VALUE,
    StalenessMarker.NORMAL_NAN,
    Double.longBitsToDouble(-1),
    Double.MIN_VALUE,
    Double.MAX_VALUE
  };

  private static final long[] STEPS = {
    1, 15_000, 8_191, 8_192, 8_193, 65_535, 65_536, 65_537, 524_287, 524_288, 524_289, 1L << 40
  };

  private static SampleColumns random(Random random) {
    SampleColumns columns = new SampleColumns();
    long t = random.nextInt(4) == 0 ? Long.MIN_VALUE + random.nextInt(9) : random.nextLong() >> 20;
    double value = random.nextInt(100);
    int kind = random.nextInt(4);
    for (int n = 1 + random.nextInt(200); n > 0; n--) {
      columns.add(t, value);
      t += kind == 0 ? 15_000 + random.nextInt(3) : STEPS[random.nextInt(STEPS.length)];
      value =
          switch (kind) {
            case 0 -> value + random.nextInt(3);
            case 1 -> random.nextGaussian();
            case 2 -> SPECIAL[random.nextInt(SPECIAL.length)];
            default -> Double.longBitsToDouble(random.nextLong());
          };
    }
    return columns;
  }

  private static void assertSame(SampleColumns actual, SampleColumns expected, String what) {
    assertThat(actual.size()).as(what).isEqualTo(expected.size());
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.timestampMs(i)).as(what).isEqualTo(expected.timestampMs(i));
      assertThat(Double.doubleToRawLongBits(actual.value(i)))
          .as(what)
          .isEqualTo(Double.doubleToRawLongBits(expected.value(i)));
    }
  }

  @Test
  void toBytes_asTheDefinitionAndBack() {
    for (long seed = 0; seed < 2_000; seed++) {
      SampleColumns columns = random(new Random(seed));
      Chunk chunk = encode(columns);
      assertThat(hex(chunk)).as("seed " + seed).isEqualTo(toHex(slow(columns)));
      SampleColumns decoded = new SampleColumns(1);
      chunk.read(Long.MIN_VALUE, Long.MAX_VALUE, decoded);
      assertSame(decoded, columns, "seed " + seed);
    }
  }

  @Test
  void read_ofTheWidestJump() {
    SampleColumns columns = new SampleColumns();
    columns.add(Long.MIN_VALUE, 1);
    columns.add(Long.MAX_VALUE, StalenessMarker.VALUE);
    SampleColumns decoded = new SampleColumns();
    encode(columns).read(Long.MIN_VALUE, Long.MAX_VALUE, decoded);
    assertSame(decoded, columns, "widest jump");
  }

  @Test
  void read_ofAPart() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      SampleColumns columns = new SampleColumns();
      for (int t = random.nextInt(50); t < 300; t += 1 + random.nextInt(9)) {
        columns.add(t, random.nextInt());
      }
      Chunk chunk = encode(columns);
      long from = random.nextLong(-50, 350);
      long to = random.nextLong(-50, 350);
      SampleColumns expected = columns(1000, 7);
      for (int i = 0; i < columns.size(); i++) {
        if (columns.timestampMs(i) >= from && columns.timestampMs(i) <= to) {
          expected.add(columns.timestampMs(i), columns.value(i));
        }
      }
      SampleColumns actual = columns(1000, 7);
      chunk.read(from, to, actual);
      assertSame(actual, expected, "seed " + seed);
      assertThat(chunk.hasAny(from, to, new SampleColumns()))
          .as("seed " + seed)
          .isEqualTo(expected.size() > 1);
    }
  }

  @Test
  void view_staysWhileTheBuilderGoesOn() {
    Random random = new Random(1);
    XorChunkBuilder builder = new XorChunkBuilder(0, 0);
    SampleColumns expected = columns(0, 0);
    for (int i = 1; i < 120; i++) {
      Chunk view = builder.view();
      double value = random.nextDouble();
      builder.add(i * 1000L + random.nextInt(500), value);
      SampleColumns decoded = new SampleColumns();
      view.read(Long.MIN_VALUE, Long.MAX_VALUE, decoded);
      assertSame(decoded, expected, "after " + i);
      expected.add(builder.maxMs(), value);
    }
  }
}
