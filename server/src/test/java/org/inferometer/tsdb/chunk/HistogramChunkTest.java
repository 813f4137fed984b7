package org.inferometer.tsdb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.SampleColumns;
import org.junit.jupiter.api.Test;

class HistogramChunkTest {
  private static NativeHistogram at(SampleColumns columns, int index) {
    NativeHistogram histogram = columns.histogram(index);
    assertThat(histogram).isNotNull();
    return histogram;
  }

  private static HistogramChunk encode(SampleColumns columns) {
    List<ChunkBuilder> runs = ChunkRuns.of(columns);
    assertThat(runs).hasSize(1);
    return (HistogramChunk) runs.getFirst().seal();
  }

  private static SampleColumns read(Chunk chunk) {
    SampleColumns columns = new SampleColumns(1);
    chunk.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
    return columns;
  }

  private static String hex(Chunk chunk) {
    return HexFormat.of().formatHex(chunk.toBytes());
  }

  /** Text of 0 and 1, of which spaces mean nothing. */
  private static byte[] fromBits(String text) {
    String bits = text.replaceAll("\\s", "");
    String padded = bits + "0".repeat((8 - bits.length() % 8) % 8);
    byte[] bytes = new byte[padded.length() / 8];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(padded.substring(8 * i, 8 * i + 8), 2);
    }
    return bytes;
  }

  private static String bits(long value, int count) {
    StringBuilder out = new StringBuilder();
    for (int i = count - 1; i >= 0; i--) {
      out.append((value >>> i) & 1);
    }
    return out.toString();
  }

  private static String bits(double value) {
    return bits(Double.doubleToRawLongBits(value), 64);
  }

  private static NativeHistogram latencies(
      double count, double sum, double zeroCount, Buckets positive) {
    return NativeHistogram.exponential(0, count, sum, 0x1p-128, zeroCount, positive, Buckets.NONE);
  }

  /** Worked out from the description of the format, as all that stands in bits here. */
  @Test
  void toBytes_ofWholeCounts() {
    int[] indexes = {0, 1, 4};
    SampleColumns columns = new SampleColumns();
    columns.add(1_000, latencies(5, 10.5, 1, Buckets.of(indexes, new double[] {2, 1, 1})));
    columns.add(16_000, latencies(7, 14.5, 1, Buckets.of(indexes, new double[] {3, 1, 2})));
    String head = bits(2, 16) + "00000000";
    // 2^-128 is 116; schema 0; two spans: two buckets from 0 on, one after a gap of 2; none.
    String layout = bits(116, 8) + "0" + "10010" + "10010 0" + "10001 10010" + "0";
    // 1,000 in 12 bits; 5; 1; 10.5; the buckets 2, 1 less, none less.
    String first =
        "11110 001111101000" + "10101" + "10001" + bits(0x4025L << 48, 64) + "10010 10111 0";
    // 15,000 in 18 bits; 2 more; none more; 0x402d ^ 0x4025 has its one bit behind 12; of the
    // buckets' differences 3, -2, 1 each one more or less than 2, -1, 0.
    String second =
        "111110 000011101010011000" + "10010" + "0" + "11 01100 000001 1" + "10001 10111 10001";
    HistogramChunk chunk = encode(columns);
    assertThat(hex(chunk))
        .isEqualTo(HexFormat.of().formatHex(fromBits(head + layout + first + second)));
    assertThat(hex(chunk)).startsWith("000200" + "74");
    assertThat(chunk.isFloat()).isFalse();
  }

  @Test
  void toBytes_ofAnyCountsInCustomBuckets() {
    double[] bounds = {0.5, 1e6};
    SampleColumns columns = new SampleColumns();
    double[][] counts = {{1.5, 1}, {3, 2}, {1.5, 2}};
    double[] totals = {2.5, 5, 2.5};
    for (int i = 0; i < 3; i++) {
      columns.add(
          2 * i - 2,
          NativeHistogram.custom(totals[i], -1, Buckets.from(1, counts[i]), bounds)
              .withHint(ResetHint.GAUGE));
    }
    String head = bits(3, 16) + "11000000";
    // Threshold 0; schema -53 in 9 bits; a span of two from 1 on; none; two bounds, 501 in 9 bits
    // and one that is too large for thousandths.
    String layout =
        bits(0, 8)
            + "1110 111001011"
            + "10001 10010 10001"
            + "0"
            + ("10010" + "1110 111110101" + "0" + bits(0x412e848L << 36, 64));
    // -2 in 3 bits, and five numbers.
    String first =
        "10110"
            + bits(0x4004L << 48, 64)
            + bits(0, 64)
            + bits(0xbff0L << 48, 64)
            + bits(0x3ff8L << 48, 64)
            + bits(0x3ff0L << 48, 64);
    // 2 in 3 bits; 0x4014 ^ 0x4004; same; same; 0x4008 ^ 0x3ff8 and 0x4000 ^ 0x3ff0.
    String second =
        "10010"
            + "11 01011 000001 1"
            + "0 0"
            + "11 00001 001011 11111111111"
            + "11 00001 001011 11111111111";
    // The same step; back within the window; same; same; back within the window; same.
    String third = "0" + "10 1" + "0 0" + "10 11111111111" + "0";
    HistogramChunk chunk = encode(columns);
    assertThat(hex(chunk))
        .isEqualTo(HexFormat.of().formatHex(fromBits(head + layout + first + second + third)));
    assertThat(chunk.isFloat()).isTrue();
  }

  @Test
  void toBytes_ofZeroThresholds() {
    assertThat(threshold(0)).isEqualTo("00");
    assertThat(threshold(0x1p-243)).isEqualTo("01");
    assertThat(threshold(1)).isEqualTo("f4");
    assertThat(threshold(1024)).isEqualTo("fe");
    assertThat(threshold(2048)).isEqualTo("ff" + "40a0000000000000");
    assertThat(threshold(0x1p-244)).isEqualTo("ff" + "30b0000000000000");
    assertThat(threshold(0.001)).isEqualTo("ff" + "3f50624dd2f1a9fc");
  }

  private static String threshold(double value) {
    SampleColumns columns = new SampleColumns();
    columns.add(0, NativeHistogram.exponential(0, 0, 0, value, 0, Buckets.NONE, Buckets.NONE));
    String hex = hex(encode(columns));
    return hex.substring(6, hex.startsWith("ff", 6) ? 24 : 8);
  }

  /** The definition as slow text, written for reading. */
  private static final class Slow {
    private final StringBuilder out = new StringBuilder();
    private final SampleColumns columns;
    private final boolean isFloat;
    private final int[] positive;
    private final int[] negative;
    private final int[][] windows;

    Slow(SampleColumns columns, boolean isFloat) {
      this.columns = columns;
      this.isFloat = isFloat;
      positive = layout(true);
      negative = layout(false);
      windows = new int[3 + positive.length + negative.length][];
    }

    private int[] layout(boolean isPositive) {
      TreeSet<Integer> indexes = new TreeSet<>();
      for (int i = 0; i < columns.size(); i++) {
        Buckets all = isPositive ? at(columns, i).positive() : at(columns, i).negative();
        Buckets buckets = i == 0 ? all : all.compact();
        IntStream.range(0, buckets.size()).map(buckets::index).forEach(indexes::add);
      }
      return indexes.stream().mapToInt(i -> i).toArray();
    }

    String text(int flags) {
      NativeHistogram first = at(columns, 0);
      out.append(bits(columns.size(), 16)).append(bits(flags, 8));
      double power = Math.log(first.zeroThreshold()) / Math.log(2);
      boolean isShort = power == Math.rint(power) && power >= -243 && power <= 10;
      out.append(
          first.zeroThreshold() == 0
              ? bits(0, 8)
              : isShort ? bits((long) power + 244, 8) : bits(255, 8) + bits(first.zeroThreshold()));
      out.append(signed(first.schema()));
      spans(positive);
      spans(negative);
      if (first.hasCustomBounds()) {
        out.append(unsigned(first.customBounds().length));
        Arrays.stream(first.customBounds()).forEach(this::bound);
      }
      for (int i = 0; i < columns.size(); i++) {
        out.append(signed(change(i, j -> columns.timestampMs(j))));
        numbers(i);
      }
      return out.toString();
    }

    private void spans(int[] indexes) {
      int count = 0;
      StringBuilder spans = new StringBuilder();
      int i = 0;
      long next = 0;
      while (i < indexes.length) {
        int length = 1;
        while (i + length < indexes.length && indexes[i + length] == indexes[i] + length) {
          length++;
        }
        spans.append(unsigned(length)).append(signed(indexes[i] - next));
        next = (long) indexes[i] + length;
        i += length;
        count++;
      }
      out.append(unsigned(count)).append(spans);
    }

    private void bound(double value) {
      double units = value * 1000;
      boolean isWhole = Math.rint(units) / 1000 == value && units >= 0 && units <= 33_554_430;
      out.append(isWhole ? unsigned((long) Math.rint(units) + 1) : "0" + bits(value));
    }

    private interface LongAt {
      long at(int sample);
    }

    private interface DoubleAt {
      double at(int sample);
    }

    /** The first as it is, the second as a change, the others as changes of the change. */
    private static long change(int i, LongAt numbers) {
      if (i < 2) {
        return i == 0 ? numbers.at(0) : numbers.at(1) - numbers.at(0);
      }
      return numbers.at(i) - 2 * numbers.at(i - 1) + numbers.at(i - 2);
    }

    private void numbers(int i) {
      if (!isFloat) {
        LongAt count = j -> (long) at(columns, j).count();
        LongAt zeroCount = j -> (long) at(columns, j).zeroCount();
        out.append(i == 0 ? unsigned(count.at(0)) : signed(change(i, count)));
        out.append(i == 0 ? unsigned(zeroCount.at(0)) : signed(change(i, zeroCount)));
      } else {
        xor(i, 0, j -> at(columns, j).count());
        xor(i, 1, j -> at(columns, j).zeroCount());
      }
      xor(i, 2, j -> at(columns, j).sum());
      for (int b = 0; b < positive.length + negative.length; b++) {
        bucket(i, b);
      }
    }

    private double bucket(int j, boolean isPositive, int b) {
      NativeHistogram h = at(columns, j);
      if (b < 0) {
        return 0;
      }
      return isPositive ? h.positive().countAt(positive[b]) : h.negative().countAt(negative[b]);
    }

    private void bucket(int i, int place) {
      boolean isPositive = place < positive.length;
      int b = isPositive ? place : place - positive.length;
      if (isFloat) {
        xor(i, 3 + place, j -> bucket(j, isPositive, b));
      } else {
        LongAt difference = j -> (long) (bucket(j, isPositive, b) - bucket(j, isPositive, b - 1));
        out.append(signed(change(i, difference)));
      }
    }

    private void xor(int i, int number, DoubleAt numbers) {
      long value = Double.doubleToRawLongBits(numbers.at(i));
      if (i == 0) {
        out.append(bits(value, 64));
        return;
      }
      long xor = value ^ Double.doubleToRawLongBits(numbers.at(i - 1));
      int[] window = windows[number];
      int leading = Math.min(31, Long.numberOfLeadingZeros(xor));
      int trailing = Long.numberOfTrailingZeros(xor);
      if (xor == 0) {
        out.append("0");
        return;
      }
      if (window != null && leading >= window[0] && trailing >= window[1]) {
        out.append("10").append(bits(xor, 64), window[0], 64 - window[1]);
        return;
      }
      windows[number] = new int[] {leading, trailing};
      out.append("11").append(bits(leading, 5)).append(bits(64 - leading - trailing, 6));
      out.append(bits(xor, 64), leading, 64 - trailing);
    }

    private static final int[] SIZES = {3, 6, 9, 12, 18, 25, 56};

    private static String signed(long value) {
      for (int i = 0; i < SIZES.length && value != 0; i++) {
        long half = 1L << (SIZES[i] - 1);
        if (value > -half && value <= half) {
          return "1".repeat(i + 1) + "0" + bits(value, SIZES[i]);
        }
      }
      return value == 0 ? "0" : "11111111" + bits(value, 64);
    }

    private static String unsigned(long value) {
      for (int i = 0; i < SIZES.length && value != 0; i++) {
        if (value < 1L << SIZES[i]) {
          return "1".repeat(i + 1) + "0" + bits(value, SIZES[i]);
        }
      }
      return value == 0 ? "0" : "11111111" + bits(value, 64);
    }
  }

  private static SampleColumns random(Random random) {
    RandomHistograms histograms = new RandomHistograms(random);
    SampleColumns columns = new SampleColumns();
    long t = random.nextLong() >> (1 + random.nextInt(60));
    for (int n = 1 + random.nextInt(121); n > 0; n--) {
      columns.add(t, histograms.next());
      t += random.nextInt(3) == 0 ? 1 + random.nextInt(100_000) : 15_000;
    }
    return columns;
  }

  private static SampleColumns part(SampleColumns columns, int from, int to) {
    SampleColumns part = new SampleColumns();
    for (int i = from; i < to; i++) {
      part.add(columns.timestampMs(i), at(columns, i));
    }
    return part;
  }

  private static void assertSame(SampleColumns actual, SampleColumns expected, String what) {
    assertThat(actual.size()).as(what).isEqualTo(expected.size());
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.timestampMs(i)).as(what).isEqualTo(expected.timestampMs(i));
      assertThat(at(actual, i).sameAs(at(expected, i))).as(() -> what).isTrue();
    }
  }

  @Test
  void toBytes_asTheDefinitionAndBack() {
    int whole = 0;
    int chunks = 0;
    for (long seed = 0; seed < 250; seed++) {
      SampleColumns columns = random(new Random(seed));
      int from = 0;
      for (ChunkBuilder run : ChunkRuns.of(columns)) {
        HistogramChunk chunk = (HistogramChunk) run.seal();
        String what = "seed " + seed + " from " + from;
        SampleColumns samples = part(columns, from, from + chunk.size());
        String slow = new Slow(samples, chunk.isFloat()).text(chunk.start().flags() & 0xff);
        assertThat(hex(chunk)).as(what).isEqualTo(HexFormat.of().formatHex(fromBits(slow)));
        assertSame(read(chunk), samples, what);
        HistogramChunk parsed = HistogramChunk.parse(chunk.isFloat(), chunk.toBytes());
        assertSame(read(parsed), samples, what);
        assertThat(parsed.minMs()).isEqualTo(chunk.minMs());
        assertThat(parsed.maxMs()).isEqualTo(chunk.maxMs());
        assertThat(parsed.toBytes()).isEqualTo(chunk.toBytes());
        from += chunk.size();
        whole += chunk.isFloat() ? 0 : 1;
        chunks++;
      }
      assertThat(from).isEqualTo(columns.size());
    }
    assertThat(whole).isBetween(chunks / 4, chunks / 4 * 3);
  }

  @Test
  void read_ofAPart() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      SampleColumns columns = random(random);
      ChunkBuilder run = ChunkRuns.of(columns).getFirst();
      Chunk chunk = run.seal();
      int from = random.nextInt(chunk.size());
      int to = random.nextInt(from, chunk.size());
      SampleColumns actual = new SampleColumns();
      chunk.read(columns.timestampMs(from), columns.timestampMs(to), actual);
      assertSame(actual, part(columns, from, to + 1), "seed " + seed);
      long gapMs = columns.timestampMs(from) + 1;
      boolean isGap = from + 1 < chunk.size() && columns.timestampMs(from + 1) > gapMs;
      assertThat(chunk.hasAny(gapMs, gapMs, new SampleColumns()))
          .isEqualTo(!isGap && from + 1 < chunk.size());
    }
  }

  @Test
  void view_staysWhileTheBuilderGoesOn() {
    RandomHistograms histograms = new RandomHistograms(new Random(3));
    SampleColumns expected = new SampleColumns();
    expected.add(0, histograms.next());
    ChunkBuilder builder = ChunkBuilder.begin(null, 0, 0, at(expected, 0));
    for (int i = 1; i < 60; i++) {
      Chunk view = builder.view();
      NativeHistogram next = histograms.next();
      ChunkBuilder grown = builder.with(i * 15_000L, 0, next);
      assertSame(read(view), expected, "after " + i);
      builder = grown == null ? ChunkBuilder.begin(builder, i * 15_000L, 0, next) : grown;
      if (grown == null) {
        expected.clear();
      }
      expected.add(i * 15_000L, next);
    }
  }

  private static ChunkBuilder counting(double... counts) {
    double total = Arrays.stream(counts).sum();
    return ChunkBuilder.begin(null, 0, 0, latencies(total, 1, 0, Buckets.from(0, counts)));
  }

  @Test
  void with_whatNeedsAnotherChunk() {
    NativeHistogram more = latencies(5, 1, 0, Buckets.from(0, 2, 3));
    assertThat(counting(2, 2).with(1, 0, more)).isNotNull();
    assertThat(counting(2, 2).with(1, 0, null)).as("a float").isNull();
    assertThat(counting(2, 4).with(1, 0, more)).as("less").isNull();
    assertThat(counting(2, 1, 1).with(1, 0, more)).as("a bucket less").isNull();
    assertThat(counting(2, 2, 0).with(1, 0, more)).as("an empty bucket less").isNotNull();
    assertThat(counting(2, 2).with(1, 0, more.withHint(ResetHint.RESET))).as("said").isNull();
    assertThat(counting(2, 2).with(1, 0, more.withHint(ResetHint.GAUGE))).as("gauge").isNull();
    assertThat(counting(2, 2).with(1, 0, more.toSchema(-1))).as("coarser").isNull();
    assertThat(counting(2, 2).with(1, 0, more.times(1.5))).as("not whole").isNull();
    assertThat(counting(1.5, 2).with(1, 0, more)).as("whole after not whole").isNotNull();
  }

  @Test
  void with_moreBuckets() {
    ChunkBuilder builder = counting(2, 2);
    Chunk before = builder.view();
    ChunkBuilder wider =
        builder.with(
            1,
            0,
            latencies(9, 2, 0, Buckets.of(new int[] {-3, 0, 1, 7}, new double[] {1, 2, 3, 3})));
    assertThat(wider).isNotNull().isNotSameAs(builder);
    assertThat(wider.size()).isEqualTo(2);
    assertThat(read(before).size()).isEqualTo(1);
    SampleColumns samples = read(wider.view());
    assertThat(at(samples, 0).positive()).isEqualTo(Buckets.from(0, 2, 2));
    assertThat(at(samples, 1).positive().countAt(7)).isEqualTo(3);
    assertThat(at(samples, 1).resetHint()).isEqualTo(ResetHint.NOT_RESET);
  }

  @Test
  void with_bucketsWithoutEndBeginAnotherChunk() {
    ChunkBuilder builder = counting(1);
    int bucketsMax = 0;
    for (int i = 1; i < 300; i++) {
      double[] counts = new double[10 * i];
      Arrays.fill(counts, 1);
      NativeHistogram h = latencies(10.0 * i, 0, 0, Buckets.from(0, counts));
      ChunkBuilder grown = builder.with(i, 0, h);
      builder = grown == null ? ChunkBuilder.begin(builder, i, 0, h) : grown;
      bucketsMax = grown == null ? bucketsMax : 10 * i;
    }
    assertThat(bucketsMax).isBetween(500, 512);
  }

  @Test
  void isFull_bySamplesOrBytes() {
    ChunkBuilder still = counting(1);
    for (int i = 1; i < 120; i++) {
      assertThat(still.isFull()).isFalse();
      assertThat(still.with(i, 0, latencies(1, 1, 0, Buckets.from(0, 1)))).isSameAs(still);
    }
    assertThat(still.isFull()).isTrue();
    double[] counts = new Random(1).doubles(40).toArray();
    ChunkBuilder wild = counting(counts);
    for (int i = 1; i < 10; i++) {
      assertThat(wild.isFull()).isFalse();
      double factor = 1 + i / 7.0;
      double[] grown = Arrays.stream(counts).map(c -> c * factor).toArray();
      double total = Arrays.stream(grown).sum();
      assertThat(wild.with(i, 0, latencies(total, i, 0, Buckets.from(0, grown)))).isSameAs(wild);
    }
    assertThat(wild.isFull()).isTrue();
  }

  /** Prometheus ends a series within a chunk of histograms. */
  @Test
  void read_ofAStaleSumIsAMarker() {
    String head = bits(2, 16) + "00000000" + bits(0, 8) + "0 0 0";
    String first = "0 10001 10001" + bits(1.0);
    String second = "10001 0 0" + "11 00000 000000";
    long xor = Double.doubleToRawLongBits(StalenessMarker.VALUE) ^ Double.doubleToRawLongBits(1);
    String bits = head + first + second + bits(xor, 64);
    SampleColumns samples = read(HistogramChunk.parse(false, fromBits(bits)));
    assertThat(samples.size()).isEqualTo(2);
    assertThat(at(samples, 0).count()).isEqualTo(1);
    assertThat(samples.histogram(1)).isNull();
    assertThat(StalenessMarker.is(samples.value(1))).isTrue();
  }

  @Test
  void parse_refusesWhatCantBe() {
    String head = bits(1, 16) + "00000000" + bits(0, 8);
    String sample = "0 0 0" + bits(0, 64);
    assertThat(read(HistogramChunk.parse(false, fromBits(head + "0 0 0" + sample))).size())
        .isEqualTo(1);
    assertCorrupt("nothing", "");
    assertCorrupt("no samples", bits(0, 64));
    assertCorrupt("schema 9", head + "110 001001 0 0" + sample);
    assertCorrupt("samples missing", bits(2, 16) + "00000000" + bits(0, 8) + "0 0 0" + sample);
    assertCorrupt("no timestamp later", bits(2, 16) + bits(0, 16) + "0 0 0" + sample + "0 0 0 0");
    assertCorrupt(
        "2^56 spans", head + "0 11111111" + bits(1L << 56, 64) + "0".repeat(200) + sample);
    assertCorrupt("2^63 buckets", head + "0 10001 11111111 1" + "0".repeat(63) + "0 0" + sample);
    assertCorrupt(
        "buckets that don't ascend", head + "0 10010 10001 10001 10001 10110 0" + sample + "00");
    assertCorrupt(
        "an index beyond all",
        head + "0 10001 10010 11111110" + bits(0x7fffffff, 56) + "0" + sample);
    assertCorrupt(
        "bounds that don't ascend", head + "1110 111001011 0 0 10010 10001 10001" + sample);
    assertCorrupt(
        "a negative threshold", head.substring(0, 24) + "11111111" + bits(-1.0) + "0 0 0" + sample);
  }

  private static void assertCorrupt(String what, String bits) {
    for (boolean isFloat : new boolean[] {false, true}) {
      assertThatThrownBy(() -> HistogramChunk.parse(isFloat, fromBits(bits)))
          .as(what)
          .isInstanceOf(CorruptChunkException.class);
    }
  }

  /** Whatever the bytes are: a chunk that can be read, or the one exception that says it isn't. */
  @Test
  void parse_ofDamagedBytes() {
    List<byte[]> valid =
        IntStream.range(0, 50)
            .mapToObj(seed -> ChunkRuns.of(random(new Random(seed))).getFirst().seal().toBytes())
            .toList();
    int refused = 0;
    int taken = 0;
    for (long seed = 0; seed < 10_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = damaged(random, valid);
      try {
        HistogramChunk chunk = HistogramChunk.parse(random.nextInt(4) == 0, bytes);
        assertThat(read(chunk).size()).isEqualTo(chunk.size());
        taken++;
      } catch (CorruptChunkException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(refused).isGreaterThan(1_000);
    assertThat(taken).isGreaterThan(1_000);
  }

  private static byte[] damaged(Random random, List<byte[]> valid) {
    if (random.nextInt(4) == 0) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      return bytes;
    }
    byte[] bytes = valid.get(random.nextInt(valid.size())).clone();
    if (random.nextInt(3) == 0) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }
}
