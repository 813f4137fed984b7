package org.inferometer.tsdb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.store.SampleColumns;
import org.junit.jupiter.api.Test;

class ChunkParseTest {
  private static Chunk random(Random random, boolean isHistogram) {
    SampleColumns columns = new SampleColumns();
    RandomHistograms histograms = new RandomHistograms(random);
    long timeMs = random.nextInt(3) == 0 ? random.nextLong() >> random.nextInt(40) : 0;
    for (int i = random.nextInt(130); i >= 0; i--) {
      if (isHistogram) {
        NativeHistogram histogram = histograms.next();
        columns.add(timeMs, histogram);
      } else {
        columns.add(timeMs, random.nextBoolean() ? i : random.nextDouble());
      }
      timeMs += random.nextInt(9) == 0 ? 1 + random.nextLong(1L << random.nextInt(40)) : 15_000;
    }
    return ChunkRuns.of(columns).getFirst().seal();
  }

  @Test
  void parse_ofWhatABuilderMade() {
    for (long seed = 0; seed < 2_000; seed++) {
      Chunk chunk = random(new Random(seed), seed % 8 == 0);
      Chunk parsed = Chunk.parse(chunk.encoding(), chunk.toBytes());
      assertThat(parsed.minMs()).as("seed " + seed).isEqualTo(chunk.minMs());
      assertThat(parsed.maxMs()).isEqualTo(chunk.maxMs());
      assertThat(parsed.size()).isEqualTo(chunk.size());
      assertThat(ChunkProperties.check(chunk.encoding(), chunk.toBytes())).isTrue();
    }
  }

  @Test
  void parse_knowsGaps() {
    SampleColumns columns = new SampleColumns();
    for (long timeMs : new long[] {0, 10, 40, 45}) {
      columns.add(timeMs, 1);
    }
    Chunk chunk = ChunkRuns.of(columns).getFirst().seal();
    Chunk parsed = Chunk.parse(Encoding.XOR, chunk.toBytes());
    assertThat(parsed.gapIsKnown()).isTrue();
    assertThat(parsed.hasAny(11, 39, new SampleColumns())).isFalse();
    assertThat(parsed.hasAny(11, 41, new SampleColumns())).isTrue();
  }

  @Test
  void parse_refusesWhatCantBe() {
    String one = "d00f" + "3ff0000000000000";
    for (String hex :
        List.of(
            "",
            "00",
            "0000" + one,
            "0001d00f3ff00000000000",
            "0002" + one,
            "0002" + one + "00" + "00", // the same timestamp again
            "0002" + one + "01" + "80", // a window that isn't there
            "0002" + one + "01" + "ffff0000000000000000", // 62 bits behind 31 leading ones
            "0006" + one + "01" + "00", // a sixth one is missing
            "0003" + one + "ffffffffffffffffffff" + "00",
            "ffff" + one + "0100000000")) {
      byte[] bytes = HexFormat.of().parseHex(hex);
      assertThatThrownBy(() -> Chunk.parse(Encoding.XOR, bytes))
          .as(hex)
          .isInstanceOf(CorruptChunkException.class);
      ChunkProperties.check(Encoding.XOR, bytes);
    }
  }

  @Test
  void of_wantsPadding() {
    byte[] bytes = new byte[20];
    assertThatThrownBy(() -> Chunk.of(Encoding.XOR, bytes, 13, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void parse_ofDamagedBytes() {
    int taken = 0;
    for (long seed = 0; seed < 4_000; seed++) {
      Random random = new Random(seed);
      Chunk chunk = random(random, seed % 10 == 0);
      byte[] bytes = damaged(chunk.toBytes(), random);
      try {
        taken += ChunkProperties.check(chunk.encoding(), bytes) ? 1 : 0;
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(taken).isBetween(200, 3_800);
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length + 4));
      }
      case 1 -> random.nextBytes(bytes);
      default -> {
        for (int i = random.nextInt(4); i >= 0; i--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
    }
    return bytes;
  }
}
